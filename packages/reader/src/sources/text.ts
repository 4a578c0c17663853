import { parse } from 'csv-parse/sync';
import { parseHTML } from 'linkedom/worker';
import type { PageReading } from '../article/article.ts';
import { highlightCode } from '../article/blocks/highlight.ts';
import { MARKER } from '../article/blocks/tree.ts';
import { directionOfText } from '../article/head/direction.ts';
import { selectFirst } from '../article/tree/select.ts';
import { findRawFile } from '../code-hosts.ts';
import { escapeHtml } from '../html.ts';
import { createFileReading, createReading, extensionOf, renderMarkup, type SourceFile, wordsOfFrame } from './file.ts';
import { findRecords, indentJson, type Rows } from './json.ts';

/** In characters. The rest of a text is not shown. */
const MAX_TEXT_LENGTH = 300_000;
const MAX_NUMBERED_LINES = 10_000;
/** In characters, with the elements of the lines. */
const MAX_NUMBERED_LENGTH = 2 * 1024 * 1024;
const MAX_ROWS = 500;
const MAX_COLUMNS = 50;
const MAX_CELL_LENGTH = 2_000;

/** Languages of source code by file extension, as Prism and highlight.js name them. */
const LANGUAGES = new Map(
  Object.entries({
    ...Object.fromEntries(
      `bash c cpp cs css dart diff go graphql haskell html ini java json kotlin less lua makefile nix perl php proto python
    r ruby rust scala scss sql swift toml tsx typescript xml yaml zig`
        .split(/\s+/)
        .map((name) => [name, name]),
    ),
    ...{ cc: 'cpp', cxx: 'cpp', h: 'c', hpp: 'cpp', hs: 'haskell', htm: 'html', xhtml: 'html', svg: 'xml', rss: 'xml' },
    ...{ js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'jsx', ts: 'typescript', mts: 'typescript' },
    ...{
      jsonc: 'json',
      geojson: 'json',
      ipynb: 'json',
      kt: 'kotlin',
      kts: 'kotlin',
      patch: 'diff',
      pl: 'perl',
      pm: 'perl',
    },
    ...{
      py: 'python',
      pyi: 'python',
      rb: 'ruby',
      rs: 'rust',
      sh: 'bash',
      yml: 'yaml',
      zsh: 'bash',
      csproj: 'xml',
      plist: 'xml',
    },
  }),
);
const LANGUAGES_OF_TYPES: readonly (readonly [RegExp, string])[] = [
  [/[/+]json$/, 'json'],
  [/[/+]xml$/, 'xml'],
  [/(?:java|ecma)script$/, 'javascript'],
  [/^text\/css$/, 'css'],
  [/^text\/html$/, 'html'],
  [/yaml$/, 'yaml'],
  [/toml$/, 'toml'],
  [/sql$/, 'sql'],
];

/** Shows CSV as a table, source code and JSON as code, and any other text with its line breaks. */
export function readText(file: SourceFile, text: string): PageReading {
  if (text.trim() === '') return createFileReading(file);
  const delimiter = findDelimiter(file, text);
  const table = delimiter === null ? null : renderTable(text, delimiter, file.isWhole);
  if (table) return show(file, table, directionOfText(text));
  const language = findLanguage(file);
  const isOnCodeHost = findRawFile(file.url) !== null;
  const list = language === 'json' && file.isWhole && !isOnCodeHost ? findRecords(text, MAX_ROWS + 1) : null;
  if (list) return show(file, renderRows(list, true), directionOfText(text));
  const source = language === 'json' ? indentJson(text, MAX_TEXT_LENGTH) : text;
  const shown = source.slice(0, MAX_TEXT_LENGTH);
  const isCut = !file.isWhole || source.length > MAX_TEXT_LENGTH;
  const lines = shown.replace(CONTROLS, '');
  // the parser drops a line break after the start tag
  const markup = language
    ? renderCode(lines, language, isOnCodeHost)
    : `<pre ${MARKER}="embed-text">${escapeHtml(lines)}</pre>`;
  return show(file, isCut ? `${markup}${CUT}` : markup, language ? 'ltr' : directionOfText(lines));
}

function renderCode(text: string, language: string, isNumbered: boolean): string {
  const { document } = parseHTML('<!doctype html><html><body><pre><code></code></pre></body></html>');
  const code = selectFirst(document, 'code');
  if (!code) return '';
  code.className = `language-${language}`;
  code.textContent = text;
  highlightCode(document.body);
  if (isNumbered) code.innerHTML = numberLines(code.innerHTML);
  return document.body.innerHTML;
}

/** Puts each line of highlighted code into an element, in which it has its number. Returns code of too many lines as it is. */
function numberLines(code: string): string {
  const lines = code.replace(/\n$/, '').split('\n');
  if (lines.length > MAX_NUMBERED_LINES) return code;
  /** The tags of tokens that began before the line. */
  const open: string[] = [];
  const numbered = lines.map((line, i) => {
    const before = open.join('');
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    return `<span ${MARKER}="embed-line" id="L${i + 1}">${before}${line}${'</span>'.repeat(open.length)}</span>`;
  });
  const result = numbered.join('\n');
  return result.length > MAX_NUMBERED_LENGTH ? code : result;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: HTML does not allow them
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
const CUT = `<p>${wordsOfFrame('Open the original for the rest.')}</p>`;

function renderFirstRows(count: Rows['count']): string {
  const rows = count === null ? MAX_ROWS : `${MAX_ROWS} of ${count}`;
  return `<p>${wordsOfFrame(`Only the first ${rows} rows are shown, sorted and searched.`)}</p>`;
}

function show(file: SourceFile, markup: string, direction: 'ltr' | 'rtl'): PageReading {
  return createReading(file, renderMarkup(file, markup), { direction });
}

function findLanguage(file: SourceFile): string | null {
  const named = LANGUAGES.get(extensionOf(file));
  return named ?? LANGUAGES_OF_TYPES.find(([types]) => types.test(file.mediaType))?.[1] ?? null;
}

/** The first line by which Excel knows the separator of cells. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=([^\r\n"])"?\r?\n/i;

/** Returns the separator of cells, or null for other texts than tables. */
function findDelimiter(file: SourceFile, text: string): string | null {
  const extension = extensionOf(file);
  if (file.mediaType === 'text/tab-separated-values' || extension === 'tsv') return '\t';
  if (file.mediaType !== 'text/csv' && extension !== 'csv') return null;
  const declared = SEPARATOR_LINE.exec(text)?.[1];
  if (declared) return declared;
  const line = /^[^\r\n]{0,10000}/.exec(text.trimStart())?.[0] ?? '';
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}

/** Returns null for a text that is not a table. */
function renderTable(text: string, delimiter: string, isWhole: boolean): string | null {
  const found = parseRows(text.replace(SEPARATOR_LINE, ''), delimiter);
  return Math.max(0, ...found.rows.map(({ length }) => length)) < 2 ? null : renderRows(found, isWhole);
}

function renderRows({ rows: [head = [], ...body], count }: Rows, isWhole: boolean): string {
  const cells = (row: readonly string[], name: string) =>
    row
      .slice(0, MAX_COLUMNS)
      .map((cell) => `<${name}>${escapeHtml(cell.slice(0, MAX_CELL_LENGTH))}</${name}>`)
      .join('');
  const shown = body.slice(0, MAX_ROWS).map((row) => `<tr>${cells(row, 'td')}</tr>`);
  const isCut = !isWhole || body.length > MAX_ROWS || head.length > MAX_COLUMNS;
  const table = `<table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${shown.join('')}</tbody></table>`;
  const note = body.length > MAX_ROWS ? renderFirstRows(isWhole ? count : null) : '';
  return `${note}<div ${MARKER}="embed-table">${table}</div>${isCut ? CUT : ''}`;
}

/** Reads one row more than is shown, after the head, and counts the others. */
function parseRows(text: string, delimiter: string): Rows {
  const rows: string[][] = [];
  let count = -1;
  const keep = (row: string[]) => {
    count++;
    if (rows.length < MAX_ROWS + 2) rows.push(row);
    return null;
  };
  try {
    parse(text, {
      delimiter,
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_TEXT_LENGTH,
      on_record: keep,
    });
    return { rows, count };
  } catch {
    return { rows: rows.length < MAX_ROWS + 2 ? [] : rows, count: null };
  }
}
