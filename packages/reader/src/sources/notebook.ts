import { type PageReading, readFragment } from '../article/article.ts';
import { MAX_DATA_LENGTH } from '../article/embedded/data-image.ts';
import { MAX_BYLINE_LENGTH } from '../article/head/byline.ts';
import { directionOfText } from '../article/head/direction.ts';
import { MAX_TITLE } from '../article/metadata.ts';
import { plainText } from '../article/plain-text.ts';
import { escapeHtml } from '../html.ts';
import { findText, isObject, type JsonObject, parseJson } from '../json.ts';
import { createReading, type SourceFile } from './file.ts';
import { renderMarkdown } from './markdown.ts';

const MAX_CELLS = 1_000;
const MAX_OUTPUTS = 50;
/** In characters, for all cells. The rest is not shown. */
const MAX_LENGTH = 1_000_000;
/** In characters, for one output of text. */
const MAX_OUTPUT_LENGTH = 20_000;
/** Colours of terminals (ECMA-48). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences begin with one
const COLOURS = /\u001b\[[\d;]{0,20}[A-Za-z]/g;
/** The media types of the outputs of nbformat 3, by their names. */
const OUTPUT_NAMES = {
  text: 'text/plain',
  html: 'text/html',
  latex: 'text/latex',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpeg: 'image/jpeg',
};
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Shows the cells of a Jupyter notebook (nbformat 3 or 4) with their outputs. Returns null for any other text. */
export function readNotebook(file: SourceFile, text: string): PageReading | null {
  const notebook = parseJson(text);
  if (!isObject(notebook) || typeof notebook.nbformat !== 'number') return null;
  const cells = findCells(notebook);
  if (cells === null) return null;
  const metadata = isObject(notebook.metadata) ? notebook.metadata : {};
  const language = findLanguage(metadata);
  let html = '';
  for (const cell of cells.slice(0, MAX_CELLS)) {
    if (html.length < MAX_LENGTH) html += renderCell(cell, language);
  }
  const title = plainText(findText(metadata.title), MAX_TITLE);
  const fragment = readFragment(html, { url: file.url, title });
  if (fragment === null) return null;
  const direction = directionOfText(fragment.content.replace(/<[^<>]*>/g, ' ').slice(0, MAX_OUTPUT_LENGTH));
  const byline = plainText(
    listOf(metadata.authors)
      .map(({ name }) => joinLines(name))
      .join(', '),
    MAX_BYLINE_LENGTH,
  );
  return createReading(file, fragment.content, { headTitle: fragment.title, byline, direction });
}

/** Returns the cells as those of nbformat 4; null without a list. */
function findCells({ cells, worksheets }: JsonObject): readonly JsonObject[] | null {
  if (Array.isArray(cells)) return listOf(cells);
  if (!Array.isArray(worksheets)) return null;
  return listOf(worksheets).flatMap(({ cells }) => listOf(cells).map(upgradeCell));
}

function upgradeCell({ input, level, ...cell }: JsonObject): JsonObject {
  if (cell.cell_type === 'heading') {
    const depth = typeof level === 'number' && level > 1 && level <= 6 ? level : 1;
    return { cell_type: 'markdown', source: `${'#'.repeat(depth)} ${joinLines(cell.source)}` };
  }
  return { ...cell, source: input ?? cell.source, outputs: listOf(cell.outputs).map(upgradeOutput) };
}

/** Puts the representations of an output under their media types. */
function upgradeOutput(output: JsonObject): JsonObject {
  const output_type = output.output_type === 'pyerr' ? 'error' : output.output_type;
  const data = Object.fromEntries(Object.entries(OUTPUT_NAMES).map(([name, type]) => [type, output[name]]));
  return { ...output, output_type, data };
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function findLanguage({ language_info: info, kernelspec }: JsonObject): string {
  const name = (isObject(info) && findText(info.name)) || (isObject(kernelspec) && findText(kernelspec.language));
  return /^[\w+#.-]{1,30}$/.exec(name || '')?.[0].toLowerCase() ?? 'python';
}

function renderCell(cell: JsonObject, language: string): string {
  const source = joinLines(cell.source);
  if (cell.cell_type === 'markdown') return `${renderMarkdown(withAttachments(source, cell.attachments))}\n`;
  if (cell.cell_type !== 'code') return '';
  const code = source === '' ? '' : `<pre><code class="language-${language}">${escapeHtml(source)}</code></pre>`;
  return code + listOf(cell.outputs).slice(0, MAX_OUTPUTS).map(renderOutput).join('');
}

/** Texts are strings, or lists of lines with their line breaks. */
function joinLines(value: unknown): string {
  const lines: readonly unknown[] = Array.isArray(value) ? value : [value];
  return lines.filter((line) => typeof line === 'string').join('');
}

/** Replaces the pictures that a cell attaches by their data. */
function withAttachments(source: string, attachments: unknown): string {
  if (!isObject(attachments)) return source;
  return source.replace(/attachment:([^\s)"']{1,200})/g, (reference, name: string) => {
    const bundle = Object.hasOwn(attachments, name) ? attachments[name] : null;
    return (isObject(bundle) && findPicture(bundle)) || reference;
  });
}

function renderOutput(output: JsonObject): string {
  if (output.output_type === 'stream') return renderText(joinLines(output.text));
  if (output.output_type === 'error') return renderText(`${joinLines(output.ename)}: ${joinLines(output.evalue)}`);
  const data = isObject(output.data) ? output.data : {};
  const picture = findPicture(data);
  // without it, its description tells that there is one
  if (picture && picture.length <= MAX_DATA_LENGTH)
    return `<p><img src="${escapeHtml(picture)}" alt="${escapeHtml(joinLines(data['text/plain']))}"></p>`;
  const drawing = joinLines(data['image/svg+xml']);
  const table = joinLines(data['text/html']);
  const tex = joinLines(data['text/latex']).trim();
  if (drawing || table) return `<div>${drawing || table}</div>`;
  if (tex) return `<p><math-renderer>${escapeHtml(tex.replace(/^\$\$?|\$\$?$/g, '$$$$'))}</math-renderer></p>`;
  const markdown = joinLines(data['text/markdown']);
  return markdown ? renderMarkdown(markdown) : renderText(joinLines(data['text/plain']));
}

function findPicture(data: JsonObject): string | null {
  const type = PICTURES.find((name) => joinLines(data[name]) !== '');
  return type ? `data:${type};base64,${joinLines(data[type]).replace(/\s/g, '')}` : null;
}

function renderText(text: string): string {
  // a carriage return starts a line again, as progress bars do
  const lines = text.replace(COLOURS, '').split('\n');
  const shown = lines
    .map((line) => line.trimEnd().split('\r').at(-1))
    .join('\n')
    .slice(0, MAX_OUTPUT_LENGTH)
    .trimEnd();
  return shown === '' ? '' : `<pre><samp>${escapeHtml(shown)}</samp></pre>`;
}
