import { expect, test, vi } from 'vitest';
import { findRawFile } from '../../src/code-hosts.ts';
import { readSource } from '../../src/sources/source.ts';
import { EVERYTHING } from '../fixtures/everything.ts';

async function read(content: string, name: string, mediaType = 'text/plain', base = 'https://www.baker.example/') {
  const file = { url: base + name, mediaType, disposition: null, robots: null, size: null };
  const { article } = await readSource({ ...file, content, isWhole: true }, 'respect');
  return { ...article, content: article.content ?? '' };
}

const item = (enclosure: string) =>
  `<item><title>Rye</title><link>/rye</link><description>Dark rye</description>${enclosure}</item>`;
const PLAYER =
  '<figure><audio src="https://cdn.example/rye.mp3?a=1&amp;b=2" controls="controls" preload="none"></audio></figure>';

test.each([
  [
    'RSS',
    'application/rss+xml',
    `<rss><channel><title>B</title>${item('<enclosure url="https://cdn.example/rye.mp3?a=1&amp;b=2" length="1" type="audio/mpeg"/>')}</channel></rss>`,
  ],
  [
    'Atom',
    'application/atom+xml',
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>B</title><entry><title>Rye</title><link rel="enclosure" type="audio/mpeg" href="https://cdn.example/rye.mp3?a=1&amp;b=2"/><link href="/rye"/></entry></feed>',
  ],
  [
    'JSON',
    'application/feed+json',
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'B',
      items: [
        {
          title: 'Rye',
          url: '/rye',
          attachments: [{ url: 'https://cdn.example/rye.mp3?a=1&b=2', mime_type: 'audio/mpeg' }],
        },
      ],
    }),
  ],
])('an episode of a podcast in %s plays, and loads nothing before', async (_, mediaType, feed) => {
  const { content } = await read(feed, 'feed', mediaType);
  expect(
    content
      .replaceAll('controls preload', 'controls="controls" preload')
      .replaceAll('controls=""', 'controls="controls"'),
  ).toContain(PLAYER);
  expect(content).toContain('<a href="https://www.baker.example/rye"');
});

test.each([
  ['<enclosure url="/rye.mp4" type="video/mp4"/>', '<video src="https://www.baker.example/rye.mp4"'],
  ['<media:content url="/rye.mp4" type="video/mp4"/>', '<video src="https://www.baker.example/rye.mp4"'],
  ['<enclosure url="/rye.mp3?a=1"/>', '<audio src="https://www.baker.example/rye.mp3?a=1"'],
])('an entry with %s plays', async (enclosure, player) => {
  const { content } = await read(`<rss><channel>${item(enclosure)}</channel></rss>`, 'feed', 'application/rss+xml');
  expect(content).toContain(player);
});

test.each([
  ['<guid>https://www.baker.example/rye</guid>', true],
  ['<guid isPermaLink="true">/rye</guid>', false],
  ['<guid>rye-2</guid>', false],
  ['<guid isPermaLink="false">https://www.baker.example/rye</guid>', false],
])('links an item of a feed to its GUID only if that is an address: %s', async (guid, isLinked) => {
  const feed = `<rss><channel><title>B</title><item><title>Rye</title>${guid}</item></channel></rss>`;
  const { content } = await read(feed, 'feed', 'application/rss+xml');
  expect(content).toContain('Rye');
  expect(content.includes('<a href="https://www.baker.example/rye"')).toBe(isLinked);
  expect(content.includes('<a ')).toBe(isLinked);
});

test('names the author of a podcast', async () => {
  const feed = `<rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>B</title><itunes:author>Ada &amp;amp; Bob</itunes:author>${item('')}</channel></rss>`;
  expect((await read(feed, 'feed', 'application/rss+xml')).byline).toBe('Ada & Bob');
});

test.each([
  '<enclosure url="javascript:alert(1)//a.mp4" type="video/mp4"/>',
  '<enclosure url="javascript:alert(1)" type="audio/mpeg"/>',
  '<enclosure url="/a.zip" type="application/zip"/>',
  '<enclosure type="audio/mpeg">/a.mp3</enclosure>',
])('an entry with %s has no player', async (enclosure) => {
  const { content } = await read(`<rss><channel>${item(enclosure)}</channel></rss>`, 'feed', 'application/rss+xml');
  expect(content).toContain('Rye');
  expect(content).not.toMatch(/<audio|<video/);
});

const PIXEL = /base64,([^"]+)/.exec(EVERYTHING)?.[1] ?? '';
const NOTEBOOK = {
  nbformat: 4,
  metadata: { language_info: { name: 'python' } },
  cells: [
    {
      cell_type: 'markdown',
      source: ['# Rye\n', '\n', 'Of $a_1$ and ![dot](attachment:dot.png)'],
      attachments: { 'dot.png': { 'image/png': PIXEL } },
    },
    {
      cell_type: 'code',
      source: 'def rye(): return 1 < 2',
      outputs: [
        { output_type: 'stream', text: ['1 %\r', '99 %\r\u001b[Kbaked\r\n', '\u001b[31mred\u001b[0m\n'] },
        {
          output_type: 'execute_result',
          data: {
            'text/html': '<table><tr><th>kg</th></tr><tr><td>2</td></tr></table><script>alert(1)</script>',
            'text/plain': 'kg 2',
          },
        },
        { output_type: 'display_data', data: { 'image/png': [PIXEL, '\n'], 'text/plain': 'A dot' } },
        { output_type: 'display_data', data: { 'text/latex': '$b_2$' } },
        { output_type: 'error', ename: 'ValueError', evalue: 'no <salt>', traceback: ['x'] },
      ],
    },
    { cell_type: 'raw', source: 'RAW' },
  ],
};

test('shows a notebook as an article with its outputs', async () => {
  const { title, content } = await read(JSON.stringify(NOTEBOOK), 'rye.ipynb', 'application/json');
  expect(title).toBe('Rye');
  expect(content.match(/<math/g)).toHaveLength(2);
  expect(content.match(/<img [^>]*src="data:image\/png;base64,iVBOR/g)).toHaveLength(2);
  expect(content).toContain('alt="A dot"');
  expect(content).toContain('<pre><code class="language-python"><span class="hljs-keyword">def</span>');
  expect(content).toContain('baked\nred');
  expect(content).toContain('<th>kg</th>');
  expect(content).toContain('ValueError: no &lt;salt&gt;');
  expect(content).not.toMatch(/script|RAW|kg 2|\[31m| %/);
});

test('shows a text that begins with many empty lines', async () => {
  expect((await read(`${'\n'.repeat(9)}Rye, water and salt`, 'rye.txt')).content).toBe(
    '<pre class="embed-text">Rye, water and salt</pre>',
  );
});

test('shows the description of a picture of a notebook that is too large', async () => {
  const data = { 'image/png': PIXEL + 'A'.repeat(100_000), 'text/plain': '<Figure size 640x480 with 1 Axes>' };
  const cell = { cell_type: 'code', source: 'plot()', outputs: [{ output_type: 'display_data', data }] };
  const { content } = await read(JSON.stringify({ nbformat: 4, cells: [cell] }), 'rye.ipynb', 'application/json');
  expect(content).toContain('&lt;Figure size 640x480 with 1 Axes&gt;');
});

test('shows a notebook of nbformat 3, and its authors', async () => {
  const notebook = {
    nbformat: 3,
    metadata: { authors: [{ name: 'Ada' }, { name: 'Bob' }] },
    worksheets: [
      {
        cells: [
          { cell_type: 'heading', level: 1, source: ['Rye'] },
          { cell_type: 'markdown', source: 'Of *grain*.' },
          {
            cell_type: 'code',
            language: 'python',
            input: ['1 + 1'],
            outputs: [
              { output_type: 'pyout', text: ['42'], prompt_number: 1 },
              { output_type: 'display_data', png: PIXEL },
              { output_type: 'stream', stream: 'stdout', text: 'baked' },
              { output_type: 'pyerr', ename: 'ValueError', evalue: 'no salt', traceback: [] },
            ],
          },
        ],
      },
    ],
  };
  const { title, byline, content } = await read(JSON.stringify(notebook), 'rye.ipynb', 'application/json');
  expect([title, byline]).toEqual(['Rye', 'Ada, Bob']);
  expect(content).toContain('Of <em>grain</em>.');
  expect(content).toMatch(/language-python.*42.*<img [^>]*src="data:image\/png.*baked.*ValueError: no salt/s);
});

test.each(['{"cells":[]}', '{"nbformat":4,"cells":{}}', '[1]', '{"nbformat":4,"cells":[null,{"cell_type":"code"},7]}'])(
  'shows %s under the name of a notebook as JSON',
  async (text) => {
    expect((await read(text, 'rye.ipynb', 'application/json')).content).toContain('<code class="language-json">');
  },
);

const calendar = (...events: readonly string[]) =>
  `BEGIN:VCALENDAR\r\nX-WR-CALNAME:The bakery\r\n${events.map((event) => `BEGIN:VEVENT\r\n${event}\r\nEND:VEVENT\r\n`).join('')}END:VCALENDAR\r\n`;

test('shows the events of a calendar in the order of their beginnings', async () => {
  const { title, content } = await read(
    calendar(
      'SUMMARY:Market\r\nDTSTART;VALUE=DATE:20260308\r\nDTEND;VALUE=DATE:20260310\r\nURL:https://baker.example/market\r\nRRULE:FREQ=YEARLY;COUNT=2',
      'SUMMARY:Rye\\, a\r\n  course\r\nDTSTART;TZID=Europe/Vienna:20260301T180000\r\nDTEND;TZID=Europe/Vienna:20260301T200000\r\nLOCATION:Main Street 1\r\nDESCRIPTION:Bring flour\\nand <b>salt</b>.\r\nBEGIN:VALARM\r\nDESCRIPTION:ALARM\r\nEND:VALARM',
      'SUMMARY:Talk\r\nDTSTART:20260302T080000Z\r\nSTATUS:CANCELLED',
    ),
    'events.ics',
    'text/calendar',
  );
  expect(title).toBe('The bakery');
  const text = content.replace(/\u202f/g, ' ').replace(/[\u2009]/g, ' ');
  expect(text.match(/<h3>.*?<\/h3>/g)).toEqual([
    '<h3>Rye, a course</h3>',
    '<h3><del>Talk</del></h3>',
    '<h3><a href="https://baker.example/market" target="_blank" rel="noopener noreferrer nofollow ugc">Market</a></h3>',
  ]);
  expect(text).toMatch(
    /<time [^>]*datetime="2026-03-01T18:00"[^>]*>Sunday, March 1, 2026 at 6:00 PM<\/time> – <time [^>]*>8:00 PM<\/time> Europe\/Vienna<br>Main Street 1<\/p><p>Bring flour and salt ?\.<\/p>/,
  );
  expect(text).toMatch(/datetime="2026-03-02T08:00:00.000Z"[^>]*>Monday, March 2, 2026.*8:00 AM<\/time> UTC/);
  expect(text).toMatch(
    /datetime="2026-03-08"[^>]*>Sunday, March 8, 2026<\/time> – <time [^>]*>Monday, March 9, 2026<\/time>, <span lang="en" class="frame-words">every year<\/span>/,
  );
  expect(text).not.toContain('ALARM');
});

test.each(['BEGIN:VCALENDAR\nEND:VCALENDAR', 'Rye BEGIN:VCALENDAR'])('shows %j as text', async (text) => {
  expect((await read(text, 'events.ics', 'text/calendar')).content).toContain('<pre class="embed-text">');
});

test.each([
  ['events', calendar(...Array.from({ length: 20_000 }, () => 'SUMMARY:Rye'))],
  ['components', `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\n'.repeat(100_000)}`],
  ['folded lines', calendar(`SUMMARY:${'x\r\n '.repeat(300_000)}`)],
  ['parameters', calendar(`SUMMARY${';a="b'.repeat(100_000)}:x`)],
])('the work on a calendar of many %s is bounded', async (_, text) => {
  const before = process.cpuUsage();
  await read(text, 'events.ics', 'text/calendar');
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(15_000);
});

const BLOB = 'https://github.com/ada/rye/blob/main/src/';

test.each([
  [`${BLOB}rye.py#L2-L3`, 'https://raw.githubusercontent.com/ada/rye/main/src/rye.py'],
  [
    'https://gitlab.com/bakers/ada/rye/-/blob/main/rye.py?ref_type=heads',
    'https://gitlab.com/bakers/ada/rye/-/raw/main/rye.py',
  ],
  ['https://bitbucket.org/ada/rye/src/0123abc/src/rye.py', 'https://bitbucket.org/ada/rye/raw/0123abc/src/rye.py'],
  ['https://codeberg.org/ada/rye/src/branch/main/rye.py', 'https://codeberg.org/ada/rye/raw/branch/main/rye.py'],
  [`${BLOB}README.md`, null],
  ['https://github.com/ada/rye/tree/main/src', null],
  ['https://github.com.evil.example/ada/rye/blob/main/rye.py', null],
  ['https://evil.example/https://github.com/ada/rye/blob/main/rye.py', null],
])('the bytes of %s are at %s', (page, raw) => expect(findRawFile(page)).toBe(raw));

test.each([
  [
    'DTSTART:20261202T080000Z\r\nDURATION:PT1H30M',
    '8:00 AM</time> – <time lang="en" datetime="2026-12-02T09:30:00.000Z"',
  ],
  ['DTSTART;VALUE=DATE:20261224\r\nDURATION:P3D', 'December 24, 2026</time> – <time lang="en" datetime="2026-12-26"'],
  ['DTSTART:20261202T080000Z\r\nRRULE:FREQ=WEEKLY;INTERVAL=1', 'every week'],
])('shows the end and the repetition of an event: %s', async (lines, expected) => {
  const { content } = await read(calendar(`SUMMARY:Rye\r\n${lines}`), 'days.ics', 'text/calendar');
  expect(content).toContain(expected);
});

test('does not show an event of every second week as one of every week', async () => {
  const rule = 'DTSTART:20261202T080000Z\r\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU';
  expect((await read(calendar(rule), 'days.ics', 'text/calendar')).content).not.toContain('every');
});

test('numbers the lines of a file on a code host, also within a token', async () => {
  const code = 'def rye():\n  """<b>\n  bread"""\n  return 1\n';
  const { title, site, content } = await read(code, 'rye.py', 'text/plain', BLOB);
  expect([title, site]).toEqual(['rye.py', 'github.com']);
  const lines = content.match(/<span id="s-L\d+" class="embed-line">/g);
  expect(lines).toHaveLength(4);
  expect(content).toContain(
    '<span id="s-L3" class="embed-line"><span class="hljs-string">  bread"""</span></span>\n<span id="s-L4"',
  );
  expect(content.replace(/<[^<>]*>/g, '')).toBe(code.trimEnd().replace('<b>', '&lt;b&gt;'));
  expect((await read(code, 'rye.py')).content).not.toContain('embed-line');
});

test.each([
  ['lines', 'x\n'.repeat(140_000)],
  ['open tokens', '`${'.repeat(4_000) + '\n'.repeat(9_000)],
])('the markup of a file of many %s is bounded', async (_, code) => {
  expect((await read(code, 'rye.js', 'text/plain', BLOB)).content.length).toBeLessThan(5_000_000);
});

test('shows a JSON list of records as a table, and other JSON as code', async () => {
  const list = '[{"a": "<b>", "b": 1.5, "c": null}, {"a": "x", "d": ["y"], "b": true}]';
  const { content } = await read(list, 'list.json', 'application/json');
  expect(content).toBe(
    '<div class="embed-table"><table><thead><tr><th>a</th><th>b</th><th>c</th><th>d</th></tr></thead><tbody>' +
      '<tr><td>&lt;b&gt;</td><td>1.5</td><td></td><td></td></tr><tr><td>x</td><td>true</td><td></td><td>y</td></tr>' +
      '</tbody></table></div>',
  );
  const nested = '[{"a": 1, "at": {"city": "Hull", "geo": {"lat": 53.7, "x": {}}}}, {"a": 2, "at": null, "tags": {}}]';
  expect((await read(nested, 'list.json', 'application/json')).content).toContain(
    '<tr><th>a</th><th>at.city</th><th>at.geo.lat</th><th>at.geo.x</th><th>at</th></tr></thead><tbody>' +
      '<tr><td>1</td><td>Hull</td><td>53.7</td><td>{}</td><td></td></tr>',
  );
  const tagged = '[{"a": 1, "tags": ["rye", null, 2]}, {"a": 2, "tags": []}]';
  expect((await read(tagged, 'list.json', 'application/json')).content).toContain(
    '<tr><td>1</td><td>rye, , 2</td></tr><tr><td>2</td><td></td></tr>',
  );
  for (const other of [
    `[{"a": 1, "b": [${'1,'.repeat(20)}1]}, {"a": 2, "b": [12345678901234567890]}]`,
    '[{"a": 1, "b": [12345678901234567890]}, {"a": 2, "b": [1]}]',
    '[{"a": 1, "b": 2}]',
    '[{"a": 1}, {"a": 2}]',
    '[{"a": 1, "b": 2}, 3]',
    '[{"a": {}, "b": []}, {"a": {}, "b": []}]',
    '[{"a.b": 1, "a": {"b": 2}}, {"c": 3}]',
    // a number that would lose digits
    '[{"a": 12345678901234567890, "b": 2}, {"a": 1, "b": 2}]',
    `[${`{${Array.from({ length: 51 }, (_, i) => `"m${i}": 1`).join()}},`.repeat(2)}{}]`,
  ]) {
    expect((await read(other, 'list.json', 'application/json')).content, other).toContain(
      '<code class="language-json">',
    );
  }
  const long = JSON.stringify(Array.from({ length: 600 }, (_, i) => ({ a: i, b: i })));
  const rows = (await read(long, 'list.json', 'application/json')).content;
  expect(rows.match(/<tr>/g)).toHaveLength(501);
  expect(rows).toContain('Open the original for the rest.');
  expect(rows).toContain('>Only the first 500 of 600 rows are shown, sorted and searched.<');
});

test.each(['\uFEFFsep=|\r\na|b,c\r\n1|2\r\n', '"sep=|"\na|b,c\n1|2\n'])('reads the separator of %j', async (text) => {
  const { content } = await read(text, 'list.csv', 'text/csv');
  expect(content).toContain('<tr><th>a</th><th>b,c</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody>');
  expect(content).not.toContain('sep=');
});

test('tells of how many rows of a table the first ones are shown', async () => {
  const rows = Array.from({ length: 1_200 }, (_, i) => `${i},"two\nlines ""${i}"""\n`);
  const noteOf = async (text: string) =>
    /Only the first[^<]*/.exec((await read(`a,b\n${text}`, 'list.csv', 'text/csv')).content)?.[0];
  expect(await noteOf(rows.join(''))).toBe('Only the first 500 of 1200 rows are shown, sorted and searched.');
  expect(await noteOf(rows.slice(0, 500).join(''))).toBeUndefined();
  // a row that is no longer shown, and never ends
  expect(await noteOf(`${rows.join('')}9,"x`)).toBe('Only the first 500 rows are shown, sorted and searched.');
});

test('reads names that objects of JavaScript have as members', async () => {
  expect((await read('oven = 1', 'bread.constructor')).content).not.toContain('language-');
  const event = 'BEGIN:VEVENT\nDTSTART:20261104T100000Z\nSUMMARY:Rye\nRRULE:FREQ=constructor\nEND:VEVENT';
  const calendar = `BEGIN:VCALENDAR\n${event}\nEND:VCALENDAR`;
  expect((await read(calendar, 'rye.ics', 'text/calendar')).content).not.toContain('native');
});

test.each([
  ['[{"a":"x\\ud83d","b":1},{"a":"y","b":2}]', 'bread.json', 'application/json'],
  [
    '{"version":"https://jsonfeed.org/version/1","title":"B\\ud83d","items":[{"id":"1","title":"R\\ud83d"}]}',
    'f',
    'application/feed+json',
  ],
  [
    '{"nbformat":4,"metadata":{"title":"B\\ud83d"},"cells":[{"cell_type":"markdown","source":"R\\ud83d"}]}',
    'b.ipynb',
    'application/json',
  ],
  ['a,b\nx\ud83d,1', 'bread.csv', 'text/csv'],
])('a file with half of a character is text that UTF-8 can write: %s', async (text, name, type) => {
  const article = await read(text, name, type);
  expect(article.content).not.toBe('');
  expect(JSON.stringify(article)).not.toContain('\\ud83d');
});

test.each([
  ['Mon, 06 Sep 2021', '2021-09-06T00:00:00.000Z'],
  ['2021-09-06 10:00:00', '2021-09-06T10:00:00.000Z'],
  ['2021-09-06T10:00:00', '2021-09-06T10:00:00.000Z'],
  ['Mon, 06 Sep 2021 10:00 PM', '2021-09-06T22:00:00.000Z'],
  ['Mon, 06 Sep 2021 10:00:00 EST', '2021-09-06T15:00:00.000Z'],
  ['2021-09-06T10:00:00+02:00', '2021-09-06T08:00:00.000Z'],
])('the date %s of an entry does not depend on the zone of the server', async (date, time) => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  const feed = `<rss><channel><title>B</title><item><title>Rye</title><pubDate>${date}</pubDate></item></channel></rss>`;
  const { content } = await read(feed, 'feed.xml', 'application/rss+xml');
  vi.unstubAllEnvs();
  expect(content).toContain(`datetime="${time}"`);
});
