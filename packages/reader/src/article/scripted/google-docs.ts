import { escapeHtml } from '../../html.ts';
import { isObject, type JsonObject, parseJson } from '../../json.ts';

const CHUNK = /DOCS_modelChunk\s{0,9}=\s{0,9}(?=[[{])/g;
/** Breaks of columns and pages, pictures, and the marks of tables. */
const CONTROL = /[\p{Cc}\p{Co}]/gu;
const TITLE_STYLE = 100;
const MAX_LEVEL = 6;

export function isDocsScript(script: string): boolean {
  return script.includes('DOCS_modelChunk');
}

/** Renders the model from which Google Docs draws a document, as HTML; null if there is none. */
export function renderDocsModel(scripts: readonly string[]): string | null {
  const operations = scripts.filter(isDocsScript).flatMap(readOperations);
  const text = operations.map(({ ty, s }) => (ty === 'is' && typeof s === 'string' ? s : '')).join('');
  const styles = Map.groupBy(
    operations.filter(({ ty, st }) => ty === 'as' && (st === 'paragraph' || st === 'list')),
    ({ ei }) => ei,
  );
  let end = 0;
  const paragraphs = text.split('\n').map((line) => {
    // the style of a paragraph is that of its line break; the model counts from 1
    end += line.length + 1;
    return renderParagraph(escapeHtml(line.replace(CONTROL, '').trim()), styles.get(end) ?? []);
  });
  return paragraphs.join('').replaceAll('</ul><ul>', '') || null;
}

function renderParagraph(text: string, styles: readonly JsonObject[]): string {
  if (text === '') return '';
  const levels = styles.map(({ sm }) => (isObject(sm) && typeof sm.ps_hd === 'number' ? sm.ps_hd : 0));
  if (levels.includes(TITLE_STYLE)) return `<h1>${text}</h1>`;
  const level = levels.find((one) => one >= 1 && one <= MAX_LEVEL);
  if (level !== undefined) return `<h${level}>${text}</h${level}>`;
  return styles.some(({ st }) => st === 'list') ? `<ul><li>${text}</li></ul>` : `<p>${text}</p>`;
}

function readOperations(script: string): readonly JsonObject[] {
  return [...script.matchAll(CHUNK)].flatMap(({ index, 0: head }) => {
    const value = parseJson(takeJson(script, index + head.length));
    const operations: unknown = isObject(value) ? value.chunk : value;
    return Array.isArray(operations) ? operations.filter(isObject) : [];
  });
}

/** Returns the object or list that begins at a place in a script. */
function takeJson(script: string, start: number): string {
  let depth = 0;
  for (const { 0: token, index } of script.slice(start).matchAll(/"(?:[^"\\]+|\\.)*"|[[{]|[\]}]/gs)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth === 0) return script.slice(start, start + index + 1);
  }
  return '';
}
