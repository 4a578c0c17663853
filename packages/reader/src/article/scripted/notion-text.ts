import { escapeHtml } from '../../html.ts';
import { textIn } from '../blocks/tree.ts';
import { isElement, selectAll, selectClosest, selectFirst } from '../tree/select.ts';

const BLOCK_CLASS = /(?:^|\s)notion-([a-z_\d]+)-block(?:\s|$)/;
/** The elements with the text of a block, the surest first. Those for bullets, buttons and pictures are "void". */
const TEXTS = [
  '[data-content-editable-leaf]',
  '[contenteditable]:not([data-content-editable-void]), h1, h2, h3, h4',
] as const;
/** Any of them. */
export const TEXT = TEXTS.join();
const PICTOGRAPH = /\p{Extended_Pictographic}/u;

export function typeOf(element: Element): string | null {
  return BLOCK_CLASS.exec(element.getAttribute('class') ?? '')?.[1] ?? null;
}

export function closestBlock(start: Element | null, root: Element): Element | null {
  for (let element = start; element && element !== root; element = element.parentElement) {
    if (typeOf(element) !== null) return element;
  }
  return null;
}

/** Finds the elements that belong to a block itself, not to the blocks in it. */
export function ownElements(block: Element, selector: string): readonly Element[] {
  return selectAll(block, selector).filter((element) => closestBlock(element, block) === null);
}

/** Finds the element with the text of a block itself. */
export function findText(block: Element): Element | undefined {
  return TEXTS.map((selector) => ownElements(block, selector)[0]).find((element) => element !== undefined);
}

/** Converts text with its formats, which Notion writes as styles. */
export function inlineOf(element: Element): string {
  return formatsIn(element)
    .replace(/(?<!\s|<br>)(?:<br>|\s)+$/, '')
    .replace(/(?<!\s|<br>)(?:\s|<br>)+((?:<\/\w+>)+)$/, '$1');
}

function formatsIn(element: Element): string {
  let html = '';
  for (const node of element.childNodes) {
    html += isElement(node) ? formatOf(node) : escapeHtml(textIn(node)).replaceAll('\n', '<br>');
  }
  return html;
}

function formatOf(element: Element): string {
  if (element.localName === 'br') return '<br>';
  if (element.localName === 'img') return signOf(element);
  if (['svg', 'button', 'style'].includes(element.localName)) return '';
  if (element.classList.contains('notion-record-icon')) return '';
  if (selectFirst(element, 'math, annotation') || element.localName === 'math') return formulaOf(element);
  const href = element.localName === 'a' ? element.getAttribute('href') : null;
  const style = (element.getAttribute('style') ?? '').toLowerCase().replace(/\s/g, '');
  const isCode = /monospace/.test(style) || element.localName === 'code';
  const names = [
    ...(href ? [`a href="${escapeHtml(href)}"`] : []),
    ...(/font-weight:(?:[6-9]00|bold)/.test(style) || ['b', 'strong'].includes(element.localName) ? ['strong'] : []),
    ...(/font-style:italic/.test(style) || ['i', 'em'].includes(element.localName) ? ['em'] : []),
    ...(/border-bottom:/.test(style) && selectClosest(element, 'a') === null ? ['u'] : []),
    ...(/line-through/.test(style) ? ['s'] : []),
    ...(isCode ? ['code'] : []),
    ...(isHighlight(element, style) && !isCode ? ['mark'] : []),
  ];
  const closing = names.toReversed().map((name) => `</${name.split(' ')[0]}>`);
  return names.map((name) => `<${name}>`).join('') + formatsIn(element) + closing.join('');
}

/** The background of a run of text. Boxes, such as tags, have one, too. */
function isHighlight({ localName }: Element, style: string): boolean {
  return (
    localName === 'span' &&
    /(?:^|;)background(?:-color)?:(?!none|transparent|inherit)/.test(style) &&
    !/radius/.test(style)
  );
}

/** Returns an emoji. The name of another picture, such as a portrait, mostly stands beside it. */
function signOf(image: Element): string {
  const alt = image.getAttribute('alt') ?? '';
  const isNamed = selectClosest(image, 'div:has(> :not(img)), td')?.textContent.includes(alt) ?? false;
  return PICTOGRAPH.test(alt) || !isNamed ? escapeHtml(alt) : '';
}

/** Keeps the markup of KaTeX, which contains MathML and TeX. */
export function formulaOf(element: Element): string {
  const tex = selectFirst(element, 'annotation')?.textContent.trim() ?? '';
  const math = element.localName === 'math' ? element : selectFirst(element, 'math');
  if (math) return `<span class="katex"><span class="katex-mathml">${math.outerHTML}</span></span>`;
  return `<code>${escapeHtml(tex || element.textContent.trim() || '')}</code>`;
}

/** Returns an emoji as text, and a picture as an image. */
export function iconOf(element: Element): string {
  const icon = selectFirst(element, '.notion-record-icon');
  if (!icon || closestBlock(icon, element) !== null) return '';
  const image = selectFirst(icon, 'img');
  const alt = image?.getAttribute('alt') ?? icon.textContent.trim();
  if (PICTOGRAPH.test(alt) || !image) return escapeHtml(alt);
  return `<img src="${escapeHtml(image.getAttribute('src') ?? '')}" alt="${escapeHtml(alt)}" width="78" height="78">`;
}
