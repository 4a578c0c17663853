import { createElement, MARKER } from '../blocks/tree.ts';
import type { Metadata } from '../metadata.ts';
import { toLine } from '../plain-text.ts';
import { selectAll, selectFirst } from '../tree/select.ts';

const KICKER = /(?:^|[\s_-])(?:kicker|eyebrow|overline|section-?label|dachzeile)(?:$|[\s_-])/i;
const NO_LABEL = 'h1, h2, h3, h4, time, img, picture, ul, ol, nav, input';
const MAX_LENGTH = 60;
/** In characters, with blanks. */
const MAX_BOX_LENGTH = 500;
const MAX_HEADINGS = 3;
/** Levels of boxes around the heading and its kicker. */
const MAX_LEVELS = 2;

/** Removes the short line in or above the heading of the article that its class names call a kicker, and returns its text. */
export function takeKicker(document: Document, { title, site }: Metadata): string | null {
  for (const heading of selectAll(document, 'h1').slice(0, MAX_HEADINGS)) {
    const kicker = findKicker(heading);
    const text = toLine(kicker?.textContent);
    if (!kicker || text === '' || text.length > MAX_LENGTH) continue;
    if (text === site || title.toLowerCase().includes(text.toLowerCase())) return null;
    kicker.remove();
    return text;
  }
  return null;
}

/** Shows a kicker at the start of an article. */
export function restoreKicker(root: Element, text: string | null): void {
  if (text !== null) root.prepend(createElement(root.ownerDocument, 'p', { [MARKER]: 'kicker' }, text));
}

function findKicker(heading: Element): Element | null {
  const inside = selectAll(heading, '[class]').find(isKicker);
  if (inside) return inside.textContent.trim() === heading.textContent.trim() ? null : inside;
  let box = heading;
  for (let i = 0; i < MAX_LEVELS && !/^(?:article|main|body)$/.test(box.localName); i++) {
    const before = box.previousElementSibling;
    if (before) return isShort(before) ? ([before, ...selectAll(before, '[class]')].find(isKicker) ?? null) : null;
    box = box.parentElement ?? box;
  }
  return null;
}

/** Longer boxes before a heading are other articles. */
function isShort({ textContent }: Element): boolean {
  return textContent.length <= MAX_BOX_LENGTH;
}

function isKicker(element: Element): boolean {
  return KICKER.test(element.className) && selectFirst(element, NO_LABEL) === null;
}
