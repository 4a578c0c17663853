import { createHash } from 'node:crypto';
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { ATTACKS } from '../../../packages/reader/test/fixtures/attacks.ts';
import { openApp } from '../../open-app.ts';
import { openSite } from '../../pages/site.ts';

type Element = DefaultTreeAdapterTypes.Element;

/** Texts that break out of text, attributes, elements, URLs, CSS, JSON and XML if they are not escaped. */
const PAYLOADS = [
  `</title></script></style></textarea><script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onfocus=alert(1) autofocus x='`,
  '` onload=alert(1) `',
  'javascript:alert(1)',
  ' java\tscript:alert(1)',
  'https://example.com/"onerror="alert(1)',
  "https://example.com/'><svg onload=alert(1)>",
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  '//evil.example/x" srcset="javascript:alert(1) 1x',
  '--><script>alert(1)</script><!--',
  '<!--><img src=x onerror=alert(1)>',
  ']]><script>alert(1)</script><![CDATA[',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '&amp;lt;img src=x onerror=alert(1)&amp;gt;',
  '}</style><style>*{background:url(//evil.example)}',
  '";}body{display:none}/*',
  '\u2028alert(1)\u2029',
  '\ufffe\uffff<svg/onload=alert(1)>',
  '\u202etxt.exe\u202c',
  'en" onclick="alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  "$&$`$'$1",
  '\r\nSet-Cookie: a=b\r\n\r\n<script>alert(1)</script>',
];

const attributeOf = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const textOf = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns a well-formed page with the payload in every text and attribute. */
function hostilePage(payload: string, content: string): string {
  const attribute = attributeOf(payload);
  const data = { '@type': 'Article', headline: payload, author: { name: payload }, publisher: payload, image: payload };
  const metas = ['og:title', 'og:site_name', 'og:description', 'og:image', 'twitter:image', 'author', 'og:locale'];
  return `<!doctype html><html lang="${attribute}" dir="${attribute}"><head><meta charset="utf-8">
    <title>${textOf(payload)}</title>${metas.map((name) => `<meta property="${name}" content="${attribute}">`).join('')}
    <script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script></head>
    <body><article><h1>${textOf(payload)}</h1>${content}</article></body></html>`;
}

/** Returns content with the payload in every allowed attribute, and once unescaped. */
function hostileContent(payload: string): string {
  const value = `"${attributeOf(payload)}"`;
  return `<p lang=${value} dir=${value} id=${value} class=${value} style=${value} title=${value}>${'A sentence of some length. '.repeat(60)}</p>
    <img src=${value} srcset=${value} sizes=${value} alt=${value} width=${value}><img src="/a.png" srcset="/b.png 1x, ${attributeOf(payload)} 2x">
    <picture><source srcset=${value} media=${value} type=${value}><img src="/c.png" alt=${value}></picture>
    <video src=${value} poster=${value}><source src=${value}></video><a href=${value} target=${value} rel=${value}>link</a>
    <table><tr><th scope=${value} colspan=${value}>${textOf(payload)}</th></tr></table><time datetime=${value}>now</time>
    <pre class="language-${attributeOf(payload)}"><code class=${value}>${textOf(payload)}</code></pre><p>${payload}</p>
    <p><math alttext=${value} display=${value}><mi mathvariant=${value} mathcolor=${value} href=${value}>${textOf(payload)}</mi>
    <mspace width=${value}/></math> and <script type="math/tex">\\text{${textOf(payload)}}</script></p>
    <svg viewBox="0 0 99 99" aria-label=${value} fill=${value}><style>${textOf(payload)}</style><rect width="9" style=${value}/>
    <use href=${value}/><image href=${value}/><text>${textOf(payload)}</text></svg><img src="data:image/svg+xml,${attributeOf(encodeURIComponent(`<svg><text>${payload}</text></svg>`))}" alt=${value}>
    <iframe src=${value} title=${value}></iframe><lite-youtube videoid=${value} playlabel=${value}></lite-youtube>
    <iframe src="https://www.youtube.com/embed/AAAAAAAAAAA?x=${attributeOf(payload)}" title=${value}></iframe>
    <iframe src="https://www.google.com/maps?output=embed&amp;q=${attributeOf(payload)}"></iframe><object data=${value}></object>`;
}

function elementsOf(root: DefaultTreeAdapterTypes.ParentNode): Element[] {
  return root.childNodes.flatMap((node) => ('tagName' in node ? [node, ...elementsOf(node)] : []));
}

/** Checks an SVG as if a browser showed it in the page, and not as an image in which nothing runs. */
function isSafeDrawing(url: string): boolean {
  const [, encoded] = /^data:image\/svg\+xml,(%3Csvg [^"<>]*)$/.exec(url) ?? [];
  const elements = elementsOf(parseFragment(decodeURIComponent(encoded ?? '')));
  const faults = faultsOf(
    elements.filter(({ tagName }) => tagName !== 'style'),
    '',
  );
  return elements.length > 0 && faults.every((fault) => fault.endsWith(' style'));
}

function faultsOf(elements: readonly Element[], policy: string): string[] {
  return elements.flatMap((element) => {
    const { tagName, attrs, childNodes } = element;
    const faults: string[] = [];
    const isMeta = tagName === 'meta' && attrs.some(({ name }) => name === 'http-equiv');
    if (/^(iframe|object|embed|form|base|frame|applet|template)$/.test(tagName) || isMeta) faults.push(tagName);
    const isWords = tagName === 'script' && attrs.some(({ name, value }) => name === 'id' && value === 'words');
    if (isWords) {
      // data is no code, and says nothing of the source page: its words are those of every page
      const [{ value: type } = { value: '' }] = attrs;
      const data = childNodes.map((node) => ('value' in node ? node.value : '')).join('');
      if (type !== 'application/json' || data.includes('<') || !Object.hasOwn(JSON.parse(data), 'en'))
        faults.push(data);
    } else if (tagName === 'script' || tagName === 'style') {
      const code = childNodes.map((node) => ('value' in node ? node.value : '')).join('');
      const hash = createHash('sha256').update(code).digest('base64');
      if (!policy.includes(`'sha256-${hash}'`)) faults.push(`${tagName}: ${code.slice(0, 80)}`);
    }
    for (const { name, value } of attrs) {
      const isUrl = /^(href|src|poster|action|formaction|data|data-frame|xlink:href|ping|background)$/.test(name);
      const isWeb =
        /^(https?:\/\/|#|mailto:|tel:)/.test(value) ||
        (tagName === 'link' && value.startsWith('data:image/')) ||
        (tagName === 'img' && isSafeDrawing(value));
      const isSrcset =
        name === 'srcset' && !value.split(/,\s+/).every((one) => /^https?:\/\/\S+( [\d.]+[wx])?$/.test(one));
      if (/^on|^style$|^srcdoc$|^is$|^name$/.test(name) && tagName !== 'meta' && tagName !== 'input')
        faults.push(`${tagName} ${name}`);
      if ((isUrl && !isWeb) || isSrcset) faults.push(`${tagName} ${name}=${value}`);
    }
    return faults;
  });
}

/** Files of other kinds with the payload in every place, by their media type. */
function hostileFiles(payload: string): readonly (readonly [string, string])[] {
  const value = attributeOf(payload);
  const title = `<title>${textOf(payload)}</title>`;
  const json = JSON.stringify(payload);
  return [
    ['text/plain', payload],
    [
      'text/markdown',
      `---\ntitle: ${payload}\nauthor: ${payload}\ndate: ${payload}\n---\n# ${payload}\n\n$${payload}$ and $$${payload}$$[^${payload}] [^1]\n\n[^1]: ${payload}\n[^${payload}]: ${payload}\n\n${payload}\n\n[${payload}](${payload}) ![${payload}](${payload} "${payload}")\n\n<${payload}>\n\n| ${payload} |\n|---|\n| ${payload} |\n\n\`\`\`${payload}\n${payload}\n\`\`\`\n${ATTACKS.join('\n')}`,
    ],
    ['text/csv', `${payload},b\n${payload},"${payload.replaceAll('"', '""')}"`],
    ['application/json', `{${json}:${json}}`],
    [
      'application/rss+xml',
      `<rss><channel>${title}<language>${textOf(payload)}</language><item>${title}<link>${textOf(payload)}</link><pubDate>${textOf(payload)}</pubDate><description>${textOf(payload)}</description><enclosure type="audio/mpeg" url="${value}"/></item><item><title><![CDATA[${payload}]]></title></item></channel></rss>`,
    ],
    [
      'application/atom+xml',
      `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${value}">${title}<entry>${title}<link href="${value}"/></entry></feed>`,
    ],
    [
      'application/feed+json',
      `{"version":"https://jsonfeed.org/version/1","title":${json},"language":${json},"items":[{"url":${json},"title":${json},"content_html":${json},"date_published":${json}}]}`,
    ],
    ['application/pdf', `%PDF-1.4\n<dc:title><rdf:Alt><rdf:li>${textOf(payload)}</rdf:li></rdf:Alt></dc:title>`],
    [
      'application/pdf',
      `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<<>>stream\nBT /F 9 Tf <${Buffer.from(payload, 'latin1').toString('hex')}> Tj ET\nendstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
6 0 obj<</Title<${Buffer.from(payload, 'latin1').toString('hex')}>/Author<${Buffer.from(payload, 'latin1').toString('hex')}>>>endobj
trailer<</Root 1 0 R/Info 6 0 R>>`,
    ],
    [
      'application/x-ipynb+json',
      `{"nbformat":4,"metadata":{"title":${json},"language_info":{"name":${json}}},"cells":[{"cell_type":"markdown","source":${json},"attachments":{${json}:{"image/png":${json}}}},{"cell_type":"code","source":${json},"outputs":[{"output_type":"stream","text":${json}},{"output_type":"error","ename":${json}},{"data":{"text/html":${json}}},{"data":{"image/png":${json},"text/plain":${json}}},{"data":{"text/latex":${json}}},{"data":{"text/markdown":${json}}}]}]}`,
    ],
    [
      'text/calendar',
      `BEGIN:VCALENDAR\nX-WR-CALNAME:${payload}\nBEGIN:VEVENT\nSUMMARY:${payload}\nURL:${payload}\nLOCATION:${payload}\nDESCRIPTION:${payload}\nDTSTART;TZID="${payload}":20260301T100000\nEND:VEVENT\nEND:VCALENDAR`,
    ],
    ['image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg">${payload}</svg>`],
    ['video/mp4', payload],
  ];
}

test('no file of any kind with any payload becomes code in the embed', { timeout: 300_000 }, async () => {
  let body = '';
  let type = '';
  const site = await openSite((_request, response) => void response.writeHead(200, { 'content-type': type }).end(body));
  const { as, app, logged } = await openApp({ allowPrivatePages: true });
  const ada = await as('ada');
  for (const [i, payload] of [...PAYLOADS, PAYLOADS.join('\n')].entries()) {
    for (const [mediaType, content] of hostileFiles(payload)) {
      [type, body] = [mediaType, content];
      const name = `${i}-${mediaType.replace('/', '-')}?q=${encodeURIComponent(payload).slice(0, 1_000)}`;
      const { embed_url } = await ada.create({ page_url: `${site.origin}/${name}` });
      const response = await app.fetch(new Request(embed_url));
      const policy = response.headers.get('content-security-policy') ?? '';
      const faults = faultsOf(elementsOf(parse(await response.text())), policy);
      expect([mediaType, payload, faults]).toEqual([mediaType, payload, []]);
    }
  }
  expect(logged.filter((line) => 'err' in line)).toEqual([]);
});

test('no text of any article or card becomes code in the embed, its oEmbed responses or its snippet', async () => {
  let html = '';
  const site = await openSite(
    (_request, response) => void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
  );
  const { as, app, logged } = await openApp({ allowPrivatePages: true });
  const ada = await as('ada');
  let articles = 0;
  for (const [i, payload] of PAYLOADS.entries()) {
    for (const content of ['<p>Short.</p>', hostileContent(payload)]) {
      html = hostilePage(payload, content);
      const pageUrl = `${site.origin}/${i}-${content.length}?q=${encodeURIComponent(payload)}`;
      const input = { pageUrl, mode: 'USER_DEFINED', font: 'Source Serif 4' };
      const { data } = await ada.graphql(
        'mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { html embedUrl } } }',
        { input },
      );
      const embed = data.createEmbed.embed as { html: string; embedUrl: string };
      const response = await app.fetch(new Request(embed.embedUrl));
      expect(response.status).toBe(200);
      const elements = elementsOf(parse(await response.text()));
      const policy = response.headers.get('content-security-policy') ?? '';
      expect([payload, faultsOf(elements, policy)]).toEqual([payload, []]);
      expect(policy).not.toMatch(/evil|alert|unsafe/);
      const frames = elements.flatMap(({ attrs }) => attrs.filter(({ name }) => name === 'data-frame'));
      const allowed = policy
        .split('; ')
        .find((directive) => directive.startsWith('frame-src '))
        ?.split(' ')
        .slice(1);
      expect([...new Set(frames.map(({ value }) => new URL(value).origin))].sort()).toEqual(allowed?.sort() ?? []);
      articles += elements.filter(({ tagName }) => tagName === 'article').length;
      const [frame, script, ...others] = elementsOf(parseFragment(embed.html));
      expect([frame?.tagName, script?.tagName, others]).toEqual(['iframe', 'script', []]);
      expect(frame?.attrs.find(({ name }) => name === 'src')?.value).toBe(embed.embedUrl);
      for (const format of ['json', 'xml']) {
        const query = new URLSearchParams({ url: embed.embedUrl, format });
        const answer = await app.fetch(new Request(`http://localhost:4000/oembed?${query}`));
        const text = await answer.text();
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        if (format === 'json') {
          const [only, ...rest] = elementsOf(parseFragment((JSON.parse(text) as { html: string }).html));
          expect([only?.tagName, rest]).toEqual(['iframe', []]);
        } else {
          expect(
            text.replace(
              /<\/?(oembed|version|type|title|(author|provider)_name|provider_url|cache_age|thumbnail_\w+|html|width|height)>/g,
              '',
            ),
          ).not.toMatch(/<(?!\?xml )/);
        }
      }
    }
  }
  expect(articles).toBeGreaterThan(PAYLOADS.length / 2);
  expect(logged.filter((line) => 'err' in line)).toEqual([]);
});
