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
  const text = decodeUtf8(bytes);
  if (text !== null) return { text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, number };
  for (let start = 0, line = number; ; line++) {
    const end = bytes.indexOf(LF, start) + 1 || bytes.length;
    if (decodeUtf8(bytes.subarray(start, end)) === null)
      throw new InputError(`Line ${line} is not valid UTF-8. In a spreadsheet, save it as "CSV UTF-8".`);
    start = end;
  }
}

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

export function countLines(text: string, end = '\n'): number {
  return text.split(end).length - 1;
}
