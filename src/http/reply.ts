import { Readable } from 'node:stream';

/** What a door answers: a response of which nothing needs to be parsed or copied on its way out. */
export interface Reply {
  readonly status: number;
  /** By their names in lower case. What all answers bear is added on the way. */
  readonly headers: Record<string, string>;
  /** A stream is sent as its pieces come, at the pace of whoever reads it; it is destroyed when nobody does any more. */
  readonly body: string | Uint8Array<ArrayBuffer> | Readable | null;
}

export function reply(
  body: Reply['body'],
  init: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Reply {
  return { status: init.status ?? 200, headers: { ...init.headers }, body };
}

/** What HEAD answers: all but the body (RFC 9110 section 9.3.2). What has none with GET either tells no length. */
export function withoutBody({ status, headers, body }: Reply): Reply {
  if (body === null) return { status, headers, body };
  if (body instanceof Readable) {
    body.destroy();
    return { status, headers: { ...headers, 'transfer-encoding': 'chunked' }, body: null };
  }
  return { status, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body: null };
}

/** The answer as the Fetch standard has it. */
export function toResponse({ status, headers, body }: Reply): Response {
  const content = body instanceof Readable ? (Readable.toWeb(body) as ReadableStream) : body;
  return new Response(content, { status, headers });
}
