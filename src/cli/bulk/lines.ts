import { isUtf8 } from 'node:buffer';
import { InputError } from '../run.ts';

/** Complete lines with their ends: LF, CR LF, or a CR where there is no LF. */
export interface Lines {
  readonly text: string;
  /** The number of the first line, counted from 1. */
  readonly number: number;
}

export const MAX_LINE_BYTES = 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Reads UTF-8 text, many lines at a time.
 * @throws {InputError} with the number of a line that is too long or not UTF-8
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Lines> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 1;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    // a CR at the end may belong to the LF of the next chunk
    const end = bytes.lastIndexOf(LF) + 1 || bytes.lastIndexOf(CR, -2) + 1;
    if (end > 0) {
      const lines = decode(bytes.subarray(0, end), number);
      yield lines;
      number += countLines(lines.text) || countLines(lines.text, '\r');
    }
    rest = bytes.subarray(end);
    if (rest.length > MAX_LINE_BYTES) throw new InputError(`Line ${number} is over ${MAX_LINE_BYTES} bytes.`);
  }
  if (rest.length > 0) yield decode(rest, number);
}

function decode(bytes: Buffer, number: number): Lines {
  if (!isUtf8(bytes)) {
    const line = number + invalidLineIn(bytes);
    throw new InputError(`Line ${line} is not valid UTF-8. In a spreadsheet, save it as "CSV UTF-8".`);
  }
  const text = bytes.toString();
  return { text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, number };
}

/** Returns the index of the first line that is not UTF-8. */
function invalidLineIn(bytes: Buffer): number {
  for (let start = 0, i = 0; ; i++) {
    const end = bytes.indexOf(LF, start) + 1 || bytes.length;
    if (!isUtf8(bytes.subarray(start, end))) return i;
    start = end;
  }
}

export function countLines(text: string, end = '\n'): number {
  return text.split(end).length - 1;
}
