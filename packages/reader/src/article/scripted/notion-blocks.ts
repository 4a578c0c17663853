import { escapeHtml } from '../../html.ts';
import { fallbackTitleOf } from '../../page-url.ts';
import { toLine } from '../plain-text.ts';
import { convertDatabase, headIn } from './notion-database.ts';

const BLOCK_CLASS = /(?:^|\s)notion-([a-z_]+)-block(?:\s|$)/;
/** The mark of the renderer (`src/pages/render/`) on toggles that were closed. */
const OPENED = 'data-embed-opened';
/** Deeper blocks are left out. */
const MAX_DEPTH = 40;
/** The element that contains the text of a block. */
const TEXT = '[data-content-editable-leaf], [contenteditable], h1, h2, h3, h4';

interface Block {
  readonly type: string;
  readonly element: Element;
  /** The text of the block itself, as HTML. */
  readonly text: string;
  /** The blocks inside, as HTML. */
  readonly children: string;
}

type Convert = (block: Block) => string;

const paragraph: Convert = ({ text, children }) => (text === '' ? children : `<p>${text}</p>${children}`);
/** Blocks of other services, such as posts and drawings, are frames or links. */
const otherBlock: Convert = (block) =>
  block.text === '' && block.children === '' ? frameOf(block.element) : paragraph(block);
const heading =
  (name: string): Convert =>
  (block) =>
    ownButtonOf(block.element)
      ? toggle({ ...block, text: `<${name}>${block.text}</${name}>` })
      : `<${name}>${block.text}</${name}>${block.children}`;
const toggle: Convert = ({ element, text, children }) =>
  `<details${isClosed(element) ? '' : ' open'}><summary>${text}</summary>${children}</details>`;
const item: Convert = ({ text, children }) => `<li>${text}${children}</li>`;
const childrenOnly: Convert = ({ children }) => children;
const nothing: Convert = () => '';

/** HTML by the type of a block. */
const CONVERSIONS = new Map<string, Convert>(
  Object.entries({
    text: paragraph,
    header: heading('h2'),
    sub_header: heading('h3'),
    sub_sub_header: heading('h4'),
    header_4: heading('h5'),
    bulleted_list: item,
    numbered_list: item,
    to_do: ({ element, text, children }) =>
      `<li><input type="checkbox" disabled${isDone(element) ? ' checked' : ''}> ${text}${children}</li>`,
    toggle,
    quote: ({ text, children }) => `<blockquote><p>${text}</p>${children}</blockquote>`,
    callout: ({ element, text, children }) => {
      const icon = iconOf(element);
      const words = [icon === '' ? '' : `${icon} `, text].join('');
      return `<div class="notion-callout">${words === '' ? '' : `<p>${words}</p>`}${children}</div>`;
    },
    code: ({ element, children }) => codeOf(element) + children,
    equation: ({ element }) => `<p><span class="katex-display">${formulaOf(element)}</span></p>`,
    divider: () => '<hr>',
    image: ({ element }) => figureOf(element),
    bookmark: ({ element }) => linkCardOf(element),
    table: ({ element }) => tableOf(element),
    collection_view: ({ element }) => headOf(element) + convertDatabase(element, inlineOf),
    page: ({ element }) => linkOf(element),
    alias: ({ element }) => linkOf(element),
    file: ({ element }) => linkCardOf(element),
    pdf: ({ element }) => linkCardOf(element) || viewerLinkOf(element),
    video: ({ element }) => mediaOf(element, 'video'),
    audio: ({ element }) => mediaOf(element, 'audio'),
    embed: ({ element }) => frameOf(element),
    column_list: ({ children }) => `<div class="notion-columns">${children}</div>`,
    column: ({ children }) => `<div>${children}</div>`,
    transclusion_container: childrenOnly,
    transclusion_reference: childrenOnly,
    breadcrumb: nothing,
    table_of_contents: nothing,
  }),
);

const LISTS = new Map(Object.entries({ bulleted_list: 'ul', to_do: 'ul', numbered_list: 'ol' }));

/** Converts the blocks of a page, in their order. */
export function convertBlocks(content: Element): string {
  return blocksIn(content, 0);
}

/** Converts the outermost blocks in an element. Consecutive items of one kind become one list. */
function blocksIn(root: Element, depth: number): string {
  if (depth > MAX_DEPTH) return '';
  let html = '';
  let openList: string | null = null;
  for (const element of outermostBlocks(root)) {
    const type = typeOf(element) ?? '';
    const list = LISTS.get(type) ?? null;
    if (list !== openList) {
      html += `${openList === null ? '' : `</${openList}>`}${list === null ? '' : `<${list}>`}`;
      openList = list;
    }
    const block = { type, element, text: ownTextOf(element), children: blocksIn(element, depth + 1) };
    html += (CONVERSIONS.get(type) ?? otherBlock)(block);
  }
  return openList === null ? html : `${html}</${openList}>`;
}

function outermostBlocks(root: Element): readonly Element[] {
  return [...root.querySelectorAll('[class*="-block"]')].filter(
    (element) => typeOf(element) !== null && closestBlock(element.parentElement, root) === null,
  );
}

function closestBlock(start: Element | null, root: Element): Element | null {
  for (let element = start; element && element !== root; element = element.parentElement) {
    if (typeOf(element) !== null) return element;
  }
  return null;
}

function typeOf(element: Element): string | null {
  return BLOCK_CLASS.exec(element.getAttribute('class') ?? '')?.[1] ?? null;
}

function ownTextOf(block: Element): string {
  const leaf = [...block.querySelectorAll(TEXT)].find((element) => closestBlock(element, block) === null);
  return leaf ? inlineOf(leaf) : '';
}

/** Converts text with its formats, which Notion writes as styles. */
function inlineOf(element: Element): string {
  let html = '';
  for (const node of element.childNodes) {
    if (node.nodeType === node.TEXT_NODE) html += escapeHtml(node.nodeValue ?? '').replaceAll('\n', '<br>');
    else if (node.nodeType === node.ELEMENT_NODE) html += inlineElementOf(node as Element);
  }
  return html.replace(/(?:<br>|\s)+$/, '');
}

function inlineElementOf(element: Element): string {
  if (element.localName === 'br') return '<br>';
  if (element.localName === 'img') return escapeHtml(element.getAttribute('alt') ?? '');
  if (['svg', 'button', 'style'].includes(element.localName)) return '';
  if (element.classList.contains('notion-record-icon')) return '';
  if (element.querySelector('math, annotation') || element.localName === 'math') return formulaOf(element);
  const href = element.localName === 'a' ? element.getAttribute('href') : null;
  const style = (element.getAttribute('style') ?? '').toLowerCase().replace(/\s/g, '');
  const names = [
    ...(href ? [`a href="${escapeHtml(href)}"`] : []),
    ...(/font-weight:(?:[6-9]00|bold)/.test(style) || ['b', 'strong'].includes(element.localName) ? ['strong'] : []),
    ...(/font-style:italic/.test(style) || ['i', 'em'].includes(element.localName) ? ['em'] : []),
    ...(/line-through/.test(style) ? ['s'] : []),
    ...(/monospace/.test(style) || element.localName === 'code' ? ['code'] : []),
  ];
  const closing = names.toReversed().map((name) => `</${name.split(' ')[0]}>`);
  return names.map((name) => `<${name}>`).join('') + inlineOf(element) + closing.join('');
}

/** The button that opens a toggle, or a heading that is one. */
function ownButtonOf(block: Element): Element | undefined {
  const buttons = [...block.querySelectorAll('[role="button"][aria-expanded]')];
  return buttons.find((element) => closestBlock(element.parentElement, block) === null);
}

/** The renderer opens toggles to read them, and marks those that it has opened. */
function isClosed(block: Element): boolean {
  return block.hasAttribute(OPENED) || ownButtonOf(block)?.getAttribute('aria-expanded') === 'false';
}

/** The browser writes the state of a check box into its attribute. Older pages have a sign or a struck-out text only. */
function isDone(block: Element): boolean {
  const own = (selector: string) =>
    [...block.querySelectorAll(selector)].find((element) => closestBlock(element, block) === null);
  const box = own('input[type="checkbox"], [role="checkbox"]');
  if (box) return box.hasAttribute('checked') || box.getAttribute('aria-checked') === 'true';
  const text = own(TEXT)?.getAttribute('style') ?? '';
  return own('svg.check, svg.checkmark') !== undefined || /line-through/.test(text);
}

/** Keeps the markup of KaTeX, which contains MathML and TeX. */
function formulaOf(element: Element): string {
  const tex = element.querySelector('annotation')?.textContent?.trim() ?? '';
  const math = element.localName === 'math' ? element : element.querySelector('math');
  if (math) return `<span class="katex"><span class="katex-mathml">${math.outerHTML}</span></span>`;
  return `<code>${escapeHtml(tex || element.textContent?.trim() || '')}</code>`;
}

function codeOf(block: Element): string {
  const leaf = block.querySelector(TEXT) ?? block.querySelector('code, pre');
  const language = [...block.querySelectorAll('[role="button"]')].map(
    ({ textContent }) => textContent?.trim() ?? '',
  )[0];
  const name = /^[\w+#. -]{1,30}$/.test(language ?? '') ? language?.toLowerCase().replaceAll(' ', '-') : undefined;
  const caption = captionOf(block, leaf);
  const attribute = name && name !== 'plain-text' && name !== 'copy' ? ` class="language-${name}"` : '';
  return `<pre><code${attribute}>${escapeHtml(leaf?.textContent ?? '')}</code></pre>${caption === '' ? '' : `<p>${caption}</p>`}`;
}

function figureOf(block: Element): string {
  const image = block.querySelector('img');
  if (!image) return '';
  const caption = captionOf(block, null);
  const alt = escapeHtml(image.getAttribute('alt') ?? '');
  const picture = `<img src="${escapeHtml(image.getAttribute('src') ?? '')}" alt="${alt}">`;
  return `<figure>${picture}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
}

function mediaOf(block: Element, name: 'audio' | 'video'): string {
  const source = block.querySelector(`${name}[src], ${name} source[src]`)?.getAttribute('src');
  return source ? `<${name} src="${escapeHtml(source)}" controls></${name}>` : frameOf(block);
}

function frameOf(block: Element): string {
  const source = block.querySelector('iframe[src]')?.getAttribute('src');
  return source ? `<iframe src="${escapeHtml(source)}"></iframe>` : linkCardOf(block);
}

/** Converts the link of a page: its name, without its icon. */
function linkOf(block: Element): string {
  const link = block.querySelector('a[href]');
  if (!link) return '';
  for (const icon of link.querySelectorAll('.notion-record-icon')) icon.remove();
  const href = link.getAttribute('href') ?? '';
  const name = toLine(link.textContent) || href;
  return `<p><a href="${escapeHtml(href)}">${escapeHtml(name)}</a></p>`;
}

/** Converts a preview of a linked page: its title as a link, and its description. */
function linkCardOf(block: Element): string {
  const link = block.querySelector('a[href]');
  if (!link) return '';
  const href = link.getAttribute('href') ?? '';
  const texts = [...link.querySelectorAll('div, span')]
    .filter((element) => element.childElementCount === 0 && element.textContent?.trim())
    .map((element) => element.textContent?.trim() ?? '');
  const [title = link.textContent?.trim() || href, ...rest] = texts;
  const description = rest.filter((text) => text !== href)[0];
  const more = description === undefined ? '' : `<br>${escapeHtml(description)}`;
  return `<p><a href="${escapeHtml(href)}">${escapeHtml(title)}</a>${more}</p>`;
}

/** Links to the file in a viewer, by its name. */
function viewerLinkOf(block: Element): string {
  const viewer = block.querySelector('iframe[src], embed[src], object[data]');
  const source = viewer?.getAttribute('src') ?? viewer?.getAttribute('data') ?? '';
  // the reader resolves it: only the name is read here
  const url = URL.parse(source, 'https://notion.so/');
  if (url?.protocol !== 'https:') return '';
  const file = URL.parse(url.searchParams.get('file') ?? '');
  const name = fallbackTitleOf((file ?? url).href);
  return `<p><a href="${escapeHtml(file?.href ?? source)}">${escapeHtml(name)}</a></p>`;
}

/** Converts the title and the description of a database in a page. */
function headOf(database: Element): string {
  const [title = '', description = ''] = headIn(database, TEXT).map(inlineOf);
  return [title && `<h3>${title}</h3>`, description && `<p>${description}</p>`].join('');
}

function tableOf(block: Element): string {
  const rows = [...block.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('td, th')].map((cell) => inlineOf(cell.querySelector(TEXT) ?? cell)),
  );
  const hasHeader = block.querySelector('th') !== null || /font-weight:\s*[5-7]00/.test(styleOfFirstCell(block));
  const lines = rows.map((cells, index) => {
    const name = hasHeader && index === 0 ? 'th' : 'td';
    return `<tr>${cells.map((cell) => `<${name}>${cell}</${name}>`).join('')}</tr>`;
  });
  return `<table>${lines.join('')}</table>`;
}

function styleOfFirstCell(block: Element): string {
  const cell = block.querySelector('td');
  return [cell, ...(cell?.querySelectorAll('[style]') ?? [])]
    .map((element) => element?.getAttribute('style'))
    .join(';');
}

function captionOf(block: Element, text: Element | null): string {
  const leaf = [...block.querySelectorAll(TEXT)].find((element) => element !== text && !text?.contains(element));
  return leaf ? inlineOf(leaf) : '';
}

/** Converts a page that is a database. */
export function convertView(view: Element): string {
  return convertDatabase(view, inlineOf);
}

/** Returns an emoji as text, and a picture as an image. */
export function iconOf(element: Element): string {
  const icon = element.querySelector('.notion-record-icon');
  if (!icon || closestBlock(icon, element) !== null) return '';
  const image = icon.querySelector('img');
  const alt = image?.getAttribute('alt') ?? icon.textContent?.trim() ?? '';
  const isEmoji = /\p{Extended_Pictographic}/u.test(alt);
  if (isEmoji || !image) return escapeHtml(alt);
  return `<img src="${escapeHtml(image.getAttribute('src') ?? '')}" alt="${escapeHtml(alt)}" width="78" height="78">`;
}
