import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';

const TEXT =
  'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help from the baker.';
const PARAGRAPH = `<p>${TEXT} ${TEXT}</p>`;

function contentOf(markup: string): string {
  const html = `<!doctype html><html lang="en"><head><title>Bread</title></head><body><article><h1>Bread</h1>${PARAGRAPH}${markup}${PARAGRAPH}</article></body></html>`;
  return readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article.content ?? '';
}

const mi = '<mjx-mi class="mjx-i"><mjx-c class="mjx-c1D465 TEX-I"></mjx-c></mjx-mi>';
const mn = (code: string) => `<mjx-mn class="mjx-n"><mjx-c class="mjx-c${code}"></mjx-c></mjx-mn>`;
const surd = '<mjx-surd><mjx-mo class="mjx-n"><mjx-c class="mjx-c221A"></mjx-c></mjx-mo></mjx-surd>';
const cubeRoot = `<mjx-mroot><mjx-root>${mn('33')}</mjx-root><mjx-sqrt>${surd}<mjx-box>${mi}</mjx-box></mjx-sqrt></mjx-mroot>`;
const bracket = (code: string) =>
  `<mjx-mo class="mjx-n"><mjx-stretchy-v class="mjx-c${code}"><mjx-beg><mjx-c></mjx-c></mjx-beg><mjx-ext><mjx-c></mjx-c></mjx-ext><mjx-end><mjx-c></mjx-c></mjx-end><mjx-mark></mjx-mark></mjx-stretchy-v></mjx-mo>`;
const path = (node: string, code: string) => `<g data-mml-node="${node}"><path data-c="${code}"></path></g>`;
const container = (math: string, attributes = '') =>
  `<p>It is <mjx-container class="MathJax" jax="CHTML"${attributes}><mjx-math aria-hidden="true">${math}</mjx-math></mjx-container> so.</p>`;

const katex = (boxes: string) =>
  `<p>It is <span class="katex"><span class="katex-html" aria-hidden="true"><span class="base"><span class="strut" style="height:1em;"></span>${boxes}</span></span></span> so.</p>`;
const stack = (rows: string) =>
  `<span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist" style="height:0.8em;">${rows}</span><span class="vlist-s">\u200b</span></span><span class="vlist-r"><span class="vlist" style="height:0.3em;"><span></span></span></span></span>`;
const row = (top: number, boxes: string, strut = 3) =>
  `<span style="top:-${top}em;"><span class="pstrut" style="height:${strut}em;"></span>${boxes}</span>`;
const letter = (name: string) => `<span class="mord mathnormal mtight">${name}</span>`;
const squared = `${letter('b')}<span class="msupsub">${stack(row(3.063, '<span class="mord">2</span>', 2.7))}</span>`;
const fraction = `<span class="mfrac">${stack(`${row(2.655, squared)}${row(3.23, '<span class="frac-line"></span>')}${row(3.394, '<span class="mord">1</span>')}`)}</span>`;
const root = (degree: string) =>
  `<span class="mord sqrt">${degree}${stack(`${row(3, letter('x'))}${row(2.76, '<span class="hide-tail"><svg></svg></span>')}`)}</span>`;

/** Formulas that were rendered without MathML, and the MathML or the HTML that is shown. */
const FORMULAS: Readonly<Record<string, readonly [markup: string, shown: string]>> = {
  'with both scripts': [
    container(
      `<mjx-msubsup>${mi}<mjx-script>${mn('32')}<mjx-spacer></mjx-spacer>${mn('31')}</mjx-script></mjx-msubsup>`,
    ),
    '<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>',
  ],
  'with a fraction in its own line': [
    container(
      `<mjx-mfrac><mjx-frac><mjx-num>${mi}</mjx-num><mjx-dbox><mjx-row><mjx-den>${mn('32')}</mjx-den></mjx-row></mjx-dbox></mjx-frac></mjx-mfrac>`,
      ' display="true"',
    ),
    '<math display="block"><mrow><mfrac><mi>x</mi><mn>2</mn></mfrac></mrow></math>',
  ],
  'with limits': [
    container(
      `<mjx-munderover><mjx-over>${mn('32')}</mjx-over><mjx-box><mjx-munder><mjx-row><mjx-base><mjx-mo><mjx-c class="mjx-c2211"></mjx-c></mjx-mo></mjx-base></mjx-row><mjx-row><mjx-under>${mi}</mjx-under></mjx-row></mjx-munder></mjx-box></mjx-munderover>`,
    ),
    '<munderover><mrow><mo>∑</mo></mrow><mrow><mi>x</mi></mrow><mrow><mn>2</mn></mrow></munderover>',
  ],
  'as a drawing': [
    `<p>It is <mjx-container class="MathJax" jax="SVG"><svg viewBox="0 0 9 9"><g data-mml-node="math"><g data-mml-node="msup"><g data-mml-node="mi"><path data-c="1D465" d="M0 0Z"></path></g><g data-mml-node="mn"><path data-c="32" d="M0 0Z"></path></g></g></g></svg></mjx-container> so.</p>`,
    '<msup><mi>x</mi><mn>2</mn></msup>',
  ],
  'with roots': [
    container(`<mjx-msqrt><mjx-sqrt>${surd}<mjx-box>${mi}</mjx-box></mjx-sqrt></mjx-msqrt>${cubeRoot}`),
    '<msqrt><mi>x</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>',
  ],
  'with roots in SVG': [
    `<p>It is <mjx-container class="MathJax" jax="SVG"><svg><g data-mml-node="math"><g data-mml-node="msqrt"><g>${path('mi', '1D465')}</g>${path('mo', '221A')}<rect></rect></g><g data-mml-node="mroot"><g>${path('mi', '1D465')}</g>${path('mn', '33')}<g data-mml-node="mo"><path data-c="E001"></path><path data-c="23B7"></path><svg><path data-c="E000"></path></svg></g><rect></rect></g></g></svg></mjx-container> so.</p>`,
    '<msqrt><mi>x</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>',
  ],
  'with tall brackets': [container(`${bracket('28')}${mi}${bracket('29')}`), '<mo>(</mo><mi>x</mi><mo>)</mo>'],
  'with MathML in an attribute': [
    '<p>It is <span class="MathJax" data-mathml="&lt;math&gt;&lt;msup&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;mn&gt;2&lt;/mn&gt;&lt;/msup&gt;&lt;/math&gt;"><nobr aria-hidden="true">x2</nobr></span> so.</p>',
    '<math><msup><mi>x</mi><mn>2</mn></msup></math> so.',
  ],
  'with MathML in an attribute, and TeX after it': [
    '<p>It is <span class="MathJax" data-mathml="&lt;math&gt;&lt;mi&gt;y&lt;/mi&gt;&lt;/math&gt;"><nobr>x2</nobr></span><script type="math/tex">x^2</script> so.</p>',
    '<p>It is <math alttext="x^2">',
  ],
  'in boxes of an old KaTeX': [
    '<p>It is <span class="katex"><span class="katex-html" aria-hidden="true"><span class="mord">x<span class="msupsub"><span class="vlist"><span style="top:0.15em;margin-left:0em;"><span>1</span></span><span style="top:-0.363em;margin-right:0.05em;"><span>2</span></span></span></span></span></span></span> so.</p>',
    '<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>',
  ],
  'with a fraction in boxes of KaTeX': [
    katex(
      `<span class="mord"><span class="mopen nulldelimiter"></span>${fraction}<span class="mclose nulldelimiter"></span></span>`,
    ),
    '<math><mfrac><mn>1</mn><msup><mi>b</mi><mn>2</mn></msup></mfrac></math>',
  ],
  'with roots in boxes of KaTeX': [
    katex(`${root('')}${root(`<span class="root">${stack(row(2.878, letter('n')))}</span>`)}`),
    '<msqrt><mi>x</mi></msqrt><mroot><mi>x</mi><mi>n</mi></mroot>',
  ],
  'with limits in boxes of KaTeX': [
    `<span class="katex-display">${katex(`<span class="mop op-limits">${stack(`${row(1.87, `${letter('i')}<span class="mrel mtight">=</span><span class="mord mtight">1</span>`)}${row(3.05, '<span class="mop op-symbol large-op">∑</span>', 3.05)}${row(4.3, letter('n'))}`)}</span>`)}</span>`,
    '<math display="block"><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover></math>',
  ],
  'with an arrow, a function, something invisible and negated relations in boxes of KaTeX': [
    katex(
      `<span class="mrel x-arrow">${stack(`${row(3.3, letter('fg'))}${row(2.7, '<span class="hide-tail"><svg preserveAspectRatio="xMaxYMin slice"></svg></span>')}`)}</span><span class="mop mtight"><span class="mtight">l</span><span class="mtight">n</span></span><span class="mord" style="color:transparent;">${letter('z')}</span><span class="mrel"><span class="mord"><span class="mrel">∈</span></span><span class="mord vbox"><span class="llap"><span class="inner"><span class="mord">/</span></span></span></span></span><span class="mrel"><span class="rlap">\ue020</span></span><span class="mspace nobreak"></span><span class="mrel">⊂</span>`,
    ),
    '<mover><mo>→</mo><mrow><mi>f</mi><mi>g</mi></mrow></mover><mi>ln</mi><mo>∉</mo><mo>⊄</mo>',
  ],
  'with a matrix, an accent and a word in boxes of KaTeX': [
    katex(
      `<span class="minner"><span class="mopen"><span class="delimsizing mult">${stack(`${row(2.5, '<span class="delimsizinginner delim-size4"><span>⎝</span></span>')}${row(3.5, '<span class="delimsizinginner delim-size4"><span>⎛</span></span>')}`)}</span></span><span class="mtable">${['ab', 'cd'].map(([above = '', below = '']) => `<span class="col-align-c">${stack(`${row(3.6, letter(above))}${row(2.4, letter(below))}`)}</span>`).join('<span class="arraycolsep"></span>')}</span></span><span class="mord accent">${stack(`${row(3, letter('x'))}${row(3, '<span class="accent-body"><span class="mord">ˉ</span></span>')}`)}</span><span class="mord text"><span class="mord">if so</span></span><span class="mrel"><span class="mrel"><span class="mord vbox">\ue020</span></span><span class="mrel">=</span></span>`,
    ),
    '<mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>c</mi></mtd></mtr><mtr><mtd><mi>b</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable><mover accent="true"><mi>x</mi><mo>ˉ</mo></mover><mtext>if so</mtext><mo>≠</mo>',
  ],
};

test.each(Object.entries(FORMULAS))('shows a formula %s', (_, [markup, shown]) => {
  expect(contentOf(markup).replace(/ alttext=""/, '')).toContain(shown);
});

const CODE = 'let a = 1\nbake(a)';
const lines = (write: (line: string, i: number) => string) => CODE.split('\n').map(write).join('');

/** Editors and highlighters with the numbers of lines beside the code. */
const EDITORS: Readonly<Record<string, string>> = {
  Ace: `<div class="ace_editor"><div class="ace_gutter"><div>${lines((_, i) => `<div class="ace_gutter-cell">${i}</div>`)}</div></div><div class="ace_text-layer">${lines((line) => `<div class="ace_line_group"><div class="ace_line">${line}</div></div>`)}</div></div>`,
  'Ace without an editor': `<pre class="ace_static_highlight">${lines((line, i) => `<div class="ace_line"><span class="ace_gutter ace_gutter-cell">${i}</span>${line}\n</div>`)}</pre>`,
  'CodeMirror 5': `<div class="CodeMirror"><div class="CodeMirror-code">${lines((line, i) => `<div><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber">${i}</div></div><pre class=" CodeMirror-line "><span>${line}</span></pre></div>`)}</div></div>`,
  'Monaco in TypeScript': `<div class="monaco-editor" data-mode-id="typescript"><div class="margin-view-overlays">${lines((_, i) => `<div class="line-numbers">${i}</div>`)}</div><div class="view-lines">${lines((line) => `<div class="view-line"><span>${line}</span></div>`)}</div></div>`,
  'a table of code elements': `<figure class="highlight"><table>${lines((line, i) => `<tr><td>${i + 1}</td><td><code>${line}</code></td></tr>`)}</table></figure>`,
  'a table': `<div class="code-block"><table>${lines((line, i) => `<tr><td>${i + 1}</td><td>${line}</td></tr>`)}</table></div>`,
};

test.each(Object.entries(EDITORS))('shows the code of %s without the numbers of its lines', (name, markup) => {
  const content = contentOf(markup);
  const [, code = ''] = /<pre><code[^>]*>(.*?)<\/code><\/pre>/s.exec(content) ?? [];
  expect(code.replace(/<[^>]*>/g, '')).toBe(CODE);
  expect(content.includes('language-typescript')).toBe(name.includes('TypeScript'));
});

test.each(['resources', 'postcodes', 'code', 'highlight'])('keeps a ranking in a box that is named %s', (name) => {
  const rows = ['Tokyo', 'Delhi'].map((city, i) => `<tr><td>${i + 1}</td><td>${city}</td></tr>`).join('');
  expect(contentOf(`<div class="${name}"><table>${rows}</table></div>`)).toContain('<td>2</td><td>Delhi</td>');
});

const times = (count: number, write: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => write(i)).join('');

/** What applications show instead of an article. */
const INTERFACES: Readonly<Record<string, string>> = {
  'a dashboard': times(
    8,
    (i) => `<div><h3>Oven ${i}</h3><div>23${i}.5</div><p>Compared with the previous period</p></div>`,
  ),
  'a board of tasks': times(
    3,
    (i) => `<h2>Day ${i}</h2>${times(7, (j) => `<div><p>Bake ${j} loaves for the shop</p></div>`)}`,
  ),
  'a list of mails': times(
    30,
    (i) => `<div><span>Baker ${i}</span><span>The order of flour for week ${i}</span><span>9:3${i}</span></div>`,
  ),
  'rows of an inbox': times(
    20,
    (i) =>
      `<div role="row"><span>Ada Miller</span><span>Re: meeting on day ${i}</span><span>Hello, could we move the meeting…</span><span>Mar ${i}</span></div>`,
  ),
  'a list of prices': times(
    3,
    (i) => `<h2>Plan ${i}</h2><p>€ 1${i}</p><ul><li>Bread each day</li><li>Own oven</li></ul>`,
  ),
};

test.each(Object.entries(INTERFACES))('shows %s that scripts have built as a card', (_, body) => {
  const html = `<!doctype html><html lang="en"><head><title>Bakery</title></head><body><main><h1>Bakery</h1>${body}</main></body></html>`;
  const context = { url: 'https://www.baker.example/app', robots: null };
  expect(readArticle(html, { ...context, isRendered: true }).article.content).toBeNull();
  // sites write such parts without scripts for readers
  expect(readArticle(html, context).article.content).not.toBeNull();
});

test('shows short questions, code and tables with sentences that scripts have built', () => {
  const read = (body: string) =>
    readArticle(`<title>Bread</title><main><h1>Bread</h1>${body}</main>`, {
      url: 'https://www.baker.example/app',
      robots: null,
      isRendered: true,
    }).article.content;
  expect(read(times(3, (i) => `<h3>Is there rye on day ${i}?</h3><p>Yes, until noon.</p>`))).toContain('until noon');
  expect(read(times(3, (i) => `<h3>Step ${i}</h3><pre>bake --minutes ${i}</pre>`))).toContain('bake');
  expect(read(`${PARAGRAPH}<table>${times(40, (i) => `<tr><td>Day ${i}</td><td>Rye</td></tr>`)}</table>`)).toContain(
    'Rye',
  );
});

/** Texts without the marks of English sentences. */
const UNMARKED: Readonly<Record<string, string>> = {
  'in Thai': times(3, () => `<p>${'ขนมปังต้องการแป้งน้ำเกลือและเวลา '.repeat(5)}</p>`),
  'in Urdu': times(9, () => '<p>روٹی کو آٹا اور پانی اور نمک چاہیے۔</p>'),
  'in Armenian': times(9, () => '<p>Հացը ալյուր ջուր աղ և ժամանակ է ուզում։</p>'),
  'in verses': times(3, () => `<p>${times(4, () => 'the oven glows before the night is gone<br>')}</p>`),
  'around lists': `<ul>${times(5, (i) => `<li>${TEXT} ${TEXT}<ul><li>Rye ${i}</li></ul></li>`)}</ul>`,
  // 40 kB
  'in a long paragraph without a mark': `<p>${'flour and water '.repeat(2_500)}</p>`,
};

test.each(Object.entries(UNMARKED))('shows a text %s that scripts have built', (_, body) => {
  const html = `<title>Bread</title><main><h1>Bread</h1>${body}</main>`;
  const context = { url: 'https://www.baker.example/bread', robots: null, isRendered: true };
  expect(readArticle(html, context).article.content).not.toBeNull();
});

test('shows a request to sign in below its heading as a card', () => {
  const wall = `<h1>Log in to continue</h1><p>To read this recipe, you must be a member. ${TEXT}</p>`;
  const html = `<title>Bread</title><main>${wall}</main>`;
  expect(readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article.content).toBeNull();
});
