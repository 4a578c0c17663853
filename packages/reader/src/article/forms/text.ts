import type { Element, ElementContent, Root } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { toText } from 'hast-util-to-text';
import { MathMLToLaTeX } from 'mathml-to-latex';
import { prepareNotes } from './notes.ts';
import { element, isElement, rewrite, textNode, textOf } from './tree.ts';

/** Converts the content of an article to its text. Formulas and references to notes are as in Markdown, without its signs. */
export function convertToText(content: Root): string {
  prepareNotes(content);
  rewrite(content, (node) => [isElement(node) ? prepareElement(node) : node]);
  return toText(content);
}

function prepareElement(node: Element): ElementContent {
  if (node.tagName === 'note-definition') return { ...node, tagName: 'div' };
  if (node.tagName !== 'math') return node;
  const tex = textNode(texOf(node));
  return node.properties.display === 'block' ? element('div', [tex]) : tex;
}

/** Returns the source that the formula was made from, or TeX that means the same. */
export function texOf(math: Element): string {
  const source = math.properties.alttext ?? math.properties.altText;
  if (typeof source === 'string' && source !== '') return source;
  try {
    return MathMLToLaTeX.convert(toHtml({ ...math, tagName: 'math' })).trim();
  } catch {
    // the library throws on some malformed formulas
    return textOf(math);
  }
}
