import { type DefaultTreeAdapterTypes, parse, parseFragment, serialize } from 'parse5';
import { describe, expect, test } from 'vitest';
import { readArticle } from '../src/article/article.ts';
import { EVERYTHING } from './fixtures/everything.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

const URL_OF_PAGE = 'https://www.baker.example/all';
const TEXT = `<p>${'Bread wants flour, water, salt and time, and this paragraph says at some length why. '.repeat(5)}</p>`;

function contentOf(html: string): string {
  const { content } = readArticle(html, { url: URL_OF_PAGE, robots: null }).article;
  if (content === null) throw new Error('The page has no article');
  return content;
}

const articleWith = (markup: string, head = '') =>
  contentOf(`<title>Bread</title>${head}<main><article>${TEXT}${markup}${TEXT}</article></main>`);

/** Returns what is between the paragraphs of the article. */
const shown = (markup: string, head = '') => articleWith(markup, head).split('</p>').slice(1, -1).join('</p>');

function elementsOf(root: Node, name: string): Element[] {
  const found: Element[] = [];
  const visit = (node: Node) => {
    if ('tagName' in node && node.tagName === name) found.push(node);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(root);
  return found;
}

function textOf(node: Node): string {
  return 'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value;

describe('a page with everything', () => {
  const content = contentOf(EVERYTHING);
  const root = parseFragment(content);
  const mathOf = (id: string) =>
    elementsOf(root, 'p')
      .filter((paragraph) => attribute(paragraph, 'id') === `s-${id}`)
      .flatMap((paragraph) => elementsOf(paragraph, 'math').map(textOf));

  test('shows each formula once, as MathML', () => {
    expect(mathOf('katex')).toEqual(['E=mc2']);
    expect(mathOf('mathjax3')).toEqual(['a+b']);
    expect(mathOf('mathjax2')).toEqual(['x', '13', '42']);
    expect(mathOf('wiki')).toEqual(['α']);
    expect(mathOf('text')).toEqual(['a2', 'b1', 'c≤d']);
    expect(elementsOf(root, 'math').map(textOf)).toHaveLength(16);
    const blocks = elementsOf(root, 'math').filter((math) => attribute(math, 'display') === 'block');
    expect(blocks.map(textOf)).toEqual(['ℝ⊂ℂ', '∫01xdx', 'c≤d', 'x=1y=2', 'h3']);
    for (const repeated of ['KATEX-HTML', 'VISUAL', 'PREVIEW', 'annotation', 'wikimedia.org', '$$', '\\frac']) {
      expect(content.replace(/ alttext="[^"]*"/g, ''), repeated).not.toContain(repeated);
    }
  });

  test('leaves TeX that cannot be converted, and TeX in code', () => {
    expect(content).toContain('that is no TeX stays: \\(\\unknown{a}\\).');
    expect(content).toContain('<code>\\(not\\)</code>');
    expect(content).toContain(', costs $5, and');
  });

  test('shows each player as a link to its page, with the frame that a click loads', () => {
    const players = elementsOf(root, 'a').filter((link) => attribute(link, 'class') === 'embed-player');
    const facts = players.map((player) => [
      textOf(player),
      attribute(player, 'href'),
      new URL(attribute(player, 'data-frame') ?? '').hostname,
      elementsOf(player, 'img').map((poster) => attribute(poster, 'src'))[0] ?? null,
    ]);
    const video = (id: string, name = 'YouTube') => [
      name,
      `https://www.youtube.com/watch?v=${id.repeat(11)}`,
      'www.youtube-nocookie.com',
      `https://i.ytimg.com/vi/${id.repeat(11)}/hqdefault.jpg`,
    ];
    expect(facts).toEqual([
      video('A', 'How bread rises YouTube'),
      ['Vimeo', 'https://vimeo.com/76979871', 'player.vimeo.com', null],
      video('B', 'kneading YouTube'),
      video('C'),
      video('D'),
      video('E'),
      ['Spotify', 'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC', 'open.spotify.com', null],
      ['SoundCloud', 'https://soundcloud.com/ada/song', 'w.soundcloud.com', null],
      ['CodePen', 'https://codepen.io/ada/pen/AbCdEf', 'codepen.io', null],
      ['OpenStreetMap', 'https://www.openstreetmap.org/?bbox=-0.1%2C51.4%2C0.1%2C51.6', 'www.openstreetmap.org', null],
      ['Google Maps', 'https://www.google.com/maps/search/?api=1&query=48.85%2C2.29', 'www.google.com', null],
      video('F'),
    ]);
    expect(content).toContain('<figcaption>A film about bread</figcaption>');
  });

  test('shows other frames as links, and posts as their text', () => {
    expect(elementsOf(root, 'iframe')).toEqual([]);
    const links = new Map(elementsOf(root, 'a').map((link) => [textOf(link), attribute(link, 'href')]));
    expect(links.get('Prices of flour')).toBe('https://www.baker.example/charts/flour.html');
    expect(links.get('forms.example')).toBe('https://forms.example/f/1');
    expect(links.get('report.pdf')).toBe('https://www.baker.example/report.pdf');
    expect(links.get('March 1, 2026')).toBe('https://twitter.com/ada/status/1');
    expect(content).toContain('The best bread is the one you share.');
    expect(links.get('A post shared by Ada (@ada)')).toBe('https://www.instagram.com/p/1/');
    expect(content).not.toMatch(/googletagmanager|pixel\.example/);
  });

  test('shows drawings and data pictures as images, without icons', () => {
    const images = elementsOf(root, 'img').filter((image) => attribute(image, 'src')?.startsWith('data:'));
    expect(images.map((image) => [attribute(image, 'alt'), attribute(image, 'width')])).toEqual([
      ['Flour, salt and water by weight', '300'],
      ['', '200'],
      ['Yes', '16'],
      ['A red dot', '9'],
      ['A blue square', '40'],
    ]);
    const [chart = '', diagram = '', , , square = ''] = images.map((image) =>
      decodeURIComponent(attribute(image, 'src') ?? ''),
    );
    for (const kept of [
      'viewBox="0 0 300 150"',
      '.bar { fill: #c60 }',
      '<linearGradient id="g">',
      'Flour &amp; salt',
    ]) {
      expect(chart).toContain(kept);
    }
    expect(diagram).toContain('>Knead</text>');
    expect(square).not.toMatch(/onload|script|alert/);
  });

  test('has the form that a browser gives it', () => {
    expect(serialize(root)).toBe(content);
    const page = serialize(parse(`<!doctype html><body>${content}</body>`));
    expect(page).toBe(`<!DOCTYPE html><html><head></head><body>${content}</body></html>`);
  });
});

/** All elements of HTML that may stand in a sentence, and those that are obsolete or unknown; null is dropped. */
const ELEMENTS: readonly (readonly [string, string | null])[] = [
  [
    '<a href="/x">x</a>',
    '<a href="https://www.baker.example/x" target="_blank" rel="noopener noreferrer nofollow ugc">x</a>',
  ],
  ['<abbr title="y">x</abbr>', '<abbr title="y">x</abbr>'],
  ['<acronym>x</acronym>', '<abbr>x</abbr>'],
  [
    '<audio src="/a.mp3">x</audio>',
    '<audio src="https://www.baker.example/a.mp3" controls="" preload="none">x</audio>',
  ],
  ['<b>x</b>', '<b>x</b>'],
  ['<bdi>x</bdi>', '<bdi>x</bdi>'],
  ['<bdo dir="rtl">x</bdo>', '<bdo dir="rtl">x</bdo>'],
  ['<big>x</big>', 'x'],
  ['<blink>x</blink>', 'x'],
  ['<br>', '<br>'],
  ['<button>x</button>', null],
  ['<canvas>x</canvas>', 'x'],
  ['<cite>x</cite>', '<cite>x</cite>'],
  ['<code>x</code>', '<code>x</code>'],
  ['<data value="1">x</data>', 'x'],
  ['<datalist><option>x</datalist>', null],
  ['<del>x</del>', '<del>x</del>'],
  ['<dfn>x</dfn>', '<em>x</em>'],
  ['<dialog>x</dialog>', null],
  ['<em>x</em>', '<em>x</em>'],
  [
    '<embed src="/x">',
    '<a href="https://www.baker.example/x" target="_blank" rel="noopener noreferrer nofollow ugc">baker.example</a>',
  ],
  ['<font color="red">x</font>', 'x'],
  ['<i>x</i>', '<i>x</i>'],
  [
    '<iframe src="/x" title="x"></iframe>',
    '<a href="https://www.baker.example/x" target="_blank" rel="noopener noreferrer nofollow ugc">x</a>',
  ],
  [
    '<img src="/x" alt="x">',
    '<img src="https://www.baker.example/x" alt="x" loading="lazy" decoding="async" referrerpolicy="no-referrer">',
  ],
  ['<input value="x">', null],
  ['<ins>x</ins>', '<ins>x</ins>'],
  ['<kbd>x</kbd>', '<kbd>x</kbd>'],
  ['<label>x</label>', 'x'],
  ['<link href="/x" itemprop="x">', null],
  ['<map name="m">x<area href="/x"></map>', 'x'],
  ['<mark>x</mark>', '<mark>x</mark>'],
  ['<marquee>x</marquee>', 'x'],
  ['<math><mi>x</mi></math>', '<math><mi>x</mi></math>'],
  ['<meta itemprop="x">', null],
  ['<meter value="0.6">x</meter>', 'x'],
  ['<nobr>x</nobr>', 'x'],
  ['<noscript>x</noscript>', null],
  ['<object data="/x">x</object>', '<span>x</span>'],
  [
    '<object data="/x.svg"></object>',
    '<span><img src="https://www.baker.example/x.svg" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer"></span>',
  ],
  ['<output>x</output>', 'x'],
  [
    '<picture><img src="/x"></picture>',
    '<picture><img src="https://www.baker.example/x" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer"></picture>',
  ],
  ['<progress value="1">x</progress>', 'x'],
  ['<q>x</q>', '<q>x</q>'],
  ['<ruby>x<rp>(</rp><rt>y</rt><rp>)</rp></ruby>', '<ruby>x<rp>(</rp><rt>y</rt><rp>)</rp></ruby>'],
  ['<ruby><rb>x</rb><rtc>y</rtc></ruby>', '<ruby>xy</ruby>'],
  ['<s>x</s>', '<s>x</s>'],
  ['<samp>x</samp>', '<samp>x</samp>'],
  ['<script>x</script>', null],
  ['<select><option>x</select>', null],
  ['<slot>x</slot>', 'x'],
  ['<small>x</small>', '<small>x</small>'],
  ['<span>x</span>', '<span>x</span>'],
  ['<strike>x</strike>', '<s>x</s>'],
  ['<strong>x</strong>', '<strong>x</strong>'],
  ['<style>x</style>', null],
  ['<sub>x</sub>', '<sub>x</sub>'],
  ['<sup>x</sup>', '<sup>x</sup>'],
  ['<svg width="16" height="16"><path d="M0 0"/></svg>', null],
  ['<template>x</template>', null],
  ['<textarea>x</textarea>', null],
  ['<time datetime="2026-03-01">x</time>', '<time datetime="2026-03-01">x</time>'],
  ['<tt>x</tt>', '<code>x</code>'],
  ['<u>x</u>', '<u>x</u>'],
  ['<var>x</var>', '<var>x</var>'],
  [
    '<video src="/v.mp4">x</video>',
    '<video src="https://www.baker.example/v.mp4" controls="" preload="none">x</video>',
  ],
  ['<wbr>', '<wbr>'],
  ['<x-term>x</x-term>', 'x'],
  ['<x-term><x-word>x</x-word> <em>y</em></x-term>', 'x <em>y</em>'],
];

/** Elements that end a sentence, besides those of forms. */
const BLOCKS: readonly (readonly [string, string])[] = [
  ['<address>x</address>', '<div>x</div>'],
  ['<blockquote>x</blockquote>', '<blockquote>x</blockquote>'],
  ['<center>x</center>', '<div>x</div>'],
  ['<details><summary>x</summary>y</details>', '<details><summary>x</summary>y</details>'],
  ['<dir><li>x</dir>', '<ul><li>x</li></ul>'],
  ['<div>x</div>', '<p>x</p>'],
  ['<dl><dt>x<dd>y</dl>', '<dl><dt>x</dt><dd>y</dd></dl>'],
  ['<figure>x<figcaption>y</figcaption></figure>', '<figure>x<figcaption>y</figcaption></figure>'],
  ['<h3>x</h3>', '<h3>x</h3>'],
  ['<h4><button aria-expanded="false">x</button></h4>', '<h4>x</h4>'],
  ['<hgroup><h5>x</h5><p>y</p></hgroup>', '<h5>x</h5><p>y</p>'],
  ['<hr>', '<hr>'],
  ['<listing>x</listing>', '<pre><code>x</code></pre>'],
  ['<menu><li>x</menu>', '<ul><li>x</li></ul>'],
  ['<ol><li>x</ol>', '<ol><li>x</li></ol>'],
  ['<pre>\n\n x\n</pre>', '<pre><code>\n x</code></pre>'],
  ['<search>x</search>', '<p>x</p>'],
  ['<section><p>x</p></section>', '<section><p>x</p></section>'],
  ['<table><tr><td>x<td>y</table>', '<td>x</td><td>y</td>'],
  ['<ul><li>x</ul>', '<ul><li>x</li></ul>'],
  ['<xmp>x</xmp>', '<pre><code>x</code></pre>'],
];

describe('every element of HTML', () => {
  test.each(ELEMENTS)('%s in a sentence becomes %s', (markup, expected) => {
    const content = shown(`<p>A sentence, before ${markup} after, with more words than a line of author and date.</p>`);
    expect(content).toContain(`A sentence, before ${expected ?? ''} after, with`);
  });

  test.each(BLOCKS)('%s between paragraphs becomes %s', (markup, expected) => {
    expect(articleWith(markup)).toContain(expected);
  });
});

describe('the limits of embedded content', () => {
  const picture = (length: number) =>
    `<p>A picture <img alt="Loaf" src="data:image/png;base64,${'A'.repeat(length)}"> here</p>`;

  test('a data picture over 100 kB is left out, as are those of a page over 1 MB', () => {
    expect(shown(picture(90_000))).toContain('src="data:image/png;base64,AAA');
    expect(shown(picture(110_000))).not.toContain('data:');
    const content = shown(picture(90_000).repeat(20));
    expect(content.match(/data:image/g)).toHaveLength(11);
    expect(content.match(/A picture/g)).toHaveLength(20);
  });

  test('pictures that hold the place of others are left out', () => {
    for (const source of [
      'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
      "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 300 150'%3E%3C/svg%3E",
    ]) {
      expect(shown(`<p>A picture <img src="${source}"> here</p>`)).not.toContain('<img');
    }
    const preview = `data:image/jpeg;base64,${'A'.repeat(600)}`;
    const lazy = `<figure><img src="${preview}"><noscript><img src="/loaf.jpg"></noscript></figure>`;
    expect(shown(lazy)).toContain('<figure><img src="https://www.baker.example/loaf.jpg"');
  });

  test('a drawing that repeats itself endlessly, or is too large, is left out', () => {
    const level = (i: number) => `<g id="l${i}">${`<use href="#l${i - 1}"/>`.repeat(10)}</g>`;
    const bomb = `<svg viewBox="0 0 99 99"><g id="l0"><rect/></g>${Array.from({ length: 9 }, (_, i) => level(i + 1)).join('')}</svg>`;
    const paths = (count: number) => `<svg viewBox="0 0 99 99">${'<path d="M0 0L99 99"/>'.repeat(count)}</svg>`;
    expect(shown(`<p>A drawing ${paths(100)} here</p>`)).toContain('data:image/svg');
    for (const svg of [bomb, paths(6_000), `<svg viewBox="0 0 99 99"><path d="${'M0 0'.repeat(30_000)}"/></svg>`]) {
      expect(shown(`<p>A drawing ${svg} here</p>`)).toContain('A drawing  here');
    }
  });

  test('a formula that is too large stays TeX', () => {
    const long = `${'x+'.repeat(3_000)}x`;
    expect(shown(`<p>So <script type="math/tex">${long}</script> is.</p>`)).toContain(`So \\(${long}\\) is.`);
    const many = `<math><mi>x</mi>${'<mrow><mn>1</mn></mrow>'.repeat(5_000)}<annotation encoding="application/x-tex">x^2</annotation></math>`;
    expect(shown(`<p>So ${many} is.</p>`)).not.toContain('<math');
  });

  test('TeX is text on a page without a script that converts it', () => {
    const text = '<p>It costs $$5$$, and \\(a\\) is no formula.</p>';
    expect(shown(text)).toContain('It costs $$5$$, and \\(a\\) is no formula.');
    expect(shown(text, '<script src="/js/katex.min.js"></script>')).toContain(
      '<math display="block" alttext="5"><mn>5</mn></math>',
    );
    expect(shown('<p>From $5 to $6, or $x$.</p>', '<script>MathJax={}</script>')).toContain('From $5 to $6, or $x$.');
    // a command tells that dollars are configured elsewhere
    const both = shown('<p>Let $x$ be $\\alpha$.</p>', '<script src="/mathjax.js"></script>');
    expect(both.match(/<math/g)).toHaveLength(2);
  });
});

test('the subtitles of a video stay, and load only once a reader chooses them', () => {
  const video = (attributes: string) =>
    shown(
      `<video src="/rye.mp4" ${attributes}><track default kind="captions" srclang="de" label="Deutsch" src="/de.vtt" onload="alert(1)">` +
        '<track kind="metadata" src="/x.vtt"><track src="javascript:alert(1)"></video>',
    );
  const [track, ...others] = elementsOf(parseFragment(video('crossorigin')), 'track');
  const attributes = track?.attrs.map(({ name, value }) => [name, value]) ?? [];
  expect(Object.fromEntries(attributes)).toEqual({
    src: 'https://www.baker.example/de.vtt',
    kind: 'captions',
    srclang: 'de',
    label: 'Deutsch',
  });
  expect(others.flatMap(({ attrs }) => attrs.map(({ name }) => name))).toEqual(['src']);
  expect(video('crossorigin')).toContain('crossorigin="anonymous"');
  for (const value of ['', 'crossorigin="use-credentials"']) expect(video(value)).not.toContain('crossorigin');
});

describe('players and posts of other pages', () => {
  test.each([
    [
      '<script src="https://gist.github.com/ada/0123456789abcdef0123.js"></script>',
      'https://gist.github.com/ada/0123456789abcdef0123.pibb',
    ],
    [
      '<blockquote class="tiktok-embed" cite="https://www.tiktok.com/@ada/video/7012345678901234567"><section>x</section></blockquote>',
      'https://www.tiktok.com/player/v1/7012345678901234567?autoplay=1',
    ],
    [
      '<div class="calendly-inline-widget" data-url="https://calendly.com/ada/30min"></div>',
      'https://calendly.com/ada/30min?embed_type=Inline',
    ],
    ['<div data-tf-live="aBc123"></div>', 'https://form.typeform.com/to/aBc123'],
    [
      '<div class="flourish-embed" data-src="visualisation/12345?1"></div>',
      'https://flo.uri.sh/visualisation/12345/embed',
    ],
  ])('%s is shown as a player', (markup, frame) => {
    const [player] = elementsOf(parseFragment(shown(markup)), 'a');
    expect(player && attribute(player, 'data-frame')).toBe(frame);
  });

  const quoteOf = (markup: string) => {
    const [quote] = elementsOf(parseFragment(shown(markup)), 'blockquote');
    return quote && elementsOf(quote, 'p').map((paragraph) => textOf(paragraph).trim());
  };
  test.each([
    [
      'X',
      '<blockquote class="twitter-tweet"><p lang="en">Rye is best.<br>Always.</p>&mdash; Ada (@ada) <a href="https://twitter.com/ada/status/1">March 1, 2026</a></blockquote>',
      ['Rye is best.Always.', 'Ada (@ada) March 1, 2026'],
    ],
    [
      'Bluesky',
      '<blockquote class="bluesky-embed"><p>Rye is best.</p>&mdash; Ada (<a href="https://bsky.app/profile/1">@ada.example</a>) <a href="https://bsky.app/profile/1/post/1">March 1</a></blockquote>',
      ['Rye is best.', 'Ada (@ada.example) March 1'],
    ],
    [
      'Instagram',
      '<blockquote class="instagram-media"><div><a href="https://www.instagram.com/p/1/"><div><div>View this post on Instagram</div></div></a><p><a href="https://www.instagram.com/p/1/">A post shared by Ada (@ada)</a></p></div></blockquote>',
      ['A post shared by Ada (@ada)'],
    ],
    [
      'Mastodon',
      '<blockquote class="mastodon-embed"><a href="https://social.example/@ada/1"><svg></svg><div>Post by @ada@social.example</div><div>View on Mastodon</div></a></blockquote>',
      ['Post by @ada@social.example'],
    ],
    [
      'Reddit',
      '<blockquote class="reddit-embed-bq"><a href="https://www.reddit.com/r/bread/comments/1/">Rye</a><br>by<a href="https://www.reddit.com/user/ada/">u/ada</a> in<a href="https://www.reddit.com/r/bread/">bread</a></blockquote>',
      ['Rye by u/ada in bread'],
    ],
  ])('a post on %s is a quote with its author, and without labels and frame', (_, markup, paragraphs) => {
    expect(quoteOf(markup)).toEqual(paragraphs);
    expect(shown(markup)).toContain('<cite>'.repeat(paragraphs.length === 1 && markup.includes('<p>') ? 0 : 1));
  });
});
