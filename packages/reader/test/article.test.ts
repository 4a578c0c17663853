import { describe, expect, it } from 'vitest';
import { readArticle } from '../src/article/article.ts';
import { sanitise } from '../src/article/sanitise.ts';
import type { RobotsMode } from '../src/robots.ts';
import { ATTACKS } from './fixtures/attacks.ts';
import { faultsOf, roundTrip } from './fixtures/safety.ts';

const URL_OF_PAGE = 'https://www.baker.example/blog/bread';
const PROSE =
  'Bread wants flour, water, salt and time, and this paragraph tells at some length why each of them matters: the ' +
  'flour for the crumb, the water for the crust, the salt for the taste, and the time for everything else. ';
const TEXT = `<p>${PROSE.repeat(2)}</p>`;

function read(html: string, { url = URL_OF_PAGE, robots = null as string | null } = {}) {
  return readArticle(html, { url, robots }).article;
}

/** Returns a page with the markup inside an article. */
function pageWith(markup: string, head = '<title>Bread</title>'): string {
  const nav = '<nav><a href="/">Home</a></nav>';
  return `<!doctype html><html><head>${head}</head><body>${nav}<main><article>${TEXT}${markup}${TEXT}</article></main></body></html>`;
}

function contentOf(markup: string, head?: string): string {
  const { content } = read(pageWith(markup, head));
  if (content === null) throw new Error('The page has no article');
  return content;
}

describe('the article of a page', () => {
  it('is its text without the navigation around it', () => {
    const { content } = read(
      `<title>Bread</title><nav>Menu</nav><main><article><h2>Method</h2>${TEXT}</article></main>
      <aside class="sidebar">Buy now</aside><footer>Imprint</footer>`,
    );
    expect(content).toContain('<h2>Method</h2>');
    expect(content).toContain('the salt for the taste');
    for (const other of ['Menu', 'Buy now', 'Imprint']) expect(content).not.toContain(other);
  });

  it('does not repeat the title', () => {
    const { title, content } = read(
      `<title>Bread at home</title><article><h1>Bread at  home</h1>${TEXT}<h1>Method</h1>${TEXT}</article>`,
    );
    expect(title).toBe('Bread at home');
    expect(content).not.toContain('Bread at');
    expect(content).toContain('<h2>Method</h2>');
    expect(content).not.toContain('<h1');
  });

  it('keeps lists, quotes, definitions and inline elements', () => {
    const markup = `<ul><li>one<li>two</ul><ol start="3"><li>three</ol><dl><dt>Term<dd>Sense</dl>
      <blockquote><p>Said <em>well</em></p></blockquote><p>H<sub>2</sub>O <kbd>Ctrl</kbd> <mark>note</mark> and more text</p>`;
    const content = contentOf(markup);
    for (const kept of [
      '<li>one</li>',
      '<ol start="3">',
      '<dt>Term</dt>',
      '<blockquote>',
      '<em>well</em>',
      '<sub>2</sub>',
    ]) {
      expect(content).toContain(kept);
    }
  });

  it('keeps the whitespace and the language of code', () => {
    const content = contentOf(
      '<pre class="hl"><code class="hljs language-TypeScript x">if (a &lt; b) {\n    run();\n}</code></pre>',
    );
    expect(content.replace(/<\/?span[^>]*>/g, '')).toContain(
      '<pre><code class="language-typescript">if (a &lt; b) {\n    run();\n}</code></pre>',
    );
  });

  it('wraps tables so that they can scroll, and keeps the spans of their cells', () => {
    const content = contentOf(
      `<table class="embed-table"><caption>Prices</caption><tr><th scope="col">A<th scope="evil">B
      <tr><td colspan="2" style="color:red">1<table><tr><td>in<td>side</table></table>`,
    );
    expect(content.match(/<div class="embed-table"><table>/g)).toHaveLength(1);
    expect(content).toContain('<caption>Prices</caption>');
    expect(content).toContain('<th scope="col">A');
    expect(content).toContain('<td colspan="2">1');
    expect(content).not.toContain('evil');
    expect(content.match(/embed-table/g)).toHaveLength(1);
  });

  it('keeps video and audio with a web URL, without autoplay', () => {
    const content = contentOf(
      '<video src="/a.mp4" autoplay onplay="x()"></video><video src="blob:https://a/b">old</video>',
    );
    expect(content).toContain('<video src="https://www.baker.example/a.mp4" controls="" preload="none">');
    expect(content.match(/<video/g)).toHaveLength(1);
  });

  it('keeps its direction if it is right to left', () => {
    const prose =
      '<p>الخبز يحتاج إلى الطحين والماء والملح والوقت، وهذه الفقرة تشرح لماذا يهم كل واحد منها في الخبز. </p>';
    const article = read(
      `<html lang="ar"><title>خبز</title><article>${prose.repeat(6)}<p dir="ltr">flour</p></article>`,
    );
    expect(article).toMatchObject({ title: 'خبز', language: 'ar', direction: 'rtl' });
    expect(article.content).toContain('<p dir="ltr">flour</p>');
  });

  it('keeps the languages of passages that browsers know', () => {
    const tags = ['fr-CA', 'zh-Hant', 'zh-cmn-Hans', 'no-bok', 'fr_CA'];
    const content = contentOf(tags.map((tag) => `<p lang="${tag}">Bread.</p>`).join(''));
    expect(content?.match(/(?<=lang=")[^"]*/g)).toEqual(['fr-CA', 'zh-Hant']);
  });

  it('is found in broken markup', () => {
    const article = read(
      `<p>${PROSE}<b>bold<p>${PROSE}<i>fine</b> ok</i><table><tr><td>cell</div></span><li>item<p>${PROSE}`,
    );
    expect(article.content?.match(/the salt for the taste/g)).toHaveLength(3);
    expect(article.content).toContain('item');
  });
});

describe('the links of an article', () => {
  it('are absolute against the base of the page, without endorsement', () => {
    const content = contentOf(
      '<p>See <a href="flour?a=1&amp;b=2" class="x">flour</a></p>',
      '<base href="/base/"><title>x</title>',
    );
    expect(content).toContain(
      '<a href="https://www.baker.example/base/flour?a=1&amp;b=2" target="_blank" rel="noopener noreferrer nofollow ugc">flour</a>',
    );
  });

  it('ignore a base that is not on the web', () => {
    const content = contentOf(
      '<p>See <a href="flour">flour</a></p>',
      '<base href="javascript:alert(1)/"><title>x</title>',
    );
    expect(content).toContain('<a href="https://www.baker.example/blog/flour"');
  });

  it('may have the schemes mailto and tel, and no others besides http and https', () => {
    const schemes = [
      'mailto:ada@x.example',
      'tel:+1234',
      'ftp://x.example/',
      'data:text/html,x',
      'intent://x',
      'file:///etc',
    ];
    const content = contentOf(schemes.map((href) => `<p>A line with <a href="${href}">a link</a> in it</p>`).join(''));
    const found = [...content.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(found).toEqual(['mailto:ada@x.example', 'tel:+1234']);
  });

  it('stay in the article if they point to an id in it', () => {
    const content = contentOf(
      `<h2 id="salt &amp; co">Salt</h2><h2 id="größe">Size</h2><p>To <a href="#gr%C3%B6%C3%9Fe">size</a>, <a href="#salt%20&amp;%20co">salt</a>,
      <a href="${URL_OF_PAGE}#größe">also</a>, <a href="#gone">gone</a></p>`,
    );
    expect(content).toContain('id="s-größe"');
    expect(content.match(/<a href="#s-gr%C3%B6%C3%9Fe">/g)).toHaveLength(2);
    expect(content).toContain(`<a href="${URL_OF_PAGE}#gone" target="_blank"`);
    expect(content).toContain('<a href="#s-salt%20%26%20co">salt</a>');
  });
});

describe('the images of an article', () => {
  it('have absolute sources, load lazily and send no referrer', () => {
    const content = contentOf(
      '<figure><img src="a.jpg" srcset="a.jpg 1x,b,c.jpg 2x, /d.jpg 3x" width="600px" height="1e9" onerror="x()"><figcaption>Loaf</figcaption></figure>',
    );
    expect(content).toContain('src="https://www.baker.example/blog/a.jpg"');
    expect(content).toContain(
      'srcset="https://www.baker.example/blog/a.jpg 1x, https://www.baker.example/blog/b,c.jpg 2x, https://www.baker.example/d.jpg 3x"',
    );
    expect(content).toContain('width="600"');
    expect(content).not.toContain('height=');
    expect(content).toContain('alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer"');
    expect(content).toContain('<figcaption>Loaf</figcaption>');
  });

  it('have the sources that lazy-loading scripts would set', () => {
    const content = contentOf(`
      <figure><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/one.jpg" data-srcset="/one-2.jpg 2x"></figure>
      <figure><img class="lazy" alt="old"><noscript><img src="/two.jpg" alt="Two"></noscript></figure>
      <figure><img data-original="/three.jpg"><noscript><img src="/three-small.jpg"></noscript></figure>
      <div><noscript><img src="/four.jpg"></noscript></div>
      <picture><source data-srcset="/five.webp 800w" type="image/webp" sizes="50vw"><img src="/five.jpg"></picture>`);
    const sources = [...content.matchAll(/ src="https:\/\/www\.baker\.example\/([^"]*)"/g)].map(([, path]) => path);
    expect(sources).toEqual(['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg', 'five.jpg']);
    expect(content).toContain('srcset="https://www.baker.example/one-2.jpg 2x"');
    expect(content).toContain(
      '<source srcset="https://www.baker.example/five.webp 800w" sizes="50vw" type="image/webp">',
    );
    expect(content).not.toContain('data:');
  });

  it('are left out if they are tracking pixels or have no source', () => {
    const content = contentOf(
      '<p>Line <img src="/t.gif" width="1" height="1"><img src="/z.gif" width=0><img alt="none"> end</p>',
    );
    expect(content).not.toContain('<img');
  });

  it.each([
    'width="0" height="0" sizes="100vw" style="width:100%;height:auto"',
    'width=0 height=0 sizes="(max-width: 600px) 100vw, 50vw"',
    'width="0" height="0" style="height: auto; width: 50%"',
    'height="0" width="600" style="max-width: 100%"',
  ])('are kept if only their attributes are zero: %s', (attributes) => {
    const content = contentOf(`<p>Line</p><p><img src="/loaf.jpg" alt="Loaf" ${attributes}></p>`);
    expect(content).toMatch(/<img [^>]*src="[^"]*\/loaf\.jpg"/);
    expect(content).not.toMatch(/(?:width|height)="0"/);
  });

  it('are left out if they are tracking pixels with sizes of one pixel', () => {
    const sizes = 'sizes="1px" style="width:100%"';
    expect(contentOf(`<p>Line</p><p><img src="/t.gif" width="1" height="1" ${sizes}></p>`)).not.toContain('<img');
  });
});

describe('the metadata of a page', () => {
  it('comes from its meta elements', () => {
    const head = `<title>Loaf | The Baker</title><meta property="og:title" content="  Bread &amp;\n time "><meta property="og:site_name"
      content="The Baker"><meta name="description" content="How"><meta name="author" content="Ada"><meta property="og:image" content="/og.jpg">`;
    expect(read(pageWith('', head).replace('<html', '<html lang="en_us" dir="LTR"'))).toMatchObject({
      title: 'Bread & time',
      site: 'The Baker',
      byline: 'Ada',
      description: 'How',
      image: 'https://www.baker.example/og.jpg',
      language: 'en-US',
      direction: 'ltr',
    });
  });

  it('falls back to structured data', () => {
    const data = {
      '@graph': [
        { '@type': 'WebSite', name: 'No' },
        {
          '@type': ['NewsArticle'],
          headline: 'Bread news',
          description: 'Short',
          author: [{ name: 'Ada' }, { name: 'Bob' }],
          publisher: { name: 'The Baker' },
          image: [{ url: '/ld.jpg' }],
        },
      ],
    };
    const head = `<script type="application/ld+json">{broken</script><script type="application/ld+json">${JSON.stringify(data)}</script>`;
    expect(read(pageWith('', head))).toMatchObject({
      title: 'Bread news',
      site: 'The Baker',
      byline: 'Ada, Bob',
      description: 'Short',
      image: 'https://www.baker.example/ld.jpg',
    });
  });

  it('is cut to one well-formed line without control characters', () => {
    const long = `a\u0000\u202e\ud800 \n${'b'.repeat(3_000)}`;
    const head = ['og:title', 'og:site_name', 'og:description', 'author'].map(
      (n) => `<meta name="${n}" content="${long}">`,
    );
    const { title, site, description, byline } = read(head.join(''));
    expect([title, site, description, byline].map((text) => text?.length)).toEqual([200, 100, 500, 120]);
    for (const text of [title, site, description, byline]) {
      expect(text).toMatch(/^a[\ufffd ]+b+…?$/);
      expect(text?.isWellFormed()).toBe(true);
    }
  });

  it('always has a title', () => {
    expect(read('<title>Loaf - The Baker</title><meta property="og:site_name" content="The Baker">').title).toBe(
      'Loaf',
    );
    expect(read('<svg><title>Icon</title></svg><h1><img></h1><h1>Heading</h1>').title).toBe('Heading');
    expect(read('').title).toBe('bread');
    expect(read('', { url: 'https://www.baker.example/' })).toMatchObject({
      title: 'www.baker.example',
      site: 'baker.example',
    });
  });

  it('has no invalid language, and no image without a web URL', () => {
    const article = read(
      '<html lang="!!"><meta property="og:locale" content="he_IL"><meta property="og:image" content="data:image/png,x">',
    );
    expect(article).toMatchObject({ language: 'he-IL', direction: 'rtl', image: null });
    expect(read('<html lang="zh-cmn-Hans">').language).toBe('zh-Hans');
    expect(read('<html lang="en-USA">').language).toBeNull();
    expect(read('<html lang="x y"><body dir="sideways">')).toMatchObject({ language: null, direction: 'ltr' });
  });

  it('has the direction of its language by default', () => {
    const directions = { ar: 'rtl', 'he-IL': 'rtl', 'pa-Arab': 'rtl', yi: 'rtl', 'ar-Latn': 'ltr', de: 'ltr' };
    for (const [language, direction] of Object.entries(directions)) {
      expect(read(`<html lang="${language}">`).direction, language).toBe(direction);
      expect(read(`<html lang="${language}" dir="rtl">`).direction, language).toBe('rtl');
    }
  });

  it('has the title of the head', () => {
    expect(read('<title>Loaf</title><meta property="og:title" content=" Bread\n">').headTitle).toBe('Bread');
    expect(read('<head><title>Loaf</title></head><body><title>Other</title>').headTitle).toBe('Loaf');
    expect(read(`<title>${'x'.repeat(900)}`).headTitle).toHaveLength(200);
    expect(read(`<title>${'Bread of Rye '.repeat(40)}`).title).toMatch(/^(?:Bread of Rye ?)+…$/);
    expect(read('<p>none').headTitle).toBeNull();
  });
});

describe('a card instead of an article', () => {
  it.each([
    ['an empty page', ''],
    ['a page without markup', 'not found'],
    [
      'a login page',
      `<title>Sign in</title><main><h1>Sign in</h1>${TEXT}<form><input name=u><input type="Password"></form></main>`,
    ],
    [
      'an app shell',
      `<title>App</title><div id="root"></div><noscript><p>You need to enable JavaScript to run this app.</p></noscript><script>let a = "${PROSE}"</script>`,
    ],
    ['an error page', `<title>404 Not Found</title><main><h1>Not found</h1>${TEXT}</main>`],
    ['a list of links', `<title>News</title><main>${`<p><a href="/x">${PROSE}</a></p>`.repeat(30)}</main>`],
  ])('is the result for %s', (_, html) => {
    expect(read(html).content).toBeNull();
  });

  it.each(['noarchive', 'index, NOARCHIVE', 'none', 'nosnippet', 'max-snippet:0'])(
    'is the result for a page with the robots directive %s',
    (directive) => {
      expect(read(pageWith('', `<title>x</title><meta name="Robots" content="${directive}">`)).content).toBeNull();
      expect(read(pageWith(''), { robots: directive }).content).toBeNull();
    },
  );

  it.each([
    ['embedgateway: noarchive', true],
    ['EmbedGateway: index, max-snippet:0', true],
    ['otherbot: none, embedgateway: noarchive', true],
    ['unavailable_after: Wed, 25 Jun 2030 15:00:00 GMT, noarchive', false],
    ['noarchive', false],
    ['embedgateway: index\nnoarchive', false],
  ])('counts for a page with "%s" in mode respect, and in mode named: %s', (robots, isNamed) => {
    const contentIn = (robotsMode: RobotsMode) => {
      return readArticle(pageWith(''), { url: URL_OF_PAGE, robots, robotsMode }).article.content;
    };
    expect(contentIn('respect')).toBeNull();
    expect(contentIn('named') === null).toBe(isNamed);
  });

  it('counts for a meta element that names this service in both modes, and never for one that names another', () => {
    const head = (name: string) => `<title>x</title><meta name="${name}" content="index, noarchive">`;
    for (const robotsMode of ['respect', 'named'] as const) {
      const stateOf = (name: string) =>
        readArticle(pageWith('', head(name)), { url: URL_OF_PAGE, robots: null, robotsMode }).status.state;
      expect([stateOf('EmbedGateway'), stateOf('googlebot')]).toEqual(['NOT_ALLOWED', 'SHOWN']);
    }
  });

  it('has no description if a directive forbids snippets', () => {
    const page = pageWith('', '<title>Bread</title><meta name="description" content="All about bread.">');
    const descriptionWith = (robots: string, robotsMode: RobotsMode = 'respect') =>
      readArticle(page, { url: URL_OF_PAGE, robots, robotsMode }).article.description;
    for (const robots of ['nosnippet', 'noarchive, max-snippet: 0', 'embedgateway: nosnippet']) {
      expect(descriptionWith(robots), robots).toBeNull();
    }
    for (const robots of ['noarchive', 'none', 'googlebot: nosnippet', 'max-snippet:50']) {
      expect(descriptionWith(robots), robots).toBe('All about bread.');
    }
    expect(descriptionWith('nosnippet', 'named')).toBe('All about bread.');
  });

  it('is not the result for other directives, or directives for other robots', () => {
    for (const robots of [
      'noindex, nofollow',
      'otherbot: noarchive, none',
      'googlebot: noarchive',
      'max-image-preview:none',
      'unavailable_after: 25 Jun 2030 15:00:00 PST',
      '',
    ]) {
      expect(read(pageWith(''), { robots }).content, robots).not.toBeNull();
    }
    expect(read(pageWith(''), { robots: 'otherbot: noarchive\nnoarchive' }).content).toBeNull();
  });

  it.each([
    ['a short post', `<title>Short</title><article>${TEXT}</article>`],
    ['a page of definitions', `<title>Terms</title><main><dl>${`<dt>Term<dd>${PROSE}`.repeat(5)}</dl></main>`],
    ['a page of list items', `<title>List</title><div id="content"><ul>${`<li>${PROSE}`.repeat(6)}</ul></div>`],
    [
      'a page made of a table',
      `<title>Layout</title><form><table><tr><td>${PROSE.repeat(3)}<br><br>${PROSE.repeat(3)}</table></form>`,
    ],
    [
      'a post in Japanese',
      `<title>パン</title><article><p>${'小麦粉と水と塩と時間がパンを作ります。'.repeat(8)}</p></article>`,
    ],
    ['an article about errors', `<title>404 pages explained</title><article>${TEXT.repeat(5)}</article>`],
  ])('is not the result for %s', (_, html) => {
    expect(read(html).content).not.toBeNull();
  });
});

describe('the safety of an article', () => {
  it.each(ATTACKS)('withstands %s in a page', (attack) => {
    for (const [i, html] of [
      pageWith(attack),
      pageWith(`<p>Line ${attack} of text, and more</p>`),
      pageWith(attack).replaceAll('<main>', `<main>${attack}`),
    ].entries()) {
      const content = read(html).content ?? '';
      // an empty article would be safe too, so the text must survive
      if (i === 0) expect(content).toContain('the salt for the taste');
      expect(faultsOf(content)).toEqual([]);
      expect(roundTrip(content)).toBe(content);
    }
  });

  it.each(ATTACKS)('withstands %s passed to the sanitiser directly', (attack) => {
    const context = { url: URL_OF_PAGE, ids: new Set<string>() };
    for (const html of [attack, `<table><tr>${attack}</table>`, `<p title='${attack}'>${attack}${attack}`]) {
      // the place of a formula, player or picture, which the extraction fills
      expect(faultsOf(sanitise(html, context)).filter((fault) => fault !== 'span[data-embed-part]')).toEqual([]);
    }
  });

  it('is tested by a check that detects faults', () => {
    const bad = [
      '<script></script>',
      '<p onclick=x>',
      '<a href="javascript:x">',
      '<svg></svg>',
      '<!--x-->',
      '<p id=x>',
      '<img srcset="data:x 1x">',
      '</article><p>',
      '<h1>x</h1>',
      '<div class=x>',
      '<math href=x></math>',
      '<math><annotation-xml></annotation-xml></math>',
      '<math><mi><img></mi></math>',
      '<a data-frame="https://x.example/">',
      '<img src="data:image/svg+xml,<svg onload=x>">',
      `<img src="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')}">`,
    ];
    for (const fragment of bad) expect(faultsOf(fragment), fragment).not.toEqual([]);
  });

  it('allows only web URLs in metadata', () => {
    for (const evil of [
      'javascript:alert(1)',
      'data:image/png,x',
      'https://a:b@x.example/',
      'http://[',
      `https://x.example/${'a'.repeat(3_000)}`,
    ]) {
      const metas = ['og:image', 'twitter:image'].map((name) => `<meta property="${name}" content="${evil}">`).join('');
      expect(read(metas).image, evil).toBeNull();
    }
  });
});

describe('the work on a hostile page', () => {
  it.each([
    ['deep nesting', '<div>'.repeat(100_000) + PROSE],
    ['deep nesting with wrong ends', '<x>'.repeat(400_000) + '</b>'.repeat(600_000)],
    ['half a million elements', `<p>${'<i></i>'.repeat(700_000)}`],
    ['a long attribute', `<img srcset="${'a '.repeat(2_000_000)}" alt="${'a'.repeat(1_000_000)}">`],
    ['only openings of comments', '<!--'.repeat(1_000_000)],
    ['nested structured data', `<script type="application/ld+json">${'[{"@graph":'.repeat(20_000)}`],
    ['a wide srcset', `<img srcset="${',,a 1x'.repeat(600_000)}">`],
  ])('is limited for %s', (_, body) => {
    // processor time does not depend on the load of the machine
    const before = process.cpuUsage();
    const article = read(`<title>Bread</title>${body}`);
    expect(article.title).toBe('Bread');
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(30_000);
  });

  it.each([
    ['escaped text', (times: number) => `<p>${'a &&&&, '.repeat(80)}</p>`.repeat(times * 10)],
    [
      'references with a long base',
      (times: number) => `<base href="/${'b'.repeat(1_900)}/">${`<p>${PROSE}<img src="a"></p>`.repeat(times * 10)}`,
    ],
  ])('ends with a card if %s makes the article far longer than its page', (_, markup) => {
    expect(read(`<title>x</title><article>${markup(10)}</article>`).content?.length).toBeLessThan(1024 * 1024);
    expect(read(`<title>x</title><article>${markup(120)}</article>`).content).toBeNull();
  });

  it('ends with a card if the nesting exceeds the limit, and with an article if not', () => {
    expect(read(`<title>x</title>${'<div>'.repeat(100_000)}${PROSE.repeat(5)}`).content).toBeNull();
    expect(read(`<title>x</title>${'<div>'.repeat(300)}${TEXT.repeat(3)}`).content).toContain('the salt for the taste');
  });
});
