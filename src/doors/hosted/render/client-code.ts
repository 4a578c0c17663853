import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Markup } from './markup.ts';

/** A script or a style sheet of ours, as browsers get it. */
export interface ClientCode {
  readonly text: string;
  /** The same, to stand in its element as it is. */
  readonly markup: Markup;
  /** The source expression that lets it stand inline (CSP level 3 section 2.3.1). */
  readonly hash: string;
}

/** `client/mode.js`: applies the reader's choice before the first paint, and keeps it. */
export const modeScript = readCode('mode.js');
/** `client/frame.js`: tells the page around the frame how high the content is. */
export const frameScript = readCode('frame.js');
/** `client/page.css` and `client/content.css`: the whole look. */
export const styleSheet = readCode('page.css', 'content.css');

/**
 * `GET /embed.js`, from `client/embed.js`: the script of the pages that show embeds. It fits the iframes to their content.
 */
export const EMBED_SCRIPT = readCode('embed.js').text;

/** Code that may stand inline, with its hash. */
export function inlineCode(text: string): ClientCode {
  const digest = createHash('sha256').update(text).digest('base64');
  return { text, markup: new Markup(text), hash: `'sha256-${digest}'` };
}

function readCode(...names: readonly string[]): ClientCode {
  const texts = names.map((name) => readFileSync(new URL(`../client/${name}`, import.meta.url), 'utf8'));
  return inlineCode(compact(texts.join('').replaceAll('\r\n', '\n')));
}

/** Without comments and indentation. Holds for our own files, in which no string or pattern looks like a comment. */
function compact(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s+/gm, '');
}
