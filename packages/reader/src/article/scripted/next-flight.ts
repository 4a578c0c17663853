import { escapeHtml } from '../../html.ts';
import { isObject, parseJson } from '../../json.ts';

const PUSH = /^\s*self\.__next_f\.push\(/;
/** The head of a row: its number in hexadecimal digits, and, for a text, `T` and its length in bytes. */
const ROW_HEAD = /^([\da-f]{1,8}):(?:T([\da-f]{1,6}),)?/;
const MAX_HEAD_LENGTH = 20;
const REFERENCE = /^\$L?([\da-f]{1,8})$/;
const ELEMENT =
  /^(?:p|h[1-6]|ul|ol|li|blockquote|pre|code|em|strong|b|i|a|figure|figcaption|table|thead|tbody|tr|th|td|br|hr|img|section|article|main|div|span|sup|sub|dl|dt|dd)$/;
const VOID_ELEMENT = /^(?:br|hr|img)$/;
const ATTRIBUTES = { href: 'href', src: 'src', alt: 'alt', id: 'id', className: 'class' } as const;
/** Elements, texts and references. The rest is ignored. */
const MAX_NODES = 50_000;
const MAX_DEPTH = 200;

export function isFlightScript(script: string): boolean {
  return PUSH.test(script);
}

/** The data that Next streams (React Server Components), by the ids of its rows. */
type FlightData = ReadonlyMap<string, unknown>;

export function readFlightData(scripts: readonly string[]): FlightData {
  const parts = scripts.filter(isFlightScript).map((script) => {
    const call: unknown = parseJson(script.replace(PUSH, '').replace(/\)[\s;]*$/, ''));
    return Array.isArray(call) && typeof call[1] === 'string' ? call[1] : '';
  });
  return readRows(Buffer.from(parts.join('')));
}

/** Renders the elements in the data, as HTML; null if there are none. */
export function renderFlightData(rows: FlightData): string | null {
  const seen = new Set<string>();
  let nodes = 0;

  function render(value: unknown, depth: number): string {
    if (++nodes > MAX_NODES || depth > MAX_DEPTH) return '';
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string') return renderText(value, depth);
    if (!Array.isArray(value)) return '';
    return value[0] === '$' ? renderElement(value, depth) : value.map((one) => render(one, depth + 1)).join('');
  }

  function renderText(text: string, depth: number): string {
    if (text.startsWith('$$')) return escapeHtml(text.slice(1));
    if (!text.startsWith('$')) return escapeHtml(text);
    const id = REFERENCE.exec(text)?.[1] ?? '';
    const row = rows.get(id);
    if (typeof row === 'string') return escapeHtml(row);
    if (seen.has(id)) return '';
    seen.add(id);
    return render(row, depth + 1);
  }

  function renderElement([, type, , props]: readonly unknown[], depth: number): string {
    if (!isObject(props)) return '';
    const inner = isObject(props.dangerouslySetInnerHTML) ? props.dangerouslySetInnerHTML.__html : null;
    const referred = rows.get(REFERENCE.exec(typeof inner === 'string' ? inner : '')?.[1] ?? '') ?? inner;
    const content = typeof referred === 'string' ? referred : render(props.children, depth + 1);
    if (typeof type !== 'string' || !ELEMENT.test(type)) return content;
    const attributes = Object.entries(ATTRIBUTES).map(([key, name]) => {
      const value = props[key];
      return typeof value === 'string' ? ` ${name}="${escapeHtml(value)}"` : '';
    });
    return `<${type}${attributes.join('')}>${VOID_ELEMENT.test(type) ? '' : `${content}</${type}>`}`;
  }

  const markups = [...rows].map(([id, row]) => (seen.has(id) || typeof row === 'string' ? '' : render(row, 0)));
  return markups.reduce((longest, markup) => (markup.length > longest.length ? markup : longest), '') || null;
}

/** Reads rows of JSON, each to the end of its line, and of texts, each of its own length. */
function readRows(stream: Buffer): FlightData {
  const rows = new Map<string, unknown>();
  for (let at = 0; at < stream.length; ) {
    const [head, id, length] = ROW_HEAD.exec(stream.subarray(at, at + MAX_HEAD_LENGTH).toString('latin1')) ?? [];
    if (head === undefined || id === undefined) break;
    const start = at + head.length;
    const newline = stream.indexOf('\n', start);
    const endOfLine = newline < 0 ? stream.length : newline;
    const end = length === undefined ? endOfLine : start + Number.parseInt(length, 16);
    const text = stream.subarray(start, end).toString();
    rows.set(id, length === undefined ? parseJson(text) : text);
    at = length === undefined ? end + 1 : end;
  }
  return rows;
}
