import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import { FetchFailure } from './failure.ts';

/** Counted as the bytes arrive, and once more as they are unpacked. */
export const MAX_PAGE_BYTES = 5 * 1024 * 1024;

/** What chunks may add to a body (RFC 9112 section 7.1). Each is a turn of the event loop's, however little is in it. */
const MAX_FRAMING_BYTES = 512 * 1024;

/** The encodings that {@link readBody} unpacks. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/** RFC 9659: a decoder of HTTP content needs no more than 8 MB. */
const ZSTD_WINDOW_LOG = 23;

type Unpack = (packed: Uint8Array, limit: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

/** RFC 9110 section 8.4.1. */
const UNPACK = new Map<string, Unpack>([
  ['', async (bytes) => bytes],
  ['identity', async (bytes) => bytes],
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  // Without the zlib wrapper it is not valid and not rare; the wrapper's first byte always ends in 8 (RFC 1950).
  ['deflate', (bytes, limit) => promisify(((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(bytes, limit)],
  ['br', promisify(brotliDecompress)],
  [
    'zstd',
    (bytes, limit) =>
      promisify(zstdDecompress)(bytes, { ...limit, params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
  ],
]);

/**
 * The body of an answer, unpacked, at most {@link MAX_PAGE_BYTES} long.
 * @throws {FetchFailure} at the latest when one byte too many has come
 */
export async function readBody(response: IncomingMessage, signal: AbortSignal): Promise<Uint8Array> {
  const unpack = UNPACK.get(response.headers['content-encoding']?.trim().toLowerCase() ?? '');
  if (!unpack) throw new FetchFailure('broken-body');
  if (Number(response.headers['content-length']) > MAX_PAGE_BYTES) throw new FetchFailure('too-large');
  try {
    const packed = await readBytes(response);
    return packed.length === 0 ? packed : await unpack(packed, { maxOutputLength: MAX_PAGE_BYTES });
  } catch (error) {
    if (error instanceof FetchFailure || signal.aborted) throw error;
    throw new FetchFailure(codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'broken-body');
  }
}

async function readBytes(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // what waits to be parsed counts as framing until it is
    const framing = response.socket.bytesRead - length;
    if (length > MAX_PAGE_BYTES || framing > MAX_FRAMING_BYTES) throw new FetchFailure('too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
