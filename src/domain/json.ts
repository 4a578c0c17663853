/** RFC 8259 section 2. */
const WHITESPACE = ' \t\n\r';

/**
 * Finds the names that an object in a JSON text has more than once. RFC 8259 does not say which of their values counts,
 * and `JSON.parse` returns the last one without an error.
 * @param text valid JSON
 */
export function findRepeatedNames(text: string): readonly string[] {
  const repeated = new Set<string>();
  /** The names of each open object. Lists need no entry, because a string in a list is never followed by a colon. */
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '}') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      if (isColonNext(text, end)) {
        const names = open.at(-1);
        const name = nameOf(text.slice(at, end));
        if (names?.has(name)) repeated.add(name);
        names?.add(name);
      }
      at = end - 1;
    }
  }
  return [...repeated];
}

/** The position after the quotation mark that ends a string. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function isColonNext(text: string, at: number): boolean {
  let next = at;
  while (WHITESPACE.includes(text[next] ?? ':')) next++;
  return text[next] === ':';
}

/** One name can be written in several ways. */
function nameOf(string: string): string {
  return string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1);
}
