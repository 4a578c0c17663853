import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Markup } from '../../../reader/src/html.ts';

export interface ClientCode {
  readonly text: string;
  readonly markup: Markup;
  /** Source expression that allows the code inline (CSP level 3 section 2.3.1). */
  readonly hash: string;
}

export const choiceScript = readCode('choices.js');
export const modeScript = readCode('mode.js');
export const readerScript = readCode('reader.js');
export const frameScript = readCode('frame.js');
export const liveScript = readCode('live.js');
export const playerScript = readCode('player.js');
export const previewScript = readCode('preview.js');
export const tableScript = readCode('table.js');
export const viewScript = readCode('views.js');
export const wordScript = readCode('words.js');
export const EMBED_SCRIPT = readCode('embed.js').text;

/** The styles in the order of the cascade, each with a pattern of the markup that needs it. One without a pattern is on all pages. */
const STYLES: readonly (readonly [name: string, isNeeded?: RegExp])[] = [
  ['card', / class="(?:card|pending)"/],
  ['page'],
  ['choice', / class="choice"/],
  ['reader', / class="reader"/],
  ['content', / class="content"/],
  // the icon of the site is no picture of the article
  ['pictures', /<article>.*?<(?:figure|img(?! src="[^"]*" alt="" width="16")|video|audio)/s],
  ['math', /<math/],
  ['notes', / class="(?:callout|footnotes|kicker|message|pullquote|standfirst|task)/],
  ['code', / class="(?:hljs-|embed-line)/],
  ['boxes', / class="(?:columns|gallery|views|embed-table infobox)"/],
  ['player', / class="embed-player"/],
  ['table', / class="table-tools"/],
];
const sheets = STYLES.map(([name, isNeeded]) => ({ text: minifyStyles(readText(`styles/${name}.css`)), isNeeded }));

/** Returns the styles that a page with this body needs. */
export function stylesFor(body: Markup): ClientCode {
  return createClientCode(
    sheets
      .filter(({ isNeeded }) => isNeeded?.test(body.text) ?? true)
      .map(({ text }) => text)
      .join(''),
  );
}

export function createClientCode(text: string): ClientCode {
  const digest = hash('sha256', text, 'base64');
  return { text, markup: new Markup(text), hash: `'sha256-${digest}'` };
}

function readCode(name: string): ClientCode {
  return createClientCode(minifyScript(readText(name)));
}

/** Removes comments and indentation. Assumes that no string or pattern in the files looks like a comment. */
function readText(name: string): string {
  const text = readFileSync(new URL(`../client/${name}`, import.meta.url), 'utf8');
  return text
    .replaceAll('\r\n', '\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s+/gm, '');
}

/** Removes spaces, line ends, commas and parentheses that separate nothing. A test compares the meaning with that of the source. */
function minifyScript(text: string): string {
  return text
    .replace(/ (=>|[=!]==|&&|\|\||\?\?=?|[<>]=|[-+*|&]=|[=?:+*<>-])\s/g, '$1')
    .replace(/(?<=[{,:;)]) | (?=[{}])|\b(?<=if|for|while|catch) (?=\()/g, '')
    .replace(/[,;]\n(?=[})\]])/g, '')
    .replace(/(?<=[;{},([])\n|\n(?=[})\]?:.])/g, '')
    .replace(/\((\w+)\)=>/g, '$1=>');
}

/** Removes spaces that separate nothing. Assumes that no string contains the characters beside them. */
function minifyStyles(text: string): string {
  return text.replace(/\s*([{};,])\s*/g, '$1').replace(/: /g, ':');
}
