import { Readable } from 'node:stream';

/** The response of a door. Unlike a `Response`, it is written to the socket without parsing or copying. */
export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** A stream is sent as fast as the client reads it, and destroyed when the client disconnects. */
  readonly body: string | Uint8Array<ArrayBuffer> | Readable | null;
  /** Code of a refusal that is part of the body, for metrics. */
  readonly refusalCode?: string | undefined;
}

export type ReplyOptions = Partial<Pick<Reply, 'status' | 'refusalCode'>> & {
  readonly headers?: Readonly<Record<string, string>>;
};

export function reply(body: Reply['body'], { status = 200, headers, refusalCode }: ReplyOptions = {}): Reply {
  return { status, headers: { ...headers }, body, refusalCode };
}

export function withHeaders(sent: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...sent, headers: { ...sent.headers, ...headers } };
}

export function withoutBody({ status, headers, body }: Reply): Reply {
  if (body === null) return { status, headers, body };
  if (body instanceof Readable) {
    body.destroy();
    return { status, headers: { ...headers, 'transfer-encoding': 'chunked' }, body: null };
  }
  return { status, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body: null };
}

export function toResponse({ status, headers, body }: Reply): Response {
  const content = body instanceof Readable ? (Readable.toWeb(body) as ReadableStream) : body;
  return new Response(content, { status, headers });
}
