import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type DefaultTreeAdapterTypes, html as htmlNames, parse } from 'parse5';
import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';
import type { Article } from '../../reader/src/article.ts';
import { html, Markup } from '../../reader/src/html.ts';
import { FRAME_PATHS } from '../src/frame-paths.ts';
import * as clientCode from '../src/render/client-code.ts';
import { renderReaderError } from '../src/render/error-page.ts';
import { renderFrame } from '../src/render/frame.ts';
import { type ColourMode, renderSnippet } from '../src/snippet.ts';
import { ARABIC, sampleArticle, sampleView } from './samples.ts';

type Element = DefaultTreeAdapterTypes.Element;

const { EMBED_SCRIPT, readerScript } = clientCode;
const SERVED_SCRIPTS = Object.values(clientCode).flatMap((code) =>
  typeof code === 'string' ? [code] : 'text' in code ? [code.text] : [],
);
const HOSTILE = `</title></script><script>alert(1)</script>"'><img src=x onerror=alert(1)>&amp;`;
const OPEN_SANS = { family: 'Open Sans', cssUrl: 'https://fonts.bunny.net/css2?family=Open+Sans&display=swap' };

const SCHEMES = { LIGHT: 'light', DARK: 'dark', AUTO: 'light dark', USER_DEFINED: 'light dark' } as const;

/** The words in other languages are data. */
const isCode = ({ attrs }: Element) => attrs.every(({ name }) => name !== 'type');

function elementsOf(page: string, name?: string): Element[] {
  const found: Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node) => {
    if ('tagName' in node && (name === undefined || node.tagName === name)) found.push(node);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(page));
  return found;
}

function attribute(element: Element | undefined, name: string): string | undefined {
  return element?.attrs.find((one) => one.name === name)?.value;
}

function textOf(element: Element | undefined): string {
  const texts = (node: DefaultTreeAdapterTypes.Node): string =>
    'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(texts).join('') : '';
  return element ? texts(element) : '';
}

function elementsWithClass(page: string, name: string): Element[] {
  return elementsOf(page).filter((element) => (attribute(element, 'class') ?? '').split(' ').includes(name));
}

function metaOf(page: string, name: string): string | undefined {
  const isIt = (meta: Element) => attribute(meta, 'name') === name || attribute(meta, 'property') === name;
  return attribute(elementsOf(page, 'meta').find(isIt), 'content');
}

function linkOf(page: string, key: 'rel' | 'type', value: string): string | undefined {
  return attribute(
    elementsOf(page, 'link').find((link) => attribute(link, key) === value),
    'href',
  );
}

function directive(policy: string, name: string): string | undefined {
  return policy.split('; ').find((one) => one.startsWith(`${name} `));
}

describe('the page of an embed', () => {
  test.each(Object.entries(SCHEMES))('declares mode %s in its first bytes as the colour scheme %s', (mode, scheme) => {
    const { html } = renderFrame(sampleView({ mode: mode as ColourMode }));
    const [root] = elementsOf(html, 'html');
    expect(attribute(root, 'data-mode')).toBe(mode.toLowerCase());
    expect(attribute(root, 'lang')).toBe('en-GB');
    expect(attribute(root, 'dir')).toBe('ltr');
    expect(metaOf(html, 'color-scheme')).toBe(scheme);
    expect(html.indexOf('color-scheme')).toBeLessThan(200);
  });

  test('shows the title once, in the top bar or above the article', () => {
    const withBar = renderFrame(sampleView()).html;
    expect(elementsOf(withBar, 'h1').map(textOf)).toEqual([sampleArticle().title]);
    const [bar] = elementsOf(withBar, 'header');
    expect(textOf(bar)).toContain('How tide tables');
    expect(textOf(bar)).toContain('The Marginalist');
    const without = renderFrame(sampleView({ showTopBar: false })).html;
    expect(elementsOf(without, 'header')).toEqual([]);
    expect(elementsOf(without, 'h1').map(textOf)).toEqual([sampleArticle().title]);
    expect(elementsWithClass(without, 'byline').map(textOf)).toEqual(['Ada Holm · 12 March 2026']);
    expect(elementsOf(without, 'time').map((time) => attribute(time, 'datetime'))).toEqual(['2026-03-12']);
  });

  test.each([
    ['de', '2026-03-12T23:30:00.000Z', '12. März 2026'],
    ['en-US', '2026-03-12', 'March 12, 2026'],
    ['ja', '2026-03-12', '2026年3月12日'],
    // the default of the process must not decide
    ['zxx', '2026-03-12', 'March 12, 2026'],
    [null, '2026-03-12', 'March 12, 2026'],
  ])('shows the date in the language %s, in UTC', (language, publishedAt, shown) => {
    const article = sampleArticle(undefined, { language, publishedAt, byline: null });
    expect(elementsOf(renderFrame(sampleView({}, { article })).html, 'time').map(textOf)).toEqual([shown]);
  });

  test.each([
    ['de', '2026-03-12', '2026-03-14', '12. März 2026 · Aktualisiert am 14. März 2026'],
    ['en', null, '2026-03-14T10:00:00.000Z', 'Updated March 14, 2026'],
    // on the same day
    ['en', '2026-03-14T08:00:00.000Z', '2026-03-14T10:00:00.000Z', 'March 14, 2026'],
  ])('says in %s that a page of %s was changed on %s', (language, publishedAt, modifiedAt, shown) => {
    const article = sampleArticle(undefined, { language, publishedAt, modifiedAt, byline: null });
    const { html } = renderFrame(sampleView({}, { article }));
    expect(elementsWithClass(html, 'byline').map(textOf)).toEqual([shown]);
  });

  test('shows the icon of the site, the hero picture, and where a text continues that must be paid for', () => {
    const hero = { url: 'https://example.com/hero.jpg', alt: 'A coast', width: 1200, height: 630 };
    const article = sampleArticle(undefined, { icon: 'https://example.com/icon.png', hero, isPaywalled: true });
    for (const showTopBar of [true, false]) {
      const { html } = renderFrame(sampleView({ showTopBar }, { article }));
      expect(
        elementsWithClass(html, 'site').flatMap(({ childNodes }) => childNodes.map(({ nodeName }) => nodeName)),
      ).toEqual(['img', '#text']);
      expect(
        elementsWithClass(html, 'hero').map((image) => [attribute(image, 'alt'), attribute(image, 'width')]),
      ).toEqual([['A coast', '1200']]);
      const [note] = elementsWithClass(html, 'continuation');
      expect(textOf(note)).toBe('The text continues at the source: The Marginalist');
      expect(attribute(elementsOf(html.slice(html.indexOf('class="continuation"')), 'a')[0], 'href')).toBe(
        'https://example.com/tides?a=1&b=2',
      );
    }
    expect(renderFrame(sampleView()).html).not.toMatch(/class="(?:hero|continuation)"/);
  });

  test('links to the original outside the frame', () => {
    const { html } = renderFrame(sampleView());
    const [link] = elementsWithClass(html, 'original');
    expect(attribute(link, 'href')).toBe('https://example.com/tides?a=1&b=2');
    expect(attribute(link, 'target')).toBe('_blank');
    expect(attribute(link, 'rel')).toBe('noopener');
  });

  test('has the mode control only in mode USER_DEFINED', () => {
    const radios = (mode: ColourMode) => elementsOf(renderFrame(sampleView({ mode })).html, 'input');
    expect(radios('USER_DEFINED').map((radio) => attribute(radio, 'value'))).toEqual(['light', 'system', 'dark']);
    for (const mode of ['LIGHT', 'DARK', 'AUTO'] as const) expect(radios(mode)).toEqual([]);
  });

  test("has the reader's controls in the top bar of an article, and nowhere else", () => {
    const panels = (showTopBar: boolean, changes: Partial<Article> = {}) => {
      const { html } = renderFrame(sampleView({ showTopBar }, { article: sampleArticle(undefined, changes) }));
      expect(html.includes(readerScript.text)).toBe(html.includes('id="reader"'));
      return elementsWithClass(html, 'reader');
    };
    expect(panels(true).map((panel) => attribute(panel, 'hidden'))).toEqual(['']);
    expect(panels(false)).toEqual([]);
    expect(panels(true, { content: null })).toEqual([]);
  });

  test.each([
    ['<p>One.</p>', '1 min'],
    [`<p class="a long name of a class">${'word '.repeat(1_150)}</p>`, '5 min'],
    [`<p>${'日'.repeat(1_380)}</p>`, '3 min'],
  ])('tells the minutes that it takes to read', (content, minutes) => {
    const { html } = renderFrame(sampleView({}, { article: sampleArticle(undefined, { content }) }));
    expect(elementsWithClass(html, 'minutes').map(textOf)).toEqual([minutes]);
  });

  test('does not change the content of the article', () => {
    expect(renderFrame(sampleView()).html).toContain(sampleArticle().content);
  });

  test('shows a card with one link if there is no article', () => {
    const article = sampleArticle('https://example.com/coast.svg', { content: null });
    for (const showTopBar of [true, false]) {
      const { html } = renderFrame(sampleView({ showTopBar }, { article }));
      expect(elementsOf(html, 'h1').map(textOf)).toEqual([article.title]);
      expect(textOf(elementsWithClass(html, 'card')[0])).toContain(article.description);
      expect(attribute(elementsOf(html, 'img')[0], 'src')).toBe(article.image);
      expect(elementsWithClass(html, 'primary')).toHaveLength(1);
      expect(metaOf(html, 'og:type')).toBe('website');
    }
  });

  test('shows on a card the icon of the site, or else its first letter, and the kind of page', () => {
    const tileOf = (changes: Partial<Article>) => {
      const article = sampleArticle(undefined, { content: null, image: null, ...changes });
      const { html } = renderFrame(sampleView({}, { article, state: 'NOT_A_PAGE' }));
      expect(elementsWithClass(html, 'kind').map(textOf)).toEqual(['File']);
      return elementsWithClass(html, 'tile');
    };
    expect(tileOf({ site: ' éclair.example' }).map(textOf)).toEqual(['É']);
    expect(tileOf({ site: '👩‍🍳 Bread' }).map(textOf)).toEqual(['👩‍🍳']);
    const [tile] = tileOf({ icon: 'https://example.com/icon.png' });
    expect(attribute(tile?.childNodes[0] as Element, 'src')).toBe('https://example.com/icon.png');
  });

  test('shows the title of a page that is being fetched, and no card', () => {
    const article = sampleArticle(undefined, { content: null });
    for (const showTopBar of [true, false]) {
      const { html } = renderFrame(sampleView({ showTopBar }, { article, state: 'PENDING' }));
      expect(elementsOf(html, 'h1').map(textOf)).toEqual([article.title]);
      expect(elementsWithClass(html, 'card')).toEqual([]);
      expect(elementsWithClass(html, 'pending').map(textOf)[0]).toContain('Still loading. Reload');
    }
  });

  test('has the language and the direction of the source page, or the language und', () => {
    const rootOf = (changes: object) =>
      elementsOf(renderFrame(sampleView({}, { article: sampleArticle(undefined, changes) })).html, 'html')[0];
    expect(attribute(rootOf(ARABIC), 'lang')).toBe('ar');
    expect(attribute(rootOf(ARABIC), 'dir')).toBe('rtl');
    expect(attribute(rootOf({ language: null }), 'lang')).toBe('und');
  });

  test('has metadata for the canonical page, link previews and oEmbed', () => {
    const view = sampleView();
    const { html } = renderFrame(view);
    expect(linkOf(html, 'rel', 'canonical')).toBe(view.embed.pageUrl);
    expect(view.alternates).toHaveLength(2);
    for (const { type, url } of view.alternates) expect(linkOf(html, 'type', type)).toBe(url);
    expect(metaOf(html, 'og:url')).toBe(view.embedUrl);
    expect(metaOf(html, 'og:title')).toBe(view.article.title);
    expect(metaOf(html, 'og:image')).toBe(view.article.image);
    expect(metaOf(html, 'twitter:card')).toBe('summary_large_image');
    expect(metaOf(html, 'description')).toBe(view.article.description);
  });

  test('escapes all texts of the source', () => {
    const texts = {
      title: HOSTILE,
      site: HOSTILE,
      byline: HOSTILE,
      description: HOSTILE,
      image: HOSTILE,
      icon: HOSTILE,
      hero: { url: HOSTILE, alt: HOSTILE, width: null, height: null },
      isPaywalled: true,
      language: HOSTILE,
      publishedAt: null,
    };
    for (const content of ['<p>fine</p>', null]) {
      for (const showTopBar of [true, false]) {
        const inert = {
          ...texts,
          title: 'x',
          site: 'x',
          icon: 'x',
          hero: { ...texts.hero, url: 'x', alt: 'x' },
          language: 'x',
        };
        const plain = renderFrame(sampleView({ showTopBar }, { article: sampleArticle('x', { ...inert, content }) }));
        const hostile = renderFrame(
          sampleView(
            { showTopBar, pageUrl: `https://example.com/${HOSTILE}` },
            {
              article: sampleArticle('x', { ...texts, content }),
              embedUrl: HOSTILE,
              alternates: sampleView().alternates.map(() => ({ type: HOSTILE, url: HOSTILE })),
            },
          ),
        );
        const namesOf = (page: string) => elementsOf(page).map(({ tagName }) => tagName);
        expect(namesOf(hostile.html)).toEqual(namesOf(plain.html));
        expect(textOf(elementsOf(hostile.html, 'h1')[0])).toBe(HOSTILE);
        expect(hostile.contentSecurityPolicy).toBe(plain.contentSecurityPolicy);
        const handlers = elementsOf(hostile.html).flatMap(({ attrs }) =>
          attrs.filter(({ name }) => /^on|^style$/.test(name)),
        );
        expect(handlers).toEqual([]);
      }
    }
  });
});

describe('the content security policy', () => {
  test.each(['LIGHT', 'USER_DEFINED'] as const)('allows exactly the inline code of a page in mode %s', (mode) => {
    const view = sampleView({ mode }, { font: OPEN_SANS });
    const { html, contentSecurityPolicy } = renderFrame(view);
    const hashesOf = (name: string) =>
      elementsOf(html, name)
        .filter(isCode)
        .map((element) => {
          expect(element.namespaceURI).toBe(htmlNames.NS.HTML);
          return `'sha256-${createHash('sha256').update(textOf(element)).digest('base64')}'`;
        });
    expect(directive(contentSecurityPolicy, 'script-src')).toBe(`script-src ${hashesOf('script').join(' ')}`);
    expect(directive(contentSecurityPolicy, 'style-src')).toBe(
      `style-src ${hashesOf('style').join(' ')} https://fonts.bunny.net`,
    );
    expect(directive(contentSecurityPolicy, 'font-src')).toBe('font-src https://fonts.bunny.net');
  });

  test('allows images and media from any site, framing by any page, and nothing else', () => {
    for (const { contentSecurityPolicy } of [renderFrame(sampleView()), renderReaderError('notFound')]) {
      expect(contentSecurityPolicy).toContain("default-src 'none'; ");
      expect(contentSecurityPolicy).toMatch(/base-uri 'none'; form-action 'none'$/);
      expect(contentSecurityPolicy).not.toMatch(/unsafe|font-src|frame-src|connect-src (?!'self';)/);
    }
  });

  test('allows the frames of the players that it shows, and no others', () => {
    const playerWith = (url: string) => `<a class="embed-player" href="https://x.example/" data-frame="${url}">x</a>`;
    const pageWith = (...urls: readonly string[]) => {
      const content = urls.map(playerWith).join('');
      return renderFrame(sampleView({}, { article: sampleArticle(undefined, { content }) }));
    };
    const { html, contentSecurityPolicy } = pageWith(
      'https://player.vimeo.com/video/1',
      'https://www.youtube-nocookie.com/embed/x',
      'https://www.youtube-nocookie.com/embed/y',
      'https://evil.example/',
    );
    expect(directive(contentSecurityPolicy, 'frame-src')).toBe(
      'frame-src https://www.youtube-nocookie.com https://player.vimeo.com',
    );
    const hashes = elementsOf(html, 'script')
      .filter(isCode)
      .map((script) => `'sha256-${createHash('sha256').update(textOf(script)).digest('base64')}'`);
    expect(hashes).toHaveLength(6);
    expect(directive(contentSecurityPolicy, 'script-src')).toBe(`script-src ${hashes.join(' ')}`);
    expect(elementsOf(pageWith().html, 'script').filter(isCode)).toHaveLength(5);
  });
});

test.each([
  ['#L2', [2]],
  ['#L2-L3', [2, 3]],
  ['#L3C4-L2C1', [2, 3]],
  ['#lines-1:2', [1, 2]],
  ['#L9', []],
  ['#x', []],
])('marks the lines of a file that the fragment %s names', (fragment, marked) => {
  const content = [1, 2, 3].map((line) => `<span id="s-L${line}" class="embed-line">x</span>`).join('\n');
  const pageUrl = `https://github.com/ada/rye/blob/main/rye.py${fragment}`;
  const { html } = renderFrame(sampleView({ pageUrl }, { article: sampleArticle(undefined, { content }) }));
  const found = [...html.matchAll(/<span id="s-L(\d)" class="embed-line marked">/g)].map(([, line]) => Number(line));
  expect(found).toEqual(marked);
});

describe('the font', () => {
  test('comes from the provider, quoted, with the system fonts as fallback', () => {
    const { html } = renderFrame(sampleView({}, { font: OPEN_SANS }));
    expect(linkOf(html, 'rel', 'stylesheet')).toBe(OPEN_SANS.cssUrl);
    expect(linkOf(html, 'rel', 'preconnect')).toBe('https://fonts.bunny.net');
    expect(html).toContain(':root{--font:"Open Sans",var(--system)}');
  });

  test('may load its files from another origin of the provider', () => {
    const font = { family: 'Lora', cssUrl: 'https://fonts.googleapis.com/css2?family=Lora&display=swap' };
    const { contentSecurityPolicy } = renderFrame(sampleView({}, { font }));
    expect(directive(contentSecurityPolicy, 'font-src')).toBe('font-src https://fonts.gstatic.com');
  });
});

test('the name of a font cannot end its style', () => {
  const font = { family: `x";}</style><script>alert(1)</script>`, cssUrl: OPEN_SANS.cssUrl };
  const { html } = renderFrame(sampleView({}, { font }));
  expect(html).toContain(':root{--font:"xstylescriptalert1script",var(--system)}');
});

describe('the snippet', () => {
  const snippet = {
    embedUrl: 'https://x.example/a?b&c',
    title: HOSTILE,
    mode: 'AUTO',
    scriptUrl: 'https://y.example/embed.js',
  } as const;

  test('is an iframe that works without the script, and the script', () => {
    const [frame] = elementsOf(renderSnippet(snippet), 'iframe');
    expect(attribute(frame, 'src')).toBe(snippet.embedUrl);
    expect(attribute(frame, 'title')).toBe(HOSTILE);
    expect(attribute(frame, 'height')).toBe('600');
    expect(attribute(frame, 'loading')).toBe('lazy');
    expect(attribute(frame, 'style')).toContain('color-scheme: light dark');
    const scripts = elementsOf(renderSnippet(snippet), 'script');
    expect(scripts.map((script) => attribute(script, 'src'))).toEqual([snippet.scriptUrl]);
  });

  test('has a fixed size and no script on request', () => {
    const sized = renderSnippet({ ...snippet, scriptUrl: null, width: 320, height: 240 });
    expect(sized).toContain('width="320" height="240"');
    expect(sized).not.toContain('<script');
  });
});

test('an article of 1,000 words with a table that has tools is under 25 kB compressed, with all that one view loads', async () => {
  const text = await readFile(new URL('../../../docs/embedding.md', import.meta.url), 'utf8');
  const words = text.split(/\s+/).slice(0, 1_000);
  const paragraphs = Array.from({ length: 20 }, (_, i) => words.slice(i * 50, i * 50 + 50).join(' '));
  const rows = paragraphs.map((line) => `<tr><td>${line.slice(0, 20)}</td><td>${line.length}</td></tr>`);
  const content = html`${paragraphs.map((line) => html`<h2>${line.slice(0, 30)}</h2><p>${line}</p>`)}${new Markup(
    `<div class="embed-table"><table><thead><tr><th>Text</th><th>Length</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
  )}`.text;
  const view = sampleView(
    { mode: 'USER_DEFINED' },
    { article: sampleArticle(undefined, { content }), isCounted: true },
  );
  const page = renderFrame(view);
  expect(page.html).toContain('class="table-tools"');
  expect(elementsOf(page.html, 'script').filter((script) => attribute(script, 'src'))).toEqual([]);
  expect(elementsOf(page.html, 'link').filter((link) => attribute(link, 'rel') === 'stylesheet')).toEqual([]);
  console.info(
    `article with a table: ${gzipSync(page.html).length} bytes gzipped, ${brotliCompressSync(page.html).length} brotli`,
  );
  expect(gzipSync(page.html).length + Buffer.byteLength(page.contentSecurityPolicy)).toBeLessThan(25_000);
});

test('a page has only the styles that its body needs', () => {
  const stylesOf = (content: string | null, embed: Parameters<typeof sampleView>[0] = {}) =>
    elementsOf(renderFrame(sampleView(embed, { article: sampleArticle(undefined, { content }) })).html, 'style')
      .map(textOf)
      .join('');
  const rules: readonly (readonly [rule: string, content: string | null, embed?: Parameters<typeof sampleView>[0]])[] =
    [
      ['.card-text{', null],
      ['.choice label{', '', { mode: 'USER_DEFINED' }],
      ['.reader nav{', ''],
      ['.content table{', ''],
      ['.callout{', '<aside class="callout note" role="note">x</aside>'],
      ['.hljs-keyword', '<pre><code><span class="hljs-keyword">if</span></code></pre>'],
      ['.gallery{', '<figure class="gallery"></figure>'],
      ['.hero{', '<img src="https://x.example/a.png" alt="">'],
      ['mtd.embed-right{', '<math display="block"></math>'],
      ['iframe.embed-player{', '<a class="embed-player" href="https://x.example/">x</a>'],
    ];
  for (const [rule, content, embed] of rules) {
    expect(stylesOf(content, embed)).toContain(rule);
    expect(stylesOf(content === null ? '' : null)).not.toContain(rule);
  }
  const rare = /\.callout\{|hljs-keyword|\.gallery\{|embed-player\{|\.choice label\{|\.hero\{|mtd/;
  expect(stylesOf('')).not.toMatch(rare);
});

test('a page without its article is under 17 kB compressed, and embed.js under 3 kB uncompressed', () => {
  const view = sampleView(
    { mode: 'USER_DEFINED' },
    {
      article: sampleArticle(undefined, { content: '' }),
      font: { family: 'Source Serif 4', cssUrl: 'https://embeds.example/fonts/source-serif-4-12345678.css' },
    },
  );
  const { html } = renderFrame(view);
  const gzipped = gzipSync(html).length;
  console.info(`page ${html.length} bytes, ${gzipped} gzipped; embed.js ${EMBED_SCRIPT.length} bytes`);
  expect(gzipped).toBeLessThan(17 * 1024);
  expect(Buffer.byteLength(EMBED_SCRIPT)).toBeLessThan(3_000);
});

test('the paths in the scripts are those that a server has to answer', () => {
  const paths = SERVED_SCRIPTS.flatMap((script) => script.match(/(?<=')\/\w+(?=')/g) ?? []);
  const { original, views, whole } = FRAME_PATHS;
  expect([...new Set(paths)].sort()).toEqual([original, views, whole]);
});

test("the script of the reader's controls is under 3 kB compressed", () => {
  expect(brotliCompressSync(readerScript.text).length).toBeLessThan(3_000);
});

test('the served scripts mean what their sources mean', async () => {
  const folder = new URL('../src/client/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  const sources = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  // in strings, all of them selectors and styles, blanks beside such a sign mean nothing; patterns are compared as they are
  const meaningOf = (script: string) =>
    JSON.stringify(parseAst(script), (key, value) => {
      if (key === 'start' || key === 'end') return undefined;
      return typeof value === 'string' && /^(?:raw|value)$/.test(key) ? value.replace(/ ?([,;:>]) /g, '$1') : value;
    });
  expect(SERVED_SCRIPTS.map(meaningOf).sort()).toEqual(sources.map(meaningOf).sort());
  // no comment
  expect(SERVED_SCRIPTS.filter((script) => /(?:^|[;{}])\s*\/[/*]/.test(script))).toEqual([]);
});
