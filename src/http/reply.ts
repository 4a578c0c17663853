import { Readable } from 'node:stream';

/** The response of a door, in a form that needs no parsing or copying on its way to the socket. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. The pipeline adds the headers that all replies have. */
  readonly headers: Record<string, string>;
  /** A stream is sent chunk by chunk, as fast as the client reads; it is destroyed when the client disconnects. */
  readonly body: string | Uint8Array<ArrayBuffer> | Readable | null;
  /** The code of the refusal in the body, for logs and metrics, where the door itself wrote one into it. */
  readonly refusalCode?: string | undefined;
}

type ReplyOptions = Partial<Pick<Reply, 'status' | 'refusalCode'>> & {
  readonly headers?: Readonly<Record<string, string>>;
};

/** Creates a reply; the status is 200 unless given. */
export function reply(body: Reply['body'], { status = 200, headers, refusalCode }: ReplyOptions = {}): Reply {
  return { status, headers: { ...headers }, body, refusalCode };
}

/** The reply to HEAD (RFC 9110 section 9.3.2): the same headers without the body. */
export function withoutBody({ status, headers, body }: Reply): Reply {
  if (body === null) return { status, headers, body };
  if (body instanceof Readable) {
    body.destroy();
    return { status, headers: { ...headers, 'transfer-encoding': 'chunked' }, body: null };
  }
  return { status, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body: null };
}

/** Converts a reply to a response of the Fetch standard. */
export function toResponse({ status, headers, body }: Reply): Response {
  const content = body instanceof Readable ? (Readable.toWeb(body) as ReadableStream) : body;
  return new Response(content, { status, headers });
}
