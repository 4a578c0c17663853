import { parseFragment, serialize } from 'parse5';
import { expect, test } from 'vitest';
import { readArticle } from '../src/article/article.ts';

const URL_OF_PAGE = 'https://www.baker.example/blog/bread';
const PROSE =
  'Bread wants flour, water, salt and time, and this paragraph tells at some length why each of them matters: the ' +
  'flour for the crumb, the water for the crust, the salt for the taste, and the time for everything else.';
const PARAGRAPH = `<p>${PROSE} ${PROSE}</p>`;

/** Returns what is left of markup in the middle of an article, without the attributes that all links and images get. */
function blocksOf(markup: string): string {
  const html = `<!doctype html><html lang="en"><head><title>Bread</title></head><body><nav><a href="/">Home</a></nav>
    <main><article>${PARAGRAPH}${markup}${PARAGRAPH}</article></main></body></html>`;
  const { content } = readArticle(html, { url: URL_OF_PAGE, robots: null }).article;
  const [, middle = '', ...rest] = (content ?? '').split(PARAGRAPH);
  expect(rest, content ?? 'no article').toHaveLength(1);
  return middle
    .replaceAll(' loading="lazy" decoding="async" referrerpolicy="no-referrer"', '')
    .replaceAll(' target="_blank" rel="noopener noreferrer nofollow ugc"', '')
    .replaceAll('https://www.baker.example', '')
    .trim();
}

const KEYWORD = '<span class="hljs-keyword">let</span>';
const COLOURED = `<pre><code class="language-js">${KEYWORD} a;</code></pre>`;
const LINES = '<pre><code>one\n\n  two</code></pre>';

test.each<readonly [name: string, source: string, expected: string]>([
  // parts with a role
  ['a standfirst', '<p class="article__standfirst">In short.</p>', '<p class="standfirst">In short.</p>'],
  [
    'a pull quote',
    '<aside class="pull-quote"><p>Time is flour.</p></aside>',
    '<blockquote class="pullquote"><p>Time is flour.</p></blockquote>',
  ],
  [
    'no pull quote that repeats the text',
    '<aside class="pull-quote"><p>“The flour for the crumb, the water for the crust”</p></aside>',
    '',
  ],
  [
    'no words of the text in quotation marks beside it',
    '<aside class="x1y2"><span></span><span>“The flour for the crumb, the water for the crust”</span></aside>',
    '',
  ],
  [
    'words in quotation marks once that two asides have',
    '<aside><p>“An oven without steam is a cupboard with a lamp.”</p></aside><aside><p>“An oven without steam is a cupboard with a lamp.”</p></aside>',
    '<aside class="callout" role="note"><p>“An oven without steam is a cupboard with a lamp.”</p></aside>',
  ],
  [
    'a term in quotation marks that the text has, too',
    '<aside class="note"><p>“The flour”</p></aside>',
    '<aside class="callout note" role="note"><p lang="en" class="callout-title">Note</p><p>“The flour”</p></aside>',
  ],
  [
    'other words in quotation marks beside the text',
    '<aside><p>“Time is flour, and an oven without steam is a cupboard with a lamp.”</p></aside>',
    '<aside class="callout" role="note"><p>“Time is flour, and an oven without steam is a cupboard with a lamp.”</p></aside>',
  ],
  [
    'the speaker of a quote',
    '<blockquote><p>Time is flour.</p><footer>Ada Holm, <cite>Bread</cite></footer></blockquote>',
    '<blockquote><p>Time is flour.</p><p class="speaker">Ada Holm, <cite>Bread</cite></p></blockquote>',
  ],
  [
    'a quoted title, which is no speaker',
    '<blockquote><p>I read <cite>Bread</cite>.</p></blockquote>',
    '<blockquote><p>I read <cite>Bread</cite>.</p></blockquote>',
  ],
  // code
  ...(
    [
      ['language-x', '<pre><code class="language-js">let a;</code></pre>'],
      ['lang-x', '<pre class="lang-js s-code-block"><code class="hljs">let a;</code></pre>'],
      ['Prism with line numbers', '<pre><code class="language-js line-numbers">let a;</code></pre>'],
      ['brush', '<pre class="brush: js; notranslate">let a;</pre>'],
      ['GitHub', '<div class="highlight highlight-source-js"><pre><span class="pl-k">let</span> a;</pre></div>'],
      ['Pandoc', '<pre class="sourceCode js"><code class="sourceCode js">let a;</code></pre>'],
      ['an attribute', '<pre class="astro-code" data-language="js"><code>let a;</code></pre>'],
      ['an attribute of React', '<pre language="js"><code language="js">let a;</code></pre>'],
      [
        'Medium',
        '<pre class="nq" data-code-block-mode="2" data-code-block-lang="js"><span id="a1">let a;</span></pre>',
      ],
      ['Google', '<pre syntax="JS"><code translate="no">let a;</code></pre>'],
      ['Confluence', '<pre data-syntaxhighlighter-params="brush: js; gutter: false; theme: Confluence">let a;</pre>'],
      ['R Markdown', '<pre class="js"><code>let a;</code></pre>'],
      ['AWS', '<pre class="programlisting"><code class="js ">let a;</code></pre>'],
      ['Org mode', '<div class="org-src-container"><pre class="src src-js">let a;</pre></div>'],
      [
        'GeSHi',
        '<div class="geshifilter"><pre class="js geshifilter-js"><ol><li><div>let a;</div></li></ol></pre></div>',
      ],
      ['JupyterLab', '<div class="highlight hl-js"><pre><span></span><span class="n">let a;</span></pre></div>'],
    ] as const
  ).map(
    ([name, source]) =>
      [`colours code: ${name}`, source, source.startsWith('<div') ? `<div>${COLOURED}</div>` : COLOURED] as const,
  ),
  [
    'keeps the comments of coloured code',
    '<pre><code class="hljs language-js"><span class="hljs-comment">// why</span>\na();</code></pre>',
    '<pre><code class="language-js"><span class="hljs-comment">// why</span>\n<span class="hljs-title">a</span>();</code></pre>',
  ],
  [
    'leaves code of unknown languages uncoloured',
    '<pre><code class="language-qqq">let a;</code></pre>',
    '<pre><code class="language-qqq">let a;</code></pre>',
  ],
  ...(
    [
      ['Org mode', '<pre class="src src-emacs-lisp">(a)</pre>', ' class="language-emacs-lisp"'],
      ['Pandoc', '<pre class="sourceCode elisp numberLines"><code>(a)</code></pre>', ' class="language-elisp"'],
      ['Sphinx', '<pre class="highlight-elisp notranslate">(a)</pre>', ' class="language-elisp"'],
      ['Sphinx without a language', '<pre class="highlight-default notranslate">(a)</pre>', ''],
      ['Pandoc without a language', '<pre class="sourceCode numberLines"><code>(a)</code></pre>', ''],
    ] as const
  ).map(
    ([name, source, language]) =>
      [`keeps the names of unknown languages: ${name}`, source, `<pre><code${language}>(a)</code></pre>`] as const,
  ),
  [
    'keeps emphasis in text with fixed lines',
    '<pre>A poem\n with <em>stress</em></pre>',
    '<pre>A poem\n with <em>stress</em></pre>',
  ],
  [
    'removes line numbers in a column (Hexo)',
    '<figure class="highlight js"><table><tr><td class="gutter"><pre><span class="line">1</span><br></pre></td><td class="code"><pre><span class="line"><span class="keyword">let</span> a;</span><br></pre></td></tr></table></figure>',
    `<figure>${COLOURED}</figure>`,
  ],
  [
    'removes line numbers in a column (Rouge)',
    '<div class="language-js highlighter-rouge"><div class="highlight"><pre class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n</pre></td><td class="rouge-code"><pre>let a;\n</pre></td></tr></tbody></table></code></pre></div></div>',
    `<div>${COLOURED}</div>`,
  ],
  [
    'removes line numbers within lines',
    '<pre><code class="language-js line-numbers"><span class="line"><span class="lineno">1</span>let a;</span></code></pre>',
    COLOURED,
  ],
  [
    'removes line numbers within lines (Chroma)',
    '<pre class="chroma"><code class="language-js"><span class="line"><span class="ln">1</span><span class="cl">let a;\n</span></span></code></pre>',
    COLOURED,
  ],
  [
    'removes line numbers in a column without `pre` (SyntaxHighlighter)',
    '<div class="syntaxhighlighter  js"><table><tr><td class="gutter"><div class="line number1">1</div></td><td class="code"><div class="container"><div class="line number1"><code class="js keyword">let</code> <code class="js plain">a;</code></div></div></td></tr></table></div>',
    COLOURED,
  ],
  [
    'reads an editor',
    '<div class="cm-editor"><div class="cm-scroller"><div class="cm-gutters"><div>1</div></div><div class="cm-content" data-language="js"><div class="cm-line">let&nbsp;a;</div></div></div></div>',
    `<div>${COLOURED}</div>`,
  ],
  [
    'removes the name of the language',
    '<div class="language-js"><span class="lang">js</span><pre><code>let a;</code></pre></div>',
    `<div>${COLOURED}</div>`,
  ],
  [
    'removes "Copy" buttons',
    '<div class="code"><pre><code class="language-js">let a;</code><span class="copy-btn">Kopieren</span></pre><div>Copy code</div></div>',
    `<div>${COLOURED}</div>`,
  ],
  [
    'takes a block out of inline code',
    '<code class="language-js"><pre><code class="hljs">let a;</code></pre></code>',
    COLOURED,
  ],
  ['keeps the lines of div', '<pre><code><div>one</div><div></div><div>  two</div></code></pre>', LINES],
  [
    'keeps the lines of Shiki',
    '<pre><code><span class="line">one</span>\n<span class="line"></span>\n<span class="line">  two</span></code></pre>',
    LINES,
  ],
  [
    'keeps the lines of Prism in React',
    '<pre><code><span class="token-line">one<br></span><span class="token-line"><br></span><span class="token-line">  two<br></span></code></pre>',
    LINES,
  ],
  [
    'keeps the lines of a numbered table',
    '<pre><code><table class="hljs-ln"><tr><td class="hljs-ln-numbers">1</td><td>one</td></tr> <tr><td class="hljs-ln-numbers">2</td><td></td></tr><tr><td class="hljs-ln-numbers">3</td><td>  two</td></tr></table></code></pre>',
    LINES,
  ],
  // tables and pictures
  [
    'turns a table that only places blocks into boxes',
    '<table><tr><td></td><td><h2>Rye</h2><p>Rye is dark.</p></td></tr><tr><td><p>It keeps.</p></td></tr></table>',
    '<div><div><h2>Rye</h2><p>Rye is dark.</p></div><div><p>It keeps.</p></div></div>',
  ],
  [
    'keeps a table of data with lists',
    '<table><tr><td>Rye</td><td><ul><li>dark</li></ul></td></tr><tr><td>Wheat</td><td><ul><li>light</li></ul></td></tr></table>',
    '<div class="embed-table"><table><tbody><tr><td>Rye</td><td><ul><li>dark</li></ul></td></tr><tr><td>Wheat</td><td><ul><li>light</li></ul></td></tr></tbody></table></div>',
  ],
  [
    'keeps pictures beside each other with links in their captions',
    `<div><div class="row">${['a', 'b'].map((name) => `<div><figure><img src="/${name}.jpg" width="400" height="300"><figcaption><a href="/${name}">${name}</a></figcaption></figure></div>`).join('')}</div></div>`,
    `<figure class="gallery">${['a', 'b'].map((name) => `<figure><img width="400" height="300" src="/${name}.jpg" alt=""><figcaption><a href="/${name}">${name}</a></figcaption></figure>`).join('')}</figure>`,
  ],
  [
    'turns a credit behind the box of a picture into its caption',
    '<div class="photo"><img src="/a.jpg" width="400" height="300"></div><p class="photo-credit">Ada Holm</p>',
    '<figure><p><img width="400" height="300" src="/a.jpg" alt=""></p><figcaption><span>Ada Holm</span></figcaption></figure>',
  ],
  [
    'keeps the link of a post of which only the label is there',
    '<blockquote class="instagram-media"><a href="https://www.instagram.com/p/abc/">View this post on Instagram</a></blockquote>',
    '<blockquote><p><cite><a href="https://www.instagram.com/p/abc/">View this post on Instagram</a></cite></p></blockquote>',
  ],
  [
    'shows one size of a picture',
    `<figure><img src="/large.jpg" width="400" height="300" alt="A loaf on a table"><img src="/small.jpg" width="40" height="30" alt="A loaf on a table"></figure>`,
    '<figure><img width="400" height="300" src="/large.jpg" alt="A loaf on a table"></figure>',
  ],
  [
    'finds the source of a picture in any attribute',
    '<p><img src="data:image/svg+xml,%3Csvg/%3E" data-image-loader="/late.png" alt="" width="4" height="3"></p>',
    '<p><img width="4" height="3" src="/late.png" alt=""></p>',
  ],
  [
    'takes a figure around paragraphs for a box',
    '<figure><p>One.</p><p>Two.</p></figure>',
    '<div><p>One.</p><p>Two.</p></div>',
  ],
  [
    'links to a post instead of its frame',
    '<iframe src="https://platform.twitter.com/embed/Tweet.html?dnt=true&id=123"></iframe>',
    '<p><a href="https://x.com/i/status/123">x.com</a></p>',
  ],
  // call-outs
  [
    'shows alerts of GitHub',
    '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title"><svg></svg>Warning</p><p>Hot.</p></div>',
    '<aside class="callout warning" role="note"><p class="callout-title">Warning</p><p>Hot.</p></aside>',
  ],
  [
    'shows marked quotes',
    '<blockquote><p>[!TIP]\nUse <b>steam</b>.</p></blockquote>',
    '<aside class="callout tip" role="note"><p lang="en" class="callout-title">Tip</p><p>Use <b>steam</b>.</p></aside>',
  ],
  [
    'shows marked quotes with a title',
    '<blockquote><p>[!important] Heat\nUse steam.</p></blockquote>',
    '<aside class="callout important" role="note"><p class="callout-title">Heat</p><p>Use steam.</p></aside>',
  ],
  [
    'shows admonitions of Docusaurus',
    '<div class="theme-admonition theme-admonition-danger admonition_x alert alert--danger"><div class="admonitionHeading_y"><span class="admonitionIcon_z"></span>danger</div><div class="admonitionContent_q"><p>Hot.</p></div></div>',
    '<aside class="callout caution" role="note"><p class="callout-title">danger</p><p>Hot.</p></aside>',
  ],
  [
    'shows admonitions of MkDocs',
    '<div class="admonition info"><p class="admonition-title">Gut zu wissen</p><p>Hot.</p></div>',
    '<aside class="callout note" role="note"><p class="callout-title">Gut zu wissen</p><p>Hot.</p></aside>',
  ],
  [
    'shows admonitions of AsciiDoc',
    '<div class="admonitionblock tip"><table><tr><td class="icon"><div class="title">Tip</div></td><td class="content">Use steam.</td></tr></table></div>',
    '<aside class="callout tip" role="note"><p class="callout-title">Tip</p>Use steam.</aside>',
  ],
  [
    'shows notices of WordPress',
    '<p class="notice notice-info">Bake it on Friday.</p>',
    '<aside class="callout note" role="note"><p lang="en" class="callout-title">Note</p><p>Bake it on Friday.</p></aside>',
  ],
  [
    'does not label a call-out twice',
    '<div class="notecard note"><p><strong>Note:</strong> hot.</p></div>',
    '<aside class="callout note" role="note"><p><strong>Note:</strong> hot.</p></aside>',
  ],
  [
    'shows an aside of the text',
    '<aside><p>A remark beside the text, of some length.</p></aside>',
    '<aside class="callout" role="note"><p>A remark beside the text, of some length.</p></aside>',
  ],
  ['leaves out an aside of links', '<aside><a href="/cakes">Ten cakes for the afternoon tea</a></aside>', ''],
  [
    'leaves out a box of another kind',
    '<div class="cookie-notice alert alert-info">We use cookies on this site.</div><aside class="newsletter"><p>Join our newsletter, all of you.</p></aside>',
    '',
  ],
  // tasks
  [
    'shows tasks with check boxes',
    '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> Buy <a href="/f">flour</a><ul><li><input type="checkbox"> Rye</li></ul></li></ul>',
    '<ul><li class="task"><label><input type="checkbox" disabled checked /> Buy <a href="/f">flour</a></label><ul><li class="task"><label><input type="checkbox" disabled /> Rye</label></li></ul></li></ul>',
  ],
  [
    'shows tasks with text',
    '<ul><li>[x] one</li><li><p>[ ] two</p></li><li>[a] three</li></ul>',
    '<ul><li class="task"><label><input type="checkbox" disabled checked />one</label></li><li class="task"><p><label><input type="checkbox" disabled />two</label></p></li><li>[a] three</li></ul>',
  ],
  [
    'leaves out other form controls',
    '<ul><li>Name <input type="text" value="x"> and <input type="checkbox"></li></ul>',
    '<ul><li>Name  and </li></ul>',
  ],
  // tables
  [
    'turns the cells of a thead into headers',
    '<table><thead><tr><td></td><td colspan="2">A</td></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table>',
    '<div class="embed-table"><table><thead><tr><td></td><th colspan="2">A</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table></div>',
  ],
  [
    'turns the cells of all rows of a thead into headers',
    '<table><thead><tr><td></td><td colspan="2">A</td></tr><tr><td>B</td><td>C</td><td>D</td></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table>',
    '<div class="embed-table"><table><thead><tr><td></td><th colspan="2">A</th></tr><tr><th>B</th><th>C</th><th>D</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table></div>',
  ],
  [
    'groups first rows of header cells in a thead',
    '<table><tr><th>A</th><th colspan="2">B</th></tr><tr><th></th><th>C</th><th>D</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    '<div class="embed-table"><table><thead><tr><th>A</th><th colspan="2">B</th></tr><tr><th></th><th>C</th><th>D</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table></div>',
  ],
  [
    'leaves a table of one bold row as it is',
    '<table><tr><td><b>A</b></td><td><b>B</b></td></tr></table>',
    '<div class="embed-table"><table><tbody><tr><td><b>A</b></td><td><b>B</b></td></tr></tbody></table></div>',
  ],
  [
    'turns the cells of a first row that alone is bold into headers',
    '<table><tr><td><b>A</b></td><td align="right"><p><strong>B</strong></p></td></tr><tr><td><b>1</b></td><td>2</td></tr></table>',
    '<div class="embed-table"><table><tbody><tr><th><b>A</b></th><th class="align-right"><p><strong>B</strong></p></th></tr><tr><td><b>1</b></td><td>2</td></tr></tbody></table></div>',
  ],
  [
    'leaves rows of bold cells and a first row with one as they are',
    '<table><tr><td><b>A</b></td><td><b>B</b></td></tr><tr><td><b>1</b></td><td><b>2</b></td></tr></table><table><tr><td><b>A</b></td><td>B</td></tr><tr><td>1</td><td>2</td></tr></table>',
    '<div class="embed-table"><table><tbody><tr><td><b>A</b></td><td><b>B</b></td></tr><tr><td><b>1</b></td><td><b>2</b></td></tr></tbody></table></div><div class="embed-table"><table><tbody><tr><td><b>A</b></td><td>B</td></tr><tr><td>1</td><td>2</td></tr></tbody></table></div>',
  ],
  [
    'keeps the alignment and the headers of tables',
    '<table><caption>Prices</caption><tr><th style="text-align: RIGHT" scope="col">A</th><th align="center">B</th></tr><tr style="text-align:right"><td class="has-text-align-left" rowspan="2">1</td><td style="color:red;text-align:justify">2</td></tr></table>',
    '<div class="embed-table"><table><caption>Prices</caption><tr><th scope="col" class="align-right">A</th><th class="align-center">B</th></tr><tr class="align-right"><td rowspan="2" class="align-left">1</td><td>2</td></tr></table></div>',
  ],
  // pictures
  [
    'shows galleries of WordPress',
    '<figure class="wp-block-gallery"><figure><img src="/a-300x200.jpg" alt="A"><figcaption>One</figcaption></figure><figure><img src="/b.jpg" alt="B"></figure></figure>',
    '<figure class="gallery"><figure><img width="300" height="200" src="/a-300x200.jpg" alt="A" /><figcaption>One</figcaption></figure><figure><img src="/b.jpg" alt="B" /></figure></figure>',
  ],
  [
    'shows galleries of columns',
    '<div class="row"><div class="col"><img src="/a.jpg" alt="A"></div><div class="col"><a href="/b"><img src="/b.jpg" alt="B"></a></div></div>',
    '<figure class="gallery"><p><img src="/a.jpg" alt="A" /></p><p><a href="/b"><img src="/b.jpg" alt="B" /></a></p></figure>',
  ],
  [
    'leaves badges in a line',
    '<p><img src="/a.svg" alt="A"> <img src="/b.svg" alt="B"></p>',
    '<p><img src="/a.svg" alt="A" /> <img src="/b.svg" alt="B" /></p>',
  ],
  [
    'names links around pictures by the caption',
    '<div class="wp-caption"><a href="/x"><img src="/x.jpg" width="6" height="4"></a><p class="wp-caption-text">The <b>loaf</b></p></div>',
    '<figure><a href="/x" aria-label="The loaf"><img width="6" height="4" src="/x.jpg" alt="" /></a><figcaption>The <b>loaf</b></figcaption></figure>',
  ],
  [
    'names links around pictures by their target',
    '<p>A <a href="/x/loaf.jpg"><img src="/x.jpg"></a> <a href="https://other.example/x"><img src="/x.jpg"></a> <a href="/y"></a></p>',
    '<p>A <a href="/x/loaf.jpg" aria-label="loaf.jpg"><img src="/x.jpg" alt="" /></a> <a href="https://other.example/x" aria-label="other.example"><img src="/x.jpg" alt="" /></a> <a></a></p>',
  ],
  ...(
    [
      ['attributes', 'src="/a.jpg" width="600" height="400px"', 'width="600" height="400" src="/a.jpg"'],
      [
        'style',
        'src="/a.jpg" style="max-width:9px; width:600px; height:400px"',
        'width="600" height="400" src="/a.jpg"',
      ],
      ['the name of the file', 'src="/a-1024x683.jpg"', 'width="1024" height="683" src="/a-1024x683.jpg"'],
      ['the name and a width', 'src="/a-1024x683.jpg" width="600"', 'width="600" height="400" src="/a-1024x683.jpg"'],
      [
        'the name in srcset',
        'src="/a.jpg" srcset="/a-300x200.jpg 300w"',
        'width="300" height="200" src="/a.jpg" srcset="/a-300x200.jpg 300w"',
      ],
      ['parameters', 'src="/a?w=600&amp;h=400"', 'width="600" height="400" src="/a?w=600&amp;h=400"'],
      ['the ratio in style', 'src="/a.jpg" style="aspect-ratio: 3 / 2"', 'width="1200" height="800" src="/a.jpg"'],
      ['data attributes', 'src="/a.jpg" data-orig-size="600,400"', 'width="600" height="400" src="/a.jpg"'],
    ] as const
  ).map(
    ([name, source, expected]) =>
      [
        `takes the size of an image from ${name}`,
        `<figure><img ${source} alt="A"></figure>`,
        `<figure><img ${expected} alt="A" /></figure>`,
      ] as const,
  ),
  [
    'reserves a box for an image of unknown size, unless it is in a line',
    '<figure><img src="/a.jpg" alt="A"></figure><p>An <img src="/b.png" alt="B"> icon in a line</p>',
    '<figure><img src="/a.jpg" alt="A" class="unsized" /></figure><p>An <img src="/b.png" alt="B" /> icon in a line</p>',
  ],
  [
    'shows the light variant of a picture, which has a light ground',
    '<picture><source media="(prefers-color-scheme: dark)" srcset="/dark.png"><source media="(prefers-color-scheme: light)" srcset="/light.png"><img src="/dark.png" width="6" height="4" alt="A"></picture><p>A <img src="/l.png#gh-light-mode-only" alt="L"><img src="/d.png#gh-dark-mode-only" alt="D"></p>',
    '<picture><source srcset="/light.png" /><img width="6" height="4" src="/dark.png" alt="A" /></picture><p>A <img src="/l.png#gh-light-mode-only" alt="L" /></p>',
  ],
  // what a click opens
  [
    'the questions of an accordion that are buttons in no heading',
    '<div class="faq-item"><button class="faq-question" aria-expanded="false" aria-controls="a1">Why rye?</button><div id="a1" hidden><p>For its taste.</p></div></div>',
    '<div><h3>Why rye?</h3><p>For its taste.</p></div>',
  ],
  [
    'the titles of an accordion that are links without an address',
    `<div class="accordion-item"><div class="tab-title" role="button" aria-controls="t1" aria-expanded="false"><a tabindex="0">Why rye?</a></div><div id="t1" hidden>${PARAGRAPH.replace('Bread', 'Rye')}</div></div>`,
    `<div><h3>Why rye?</h3>${PARAGRAPH.replace('Bread', 'Rye')}</div>`,
  ],
  [
    'a summary whose parts are named as a header',
    '<details><summary><span class="item-header">Why rye?</span></summary><p>For its taste.</p></details>',
    '<details><summary><span>Why rye?</span></summary><p>For its taste.</p></details>',
  ],
  [
    'tabs of radio buttons, each with its label',
    '<div class="tabbed-set"><div class="tabbed-labels"><label for="a">C</label><label for="b">C++</label></div><div class="tabbed-content"><div class="block"><pre><code>1</code></pre></div><div class="block"><pre><code>2</code></pre></div></div></div>',
    '<div><div><p><strong>C</strong></p><pre><code>1</code></pre></div><div><p><strong>C++</strong></p><pre><code>2</code></pre></div></div>',
  ],
  [
    'tabs with roles, each with its label',
    '<div><ul role="tablist"><li role="tab">npm</li><li role="tab">Yarn</li></ul><div><div role="tabpanel"><pre><code>npm i</code></pre></div><div role="tabpanel" hidden><pre><code>yarn</code></pre></div></div></div>',
    '<div><div><p><strong>npm</strong></p><pre><code>npm i</code></pre></div><div><p><strong>Yarn</strong></p><pre><code>yarn</code></pre></div></div>',
  ],
  // recordings
  [
    'a recording alone in a box',
    '<div class="player"><audio controls><source src="/a.mp3" type="audio/mpeg"></audio></div>',
    '<p><audio controls="" preload="none"><source src="/a.mp3"></audio></p>',
  ],
  [
    'a recording before a text',
    '<div><audio src="/a.mp3"></audio><p>Listen to this bread.</p></div>',
    '<div><audio src="/a.mp3" controls="" preload="none"></audio><p>Listen to this bread.</p></div>',
  ],
  [
    'a table with one filled cell in each row, which keeps a distance',
    '<table><tr><td></td><td>Flour for the crumb.</td></tr><tr><td colspan="2"></td><td>Salt for the taste.</td></tr></table>',
    '<div><div><p>Flour for the crumb.</p></div><div><p>Salt for the taste.</p></div></div>',
  ],
  // lists
  [
    'a list of Word',
    '<p class=MsoListParagraphCxSpFirst><span style="font-family:Symbol">·<span>&nbsp;&nbsp; </span></span>Flour</p><p class=MsoListParagraphCxSpLast><span>·<span>&nbsp; </span></span>Salt</p>',
    '<ul><li>Flour</li><li>Salt</li></ul>',
  ],
  [
    'the levels of a list of Google Docs',
    '<ul class="lst-kix_a-0 start"><li>Flour</li></ul><ul class="lst-kix_a-1 start"><li>Rye</li></ul><ul class="lst-kix_a-0"><li>Salt</li></ul>',
    '<ul><li>Flour<ul><li>Rye</li></ul></li></ul><ul><li>Salt</li></ul>',
  ],
  // code in boxes of sites
  [
    'short code in a box that has a name like a part of a site',
    '<div class="nextra-code"><pre data-language="js"><code>a</code></pre></div>',
    '<div><pre><code class="language-js">a</code></pre></div>',
  ],
  [
    'code of a chat without the name of its language',
    '<pre><div><div>python</div><div><button>Copy</button></div><div><code class="language-python">x</code></div></div></pre>',
    '<pre><code class="language-python">x</code></pre>',
  ],
  [
    'code without the lines that its page hides',
    '<pre><code class="language-rust"><span class="boring">fn main() {\n</span>x\n<span class="boring">}</span></code></pre>',
    '<pre><code class="language-rust">x</code></pre>',
  ],
  [
    'code whose lines have ids',
    '<pre><span id="1a">npm install</span><span id="2b">npm start<br>listening</span></pre>',
    '<pre><code>npm install\nnpm start\nlistening</code></pre>',
  ],
  [
    'code by EnlighterJS',
    '<div class="enlighter-default"><div class="enlighter-toolbar"><div title="Plain text"></div></div><div class="enlighter-code"><div class="enlighter"><div class=""><div><span class="enlighter-k1">a</span>;</div></div><div class=""><div>b</div></div></div><pre class="enlighter-raw"></pre></div></div>',
    '<div><pre><code>a;\nb</code></pre></div>',
  ],
  [
    'code by Doxygen',
    '<div class="fragment"><div class="line"><a name="l1"></a><span class="lineno">    1</span>&#160;int a;</div><div class="line"><span class="lineno">    2</span>&#160;int b;</div></div><!-- fragment -->',
    '<pre><code> int a;\n int b;</code></pre>',
  ],
  [
    'code that a script of the page would colour',
    '<div class="code-block" data-lang="kotlin">x\ny</div>',
    '<pre><code class="language-kotlin">x\ny</code></pre>',
  ],
  [
    'the language of code on MediaWiki',
    '<div class="mw-highlight mw-highlight-lang-python"><pre>x</pre></div>',
    '<div><pre><code class="language-python">x</code></pre></div>',
  ],
  // notes
  [
    'one link back from each note of Substack',
    '<p>Wheat<a id="footnote-anchor-1" href="#footnote-1" class="footnote-anchor">1</a> rises.</p><div class="footnote"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">1</a><div class="footnote-content"><p>A note of the mill.</p></div></div>',
    '<p>Wheat<sup><a id="s-embed-note-mark-1" href="#s-embed-note-1">1</a></sup> rises.</p>',
  ],
  [
    'a short note of Word',
    '<p>Rye<a href="#_ftn1" name="_ftnref1"><span>[1]</span></a> is sour.</p><div><hr><div id=ftn1><p><a href="#_ftnref1" name="_ftn1"><span>[1]</span></a> Ibid., p. 12.</p></div></div>',
    '<p>Rye<sup><a id="s-embed-note-mark-1" href="#s-ftn1">[1]</a></sup> is sour.</p>',
  ],
  [
    'a note of Sphinx without its label',
    '<p>See <a class="footnote-reference brackets" href="#f1" id="id2" role="doc-noteref">1</a>.</p><aside class="footnote brackets" id="f1" role="doc-footnote"><span class="label"><span>[</span><a role="doc-backlink" href="#id2">1</a><span>]</span></span><p>A note.</p></aside>',
    '<p>See <sup><a id="s-embed-note-mark-1" href="#s-f1">1</a></sup>.</p>',
  ],
  [
    'a note in the margin without a number',
    '<p>It rises.<label for="m">⊕</label><input type="checkbox" id="m"><span class="marginnote">A note.</span></p>',
    '<p>It rises.<sup><a id="s-embed-note-mark-1" href="#s-embed-note-1">1</a></sup></p>',
  ],
  // labels
  [
    'definitions and captions without permalinks',
    '<dl><dt id="walk">walk()<a class="headerlink" href="#walk">¶</a></dt><dd><p>Walks.</p></dd></dl>',
    '<dl><dt id="s-walk">walk()</dt><dd><p>Walks.</p></dd></dl>',
  ],
  [
    'a call-out with named parts as one',
    '<div class="kg-card kg-callout-card"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">A tip of the mill.</div></div>',
    '<aside class="callout note" role="note"><p lang="en" class="callout-title">Note</p><p>A tip of the mill.</p></aside>',
  ],
  [
    'a post of Bluesky with a picture',
    '<blockquote class="bluesky-embed"><p lang="en">Fresh.<br><br><a href="https://bsky.app/profile/x/post/y?ref_src=embed">[image or embed]</a></p>&mdash; Ada (<a href="https://bsky.app/profile/x">@ada</a>)</blockquote>',
    '<blockquote><p lang="en">Fresh.</p><p><cite>Ada (<a href="https://bsky.app/profile/x">@ada</a>)</cite></p></blockquote>',
  ],
  [
    'a formula of Substack',
    '<div class="latex-rendered" data-attrs="{&quot;persistentExpression&quot;:&quot;a&quot;}"></div>',
    '<math display="block" alttext="a"><mi>a</mi></math>',
  ],
  // links within the article
  [
    'keeps footnotes with their links back',
    '<p>Text<sup id="ref1"><a href="#fn1" aria-label="Note 1">1</a></sup> and more</p><div class="footnotes"><ol><li id="fn1"><a href="/blog/bread?#ref1">↩</a> <a href="/a">A</a></li></ol></div>',
    '<p>Text<sup id="s-ref1"><a href="#s-fn1" aria-label="Note 1">1</a></sup> and more</p><section class="footnotes"><ol><li id="s-fn1"><a href="#s-ref1">↩</a> <a href="/a">A</a></li></ol></section>',
  ],
  [
    'keeps headings in boxes that are named as the head of a site',
    '<section><header class="section-header" id="one"><h2>One</h2><p>A line below it</p></header><p>Text</p></section><div class="header"><p>2</p><h2>Two</h2></div>',
    '<section><div><h2 id="s-one">One</h2><p>A line below it</p></div><p>Text</p></section><div><p>2</p><h2>Two</h2></div>',
  ],
  [
    'removes permalinks',
    '<h2 id="a">One<a class="headerlink" href="#a">¶</a></h2><h3><a id="b" class="anchor" href="#b"></a>Two</h3><h3><a href="#c" class="anchor" id="c">Three</a></h3><h4 id="d"><a id="e" href="#d"></a>Four</h4>',
    '<h2 id="s-a">One</h2><h3 id="s-b">Two</h3><h3 id="s-c">Three</h3><h4 id="s-d"><a id="s-e"></a>Four</h4>',
  ],
  [
    'removes permalinks beside the heading, and finds their ids',
    '<div class="markdown-heading"><h2>One</h2><a id="user-content-one" class="anchor" href="#one"></a></div><p>To <a href="#one">one</a></p>',
    '<h2 id="s-user-content-one">One</h2><p>To <a href="#s-user-content-one">one</a></p>',
  ],
  [
    'removes the edit links of MediaWiki',
    '<div class="mw-heading"><h2 id="a">One</h2><span class="mw-editsection">[<a href="/edit">edit</a>]</span></div>',
    '<h2 id="s-a">One</h2>',
  ],
])('%s', (_name, source, expected) => {
  expect(blocksOf(source)).toBe(serialize(parseFragment(expected)));
});

test('code of more than 20,000 characters has no colours', () => {
  const block = (lines: number) => `<pre><code class="language-js">${'let a;\n'.repeat(lines)}</code></pre>`;
  expect(blocksOf(block(500))).toContain('hljs-keyword');
  expect(blocksOf(block(3_000))).not.toContain('hljs-keyword');
});

test('a table of facts before the text follows the first paragraph, and another table stays', () => {
  const rows = (title: string) =>
    `<table><tr>${title}</tr><tr><th>Born</th><td>1824</td></tr><tr><th>Died</th><td>1907</td></tr></table>`;
  const contentOf = (table: string) =>
    readArticle(`<html><title>Kelvin</title><body><article>${table}${PARAGRAPH}${PARAGRAPH}</article></body></html>`, {
      url: URL_OF_PAGE,
      robots: null,
    }).article.content ?? '';
  const facts = contentOf(rows('<th colspan="2">Lord Kelvin</th>'));
  expect(facts.indexOf(PARAGRAPH)).toBeLessThan(facts.indexOf('<div class="embed-table infobox">'));
  expect(facts.lastIndexOf(PARAGRAPH)).toBeGreaterThan(facts.indexOf('<table>'));
  const data = contentOf(rows('<th>Event</th><th>Year</th>'));
  expect(data).not.toContain('infobox');
  expect(data.indexOf('<table>')).toBeLessThan(data.indexOf(PARAGRAPH));
});
