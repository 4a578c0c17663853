import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Awaitable } from '../awaitable.ts';
import { Refusal } from '../errors.ts';
import type { IncomingRequest } from './exchange.ts';
import { TransportRefusal } from './problem.ts';

// not imported, like `createServer` in `server/listen.ts`
const { IncomingMessage: NodeMessage } = process.getBuiltinModule('node:http');

export const MAX_BODY_BYTES = 100_000;

/** @throws {TransportRefusal} `payload_too_large` as soon as `maxBytes` is exceeded */
export function readBody(
  request: IncomingRequest,
  maxBytes: number = MAX_BODY_BYTES,
): Awaitable<Uint8Array<ArrayBuffer>> {
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') {
    throw new TransportRefusal('unsupported_media_type', 'Send the body without a content encoding.');
  }
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  request.askForBody?.();
  const { body } = request;
  if (body instanceof NodeMessage && body.complete && !body.destroyed) return readArrived(body, maxBytes);
  // the listener discards the rest of a body that is too large, after it has sent the response
  const chunks = body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : body;
  return chunks === null ? Buffer.alloc(0) : collect(chunks, maxBytes);
}

/** Most bodies arrive together with the headers. */
function readArrived(message: IncomingMessage, maxBytes: number): Uint8Array<ArrayBuffer> {
  const bytes: Buffer<ArrayBuffer> | null = message.read();
  if (bytes === null) return Buffer.alloc(0);
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

async function collect(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of source) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof TransportRefusal ? error : new Refusal('malformed', 'The body did not arrive in full.');
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws {Refusal} `malformed` if the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refusal('malformed', 'The body is not valid UTF-8.');
  }
}

/** Returns the media type of a body in lower case, without parameters; null if there is none. */
export function mediaTypeOf(request: IncomingRequest): string | null {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() || null;
}

/** @throws {TransportRefusal} `unsupported_media_type` for a body of another media type */
export function requireMediaType(request: IncomingRequest, type: string): void {
  if (mediaTypeOf(request) === type) return;
  throw new TransportRefusal('unsupported_media_type', `The media type must be ${type}.`);
}

function tooLarge(maxBytes: number): TransportRefusal {
  return new TransportRefusal('payload_too_large', `The body must be at most ${maxBytes} bytes.`);
}
