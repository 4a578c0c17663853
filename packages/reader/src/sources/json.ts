const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs;
/** Deeper levels are not indented further. */
const MAX_INDENT = 20;

/**
 * Puts each member of a JSON text on a line of its own. Keeps the spelling of all values, the order and the faults of the
 * text. Texts with line breaks, and what exceeds `maxLength` characters, are returned as they are.
 */
export function indentJson(text: string, maxLength: number): string {
  const trimmed = text.trim();
  if (trimmed.includes('\n') || trimmed.length > maxLength) return text;
  const parts: string[] = [];
  let length = 0;
  let depth = 0;
  let previous = '';
  for (const [token] of trimmed.matchAll(TOKEN)) {
    if (token === '}' || token === ']') depth--;
    const isEmpty = (token === '}' && previous === '{') || (token === ']' && previous === '[');
    const startsLine = /^[{[,]$/.test(previous) || /^[}\]]$/.test(token);
    const space = startsLine && !isEmpty ? `\n${'  '.repeat(Math.min(Math.max(depth, 0), MAX_INDENT))}` : '';
    const part = space + (token === ':' ? ': ' : token);
    parts.push(part);
    length += part.length;
    if (length > maxLength) return text;
    if (token === '{' || token === '[') depth++;
    previous = token;
  }
  return parts.join('');
}
