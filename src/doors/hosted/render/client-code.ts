import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Markup } from '#reader/html';

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
export const styleSheet = createClientCode(minifyStyles(readText('page.css') + readText('content.css')));
export const cardStyles = createClientCode(minifyStyles(readText('card.css')));
export const tableStyles = createClientCode(minifyStyles(readText('table.css')));

export const EMBED_SCRIPT = readCode('embed.js').text;

export function createClientCode(text: string): ClientCode {
  const digest = createHash('sha256').update(text).digest('base64');
  return { text, markup: new Markup(text), hash: `'sha256-${digest}'` };
}

function readCode(name: string): ClientCode {
  return createClientCode(readText(name));
}

/** Removes comments and indentation. Assumes that no string or pattern in the files looks like a comment. */
function readText(name: string): string {
  const text = readFileSync(new URL(`../client/${name}`, import.meta.url), 'utf8');
  return text
    .replaceAll('\r\n', '\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s+/gm, '');
}

/** Removes spaces that separate nothing. Assumes that no string contains the characters beside them. */
function minifyStyles(text: string): string {
  return text.replace(/\s*([{};,])\s*/g, '$1').replace(/: /g, ':');
}
