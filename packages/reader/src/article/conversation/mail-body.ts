import { createElement } from '../blocks/tree.ts';

/** In characters. A shorter line ends where its author broke it. */
const MIN_FULL_LINE = 40;
const URL_IN_TEXT = /(https?:\/\/[^\s<>"]{1,1000}[^\s<>".,;:!?)\]])/;
/** Lines whose blanks have a meaning: tables, drawings and code. */
const ALIGNED = /^[ \t]{2}|^\t|\S {3}|\S\t/;
const PATCH = /^(?:---|diff --git .*|Index: .*)$/m;
const HUNK = /^@@ -\d/m;
/** The line before a signature (RFC 3676, section 4.3), and the one before attachments that the archive has removed. */
const SIGNATURE = /^(?:-- ?|-{10,20} next part -{10,20})$/m;
const MAX_SIGNATURE_LENGTH = 1_000;

/** Writes the plain text of a mail as paragraphs, quotes and aligned text. */
export function createMailBody(text: string, document: Document): Element {
  const body = document.createElement('div');
  const [prose, patch] = splitPatch(removeSignature(text));
  appendBlocks(body, prose.split('\n'), document);
  if (patch !== '') body.append(createElement(document, 'pre', { class: 'language-diff' }, patch.trim()));
  return body;
}

function removeSignature(text: string): string {
  const at = text.search(SIGNATURE);
  return at > 0 && text.length - at <= MAX_SIGNATURE_LENGTH ? text.slice(0, at) : text;
}

function splitPatch(text: string): readonly [prose: string, patch: string] {
  const at = HUNK.test(text) ? text.search(PATCH) : -1;
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/** Appends a paragraph, or aligned text, for each run of lines, and a quote for each run of quoted lines. */
function appendBlocks(parent: Element, lines: readonly string[], document: Document): void {
  let run: string[] = [];
  const close = () => {
    if (run.some((line) => line.startsWith('>'))) appendQuote(parent, run, document);
    else if (run.some((line) => ALIGNED.test(line))) parent.append(createElement(document, 'pre', {}, run.join('\n')));
    else if (run.length > 0) appendParagraph(parent, run, document);
    run = [];
  };
  for (const line of lines) {
    const isQuoted = line.startsWith('>');
    if (line.trim() === '' || isQuoted !== (run.at(-1) ?? line).startsWith('>')) close();
    if (line.trim() !== '') run.push(line);
  }
  close();
}

/** Quotes in quotes are paragraphs of one quote. */
function appendQuote(parent: Element, lines: readonly string[], document: Document): void {
  const quote = document.createElement('blockquote');
  appendBlocks(
    quote,
    lines.map((line) => line.replace(/^[> ]+/, '')),
    document,
  );
  if (quote.childNodes.length > 0) parent.append(quote);
}

function appendParagraph(parent: Element, lines: readonly string[], document: Document): void {
  const paragraph = document.createElement('p');
  for (const [i, line] of lines.entries()) {
    for (const [j, part] of line.trim().split(URL_IN_TEXT).entries()) {
      const isUrl = j % 2 === 1;
      paragraph.append(isUrl ? createElement(document, 'a', { href: part }, part) : part);
    }
    if (i < lines.length - 1) paragraph.append(line.length < MIN_FULL_LINE ? document.createElement('br') : ' ');
  }
  parent.append(paragraph);
}
