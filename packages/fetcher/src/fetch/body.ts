import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { FetchFailure } from './failure.ts';

/** Limit for the encoded body and again for the decoded one. */
export const MAX_PAGE_BYTES = 5 * 1024 * 1024;

/** Limit for chunk headers and extensions (RFC 9112 section 7.1): many tiny chunks would occupy the event loop. */
const MAX_FRAMING_BYTES = 512 * 1024;

export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/** RFC 9659: a decoder of HTTP content needs no more than 8 MB. */
const ZSTD_WINDOW_LOG = 23;

/** Several encodings, and those that are not requested. Browsers ignore other names, such as `UTF-8` and `none`. */
const UNDECODED = /,|^(?:(?:x-)?compress|dc[bz]|exi|xz|lzma|bzip2|sdch|pack200-gzip)$/;

const DECODERS: Readonly<Record<string, (start: Uint8Array) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // many servers omit the zlib wrapper, whose first byte always ends in 8 (RFC 1950)
  deflate: ([first = 0]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
};

export type Body = ReturnType<typeof openBody>;

/**
 * Opens the decoded body of a response, which is downloaded only as far as it is read.
 * @throws {FetchFailure} `broken-body` for several encodings, or one that was not requested
 */
export function openBody(response: IncomingMessage, signal: AbortSignal) {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const createDecoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (!createDecoder && UNDECODED.test(encoding)) throw new FetchFailure('broken-body');
  const received = receive(response);
  const chunks = createDecoder ? decode(received, createDecoder) : received;
  const parts: Uint8Array[] = [];
  let length = 0;
  let hasEnded = false;

  async function readChunk(): Promise<void> {
    const { value } = await chunks.next();
    if (value) parts.push(value);
    else hasEnded = true;
    length += value?.length ?? 0;
  }

  /**
   * Returns the body from its first byte, up to `maxBytes`.
   * @throws {FetchFailure} `broken-body` if the body cannot be decoded, `too-large` if its encoding exceeds a limit
   */
  async function read(maxBytes: number) {
    try {
      // one byte more tells a body that ends here from one that goes on
      while (!hasEnded && length <= maxBytes) await readChunk();
    } catch (error) {
      if (error instanceof FetchFailure || signal.aborted) throw error;
      throw new FetchFailure('broken-body');
    }
    return { bytes: Buffer.concat(parts).subarray(0, maxBytes), isWhole: length <= maxBytes };
  }

  return {
    /** The size of the whole body that the response declares; null if it does not, or if the body is encoded. */
    declaredSize: createDecoder ? null : sizeOf(response.headers['content-length']),
    read,
    /** Returns what arrives in a time, up to {@link MAX_PAGE_BYTES} and before a failure, of a body that may have no end. */
    async readWithin(timeMs: number): Promise<Uint8Array> {
      await Promise.race([read(MAX_PAGE_BYTES).catch(() => {}), pause(timeMs, null, { ref: false })]);
      return Buffer.concat(parts).subarray(0, MAX_PAGE_BYTES);
    },
  };
}

function sizeOf(contentLength: string | undefined): number | null {
  return contentLength !== undefined && /^\d{1,15}$/.test(contentLength) ? Number(contentLength) : null;
}

async function* receive(response: IncomingMessage): AsyncGenerator<Uint8Array, void> {
  let length = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // includes bytes that are received but not parsed yet
    const framing = response.socket.bytesRead - length;
    if (length > MAX_PAGE_BYTES || framing > MAX_FRAMING_BYTES) throw new FetchFailure('too-large');
    yield chunk;
  }
}

async function* decode(
  encoded: AsyncGenerator<Uint8Array, void>,
  createDecoder: (start: Uint8Array) => Transform,
): AsyncGenerator<Uint8Array, void> {
  const first = await encoded.next();
  if (!first.value) return;
  const start = first.value;
  const decoder = createDecoder(start);
  const source = async function* () {
    yield start;
    yield* encoded;
  };
  // errors of the source and of the decoder reach the reader of the decoder
  pipeline(Readable.from(source()), decoder, () => {});
  yield* decoder as AsyncIterable<Uint8Array>;
}
