import { selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { mark, textIn, textLengthBefore } from './tree.ts';

const TEXT_MARKER = /^\s*\[([ xX])\]\s+/;
const BLOCKS = 'ul ol dl p div pre blockquote table figure details section'.split(' ');

/** Turns the check boxes at the start of list items into markers: Readability removes form controls. */
export function convertTasks(document: Document): void {
  for (const item of selectAll(document, 'li')) {
    const input = selectFirst(item, 'input[type="checkbox" i], div.checkbox:empty');
    if (input && selectClosest(input, 'li') === item && textLengthBefore(input, item, 0) === 0)
      addTask(item, input, input.hasAttribute('checked') || input.classList.contains('checkbox-on'));
    else convertText(item);
  }
}

/** Replaces the markers by check boxes, after Readability. */
export function restoreTasks(root: Element): void {
  for (const marker of selectAll(root, 'span[data-embed^="task"]')) {
    const input = root.ownerDocument.createElement('input');
    mark(input, marker.getAttribute('data-embed') ?? '');
    marker.replaceWith(input);
  }
}

function convertText(item: Element): void {
  const host = item.firstElementChild?.localName === 'p' ? item.firstElementChild : item;
  const text = host.firstChild;
  const match = TEXT_MARKER.exec(textIn(text));
  if (!text || !match) return;
  text.nodeValue = text.nodeValue?.slice(match[0].length) ?? '';
  const placeholder = item.ownerDocument.createElement('span');
  host.prepend(placeholder);
  addTask(item, placeholder, match[1] !== ' ');
}

/** The text after a check box is its label, up to a nested list. */
function addTask(item: Element, control: Element, isDone: boolean): void {
  const label = item.ownerDocument.createElement('label');
  const marker = item.ownerDocument.createElement('span');
  mark(marker, isDone ? 'task done' : 'task');
  mark(item, 'task');
  item.removeAttribute('class');
  control.replaceWith(label);
  let next = label.nextSibling;
  while (next && !BLOCKS.includes((next as Element).localName ?? '')) {
    const following: ChildNode | null = next.nextSibling;
    label.append(next);
    next = following;
  }
  label.prepend(marker);
}
