import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import { FetchFailure } from './failure.ts';

/** Limit for the encoded body and again for the decoded one. */
export const MAX_PAGE_BYTES = 5 * 1024 * 1024;

/** Limit for chunk headers and extensions (RFC 9112 section 7.1): many tiny chunks would occupy the event loop. */
const MAX_FRAMING_BYTES = 512 * 1024;

export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/** RFC 9659: a decoder of HTTP content needs no more than 8 MB. */
const ZSTD_WINDOW_LOG = 23;

type Decode = (encoded: Uint8Array, limit: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const DECODERS = new Map<string, Decode>([
  ['', async (bytes) => bytes],
  ['identity', async (bytes) => bytes],
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  // many servers omit the zlib wrapper, whose first byte always ends in 8 (RFC 1950)
  ['deflate', (bytes, limit) => promisify(((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(bytes, limit)],
  ['br', promisify(brotliDecompress)],
  [
    'zstd',
    (bytes, limit) =>
      promisify(zstdDecompress)(bytes, { ...limit, params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
  ],
]);

/** @throws {FetchFailure} `too-large` above {@link MAX_PAGE_BYTES}, `broken-body` if the body cannot be decoded */
export async function readBody(response: IncomingMessage, signal: AbortSignal): Promise<Uint8Array> {
  const decode = DECODERS.get(response.headers['content-encoding']?.trim().toLowerCase() ?? '');
  if (!decode) throw new FetchFailure('broken-body');
  if (Number(response.headers['content-length']) > MAX_PAGE_BYTES) throw new FetchFailure('too-large');
  try {
    const encoded = await readBytes(response);
    return encoded.length === 0 ? encoded : await decode(encoded, { maxOutputLength: MAX_PAGE_BYTES });
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
    // includes bytes that are received but not parsed yet
    const framing = response.socket.bytesRead - length;
    if (length > MAX_PAGE_BYTES || framing > MAX_FRAMING_BYTES) throw new FetchFailure('too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
