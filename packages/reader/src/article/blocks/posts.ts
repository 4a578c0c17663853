import { POST_PROVIDERS } from '../../players/providers.ts';
import { toLine } from '../plain-text.ts';
import { isElement, selectAll, selectFirst } from '../tree/select.ts';
import { createElement, textIn } from './tree.ts';

const POSTS = POST_PROVIDERS.map(({ quote }) => `blockquote.${quote}`).join(', ');
/** Labels of buttons, which the provider adds. */
const LABEL = /^(?:view (?:this )?(?:post|profile)? ?on [a-z]{1,20}|\[image or embed\])$/i;
const MAX_LABEL_LENGTH = 60;

/** Turns the quotes of posts on other networks into their paragraphs, and a last one with their author and link. */
export function convertPosts(document: Document): void {
  for (const post of selectAll(document, POSTS)) {
    const link = selectFirst(post, 'a[href]');
    removeLabels(post);
    const texts = selectAll(post, 'p').filter((text) => text.textContent.trim());
    for (const text of texts) text.remove();
    const author = document.createElement('cite');
    appendPhrases(post, author);
    // only the label leads to the post
    if (texts.length === 0 && !author.textContent.trim() && link) author.append(link);
    post.removeAttribute('class');
    post.replaceChildren(...texts);
    if (!author.textContent.trim()) continue;
    post.append(createElement(document, 'p', {}, author));
  }
}

function removeLabels(post: Element): void {
  for (const element of selectAll(post, 'a, div, p')) {
    const text = element.textContent.trim();
    if (text.length >= MAX_LABEL_LENGTH || !LABEL.test(text) || selectFirst(element, 'img') !== null) continue;
    while (element.previousElementSibling?.localName === 'br') element.previousElementSibling.remove();
    element.remove();
  }
}

/** Appends the texts and links of an element, without its blocks and the dash before the author. */
function appendPhrases(source: Element, target: Element): void {
  for (const node of [...source.childNodes]) {
    if (!isElement(node)) {
      const text = textIn(node).replace(/\s+/g, ' ');
      target.append(target.textContent.trim() ? text : text.replace(/^[\s\u2014\u2013-]+/, ''));
    } else if (node.localName === 'br') {
      target.append(' ');
    } else if (node.localName === 'a') {
      const text = toLine(node.textContent);
      const link = createElement(target.ownerDocument, 'a', { href: node.getAttribute('href') ?? '' }, text);
      if (text !== '') target.append(target.textContent && !/[\s(]$/.test(target.textContent) ? ' ' : '', link);
    } else appendPhrases(node, target);
  }
}
