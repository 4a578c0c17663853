import type { Readable } from 'node:stream';
import { Refusal } from '../errors.ts';
import type { IncomingRequest } from './exchange.ts';
import { TransportRefusal } from './problem.ts';

/** 100 kB, for every door. */
export const MAX_BODY_BYTES = 100_000;

/**
 * The body of a request, at most {@link MAX_BODY_BYTES} long.
 * @throws {TransportRefusal} `payload_too_large`, at the latest when one byte too many has come
 */
export async function readBody(request: IncomingRequest): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') {
    throw new TransportRefusal('unsupported_media_type', 'Send the body without a content encoding.');
  }
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  request.askForBody?.();
  return request.source ? collect(request.source) : collectFromWeb(request);
}

function collect(source: Readable): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const read = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= MAX_BODY_BYTES) return;
      // what comes after it is discarded by the listener, once it has sent the response
      source.off('data', read);
      reject(tooLarge());
    };
    source.on('data', read);
    source.once('end', () => resolve(Buffer.concat(chunks)));
    source.once('error', () => reject(incomplete()));
    source.once('close', () => source.readableEnded || reject(incomplete()));
    // the sender was gone before anybody listened
    if (source.destroyed) reject(incomplete());
  });
}

async function collectFromWeb(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof TransportRefusal ? error : incomplete();
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Text as UTF-8, which it must be. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refusal('malformed', 'The body is not valid UTF-8.');
  }
}

/** The media type of a request's body in lower case, without its parameters; null when it names none. */
export function mediaTypeOf(request: Request): string | null {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() || null;
}

function incomplete(): Refusal {
  return new Refusal('malformed', 'The body did not arrive in full.');
}

function tooLarge(): TransportRefusal {
  return new TransportRefusal('payload_too_large', `The body must be at most ${MAX_BODY_BYTES} bytes.`);
}
