import { selectAll } from '../tree/select.ts';
import { convertDatabase, headOf } from './notion-database.ts';
import { codeOf, figureOf, frameOf, linkCardOf, linkOf, mediaOf, simpleTableOf, viewerLinkOf } from './notion-media.ts';
import { closestBlock, findText, formulaOf, iconOf, inlineOf, ownElements, typeOf } from './notion-text.ts';

/** The mark of the renderer (`packages/fetcher/`) on toggles that were closed. */
const OPENED = 'data-embed-opened';
/** Deeper blocks are left out. */
const MAX_DEPTH = 40;
/** The number before the text of an item, such as `a.`, which is in a style. */
const ITEM_NUMBER = /content:\s*(?:"|'|&quot;)(\d{1,6}|[a-z]{1,9})\./;

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
/** Puts an icon into the line of the first paragraph. */
const withIcon = (icon: string, html: string): string => {
  if (icon === '') return html;
  return html.startsWith('<p>') ? `<p>${icon} ${html.slice('<p>'.length)}` : `<p>${icon}</p>${html}`;
};
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
    callout: (block) => `<div class="notion-callout">${withIcon(iconOf(block.element), paragraph(block))}</div>`,
    code: ({ element }) => codeOf(element),
    equation: ({ element }) => `<p><span class="katex-display">${formulaOf(element)}</span></p>`,
    divider: () => '<hr>',
    image: ({ element }) => figureOf(element),
    bookmark: ({ element }) => linkCardOf(element),
    table: ({ element }) => simpleTableOf(element),
    collection_view: ({ element }) => headOf(element) + convertDatabase(element),
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

export function hasBlocks(content: Element): boolean {
  return outermostBlocks(content).length > 0;
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
      html += `${openList === null ? '' : `</${openList}>`}${list === null ? '' : `<${list}${numberingOf(element)}>`}`;
      openList = list;
    }
    const text = findText(element);
    const block = { type, element, text: text ? inlineOf(text) : '', children: blocksIn(element, depth + 1) };
    html += (CONVERSIONS.get(type) ?? otherBlock)(block);
  }
  return openList === null ? html : `${html}</${openList}>`;
}

function outermostBlocks(root: Element): readonly Element[] {
  return selectAll(root, '[class*="-block"]').filter(
    (element) => typeOf(element) !== null && closestBlock(element.parentElement, root) === null,
  );
}

/** Returns the attributes of a list that begins with an item: its first number, or the kind of its letters. */
function numberingOf(item: Element): string {
  const [mark] = ownElements(item, '.pseudoBefore');
  const number = ITEM_NUMBER.exec(mark?.getAttribute('style') ?? '')?.[1] ?? '1';
  if (/^[a-z]/.test(number)) return ` type="${number === 'i' ? 'i' : 'a'}"`;
  return number === '1' ? '' : ` start="${number}"`;
}

/** The button that opens a toggle, or a heading that is one. */
function ownButtonOf(block: Element): Element | undefined {
  return ownElements(block, '[role="button"][aria-expanded]')[0];
}

/** The renderer opens toggles to read them, and marks those that it has opened. */
function isClosed(block: Element): boolean {
  return block.hasAttribute(OPENED) || ownButtonOf(block)?.getAttribute('aria-expanded') === 'false';
}

/** The browser writes the state of a check box into its attribute. Older pages have a sign or a struck-out text only. */
function isDone(block: Element): boolean {
  const [box] = ownElements(block, 'input[type="checkbox"], [role="checkbox"]');
  if (box) return box.hasAttribute('checked') || box.getAttribute('aria-checked') === 'true';
  const text = findText(block)?.getAttribute('style') ?? '';
  return ownElements(block, 'svg.check, svg.checkmark').length > 0 || /line-through/.test(text);
}
