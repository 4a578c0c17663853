import { createElement, textIn } from '../blocks/tree.ts';
import { isElement, selectAll, selectClosest } from '../tree/select.ts';
import type { Parts } from './parts.ts';
import { readTex } from './read.ts';
import { findTex } from './tex.ts';
import type { TexDetector } from './tex-detector.ts';

/** Elements whose whole text is TeX, as pandoc, Sphinx, MkDocs and GitLab mark it. */
const TEX_ELEMENTS = 'code.language-math, span.math, div.math, .arithmatex';
/** MathJax and KaTeX leave their text alone. */
const VERBATIM = 'pre, code, kbd, samp';
const BREAK = '\ue000';
/** A command of TeX between dollars: a script of another file configures them. */
const COMMAND_IN_DOLLARS = /\$(?![\s$])[^$]{0,300}\\[a-z]{2,20}[^$]{0,300}(?<![\s\\])\$(?![\d$])/i;

/** Converts elements of TeX, which lose their names when the text is found. */
export function convertTexElements(root: Element, parts: Parts): void {
  for (const element of selectAll(root, TEX_ELEMENTS)) convertTexElement(element, parts);
}

/** Converts the TeX in the text of an article that the scripts of its page would convert. */
export function convertTexText(root: Element, parts: Parts, { isUsed, hasDollars }: TexDetector): void {
  if (!isUsed) return;
  const parents = new Set<Element>();
  for (const element of [root, ...selectAll(root, '*')]) {
    const hasTex = [...element.childNodes].some((node) => /[$\\]/.test(textIn(node)));
    if (hasTex && selectClosest(element, VERBATIM) === null) parents.add(element);
  }
  const isDollarTex = (node: ChildNode) => COMMAND_IN_DOLLARS.test(textIn(node));
  const usesDollars = hasDollars || [...parents].some(({ childNodes }) => [...childNodes].some(isDollarTex));
  for (const parent of parents) for (const run of runsOf(parent)) convertRun(run, { parts, hasDollars: usesDollars });
}

function convertTexElement(element: Element, parts: Parts): void {
  const text = element.textContent.trim();
  const isCode = element.localName === 'code';
  const [match, ...others] = isCode ? [] : findTex(text, { hasDollars: true });
  const isWhole = match !== undefined && others.length === 0 && match.start === 0 && match.end === text.length;
  const isMarked = isCode || (element.children.length === 0 && /\b(?:inline|display)\b/.test(element.className));
  if (!isWhole && !isMarked) return;
  const isBlock = isCode ? element.parentElement?.localName === 'pre' : /\bdisplay\b/.test(element.className);
  const isDisplay = match?.isDisplay ?? isBlock ?? false;
  const place = createPlace(element.ownerDocument, isWhole ? match.tex : text, { parts, isDisplay, text });
  if (place === null) return;
  (isCode && isBlock ? element.parentElement : element)?.replaceWith(place);
}

/** Neighbouring texts and line breaks, in which one formula may stand. */
function runsOf(parent: Element): readonly (readonly ChildNode[])[] {
  const runs: ChildNode[][] = [[]];
  for (const node of parent.childNodes) {
    if (!isElement(node) || node.localName === 'br') runs.at(-1)?.push(node);
    else if (runs.at(-1)?.length) runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

function convertRun(run: readonly ChildNode[], { parts, hasDollars }: { parts: Parts; hasDollars: boolean }): void {
  const text = run.map((node) => (isElement(node) ? BREAK : textIn(node))).join('');
  const matches = findTex(text, { hasDollars });
  const [first] = run;
  const document = first?.ownerDocument;
  if (!first || !document || matches.length === 0) return;
  const nodesOfText = (from: number, to?: number) =>
    nodesOf(hasDollars ? text.slice(from, to).replaceAll('\\$', '$') : text.slice(from, to), document);
  let end = 0;
  for (const match of matches) {
    const source = text.slice(match.start, match.end);
    const tex = match.tex.replaceAll(BREAK, '\n');
    const place = createPlace(document, tex, { parts, isDisplay: match.isDisplay, text: source });
    if (place === null) continue;
    first.before(...nodesOfText(end, match.start), place);
    end = match.end;
  }
  if (end === 0) return;
  first.before(...nodesOfText(end));
  for (const node of run) node.remove();
}

function nodesOf(text: string, document: Document): readonly Node[] {
  return text
    .split(BREAK)
    .flatMap((line, i) => [...(i === 0 ? [] : [document.createElement('br')]), document.createTextNode(line)]);
}

interface PlaceContext {
  readonly parts: Parts;
  readonly isDisplay: boolean;
  readonly text: string;
}

function createPlace(document: Document, tex: string, { parts, isDisplay, text }: PlaceContext): Element | null {
  const formula = readTex(tex, { isDisplay, text });
  const attributes = typeof formula === 'string' ? null : parts.add(formula.markup);
  return attributes && createElement(document, 'span', attributes);
}
