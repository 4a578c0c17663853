import { type Coding, chooseCoding, type Encoded, encode, etagOf, matchesWeakly } from './negotiation.ts';
import { type Reply, reply } from './reply.ts';

type Headers = Readonly<Record<string, string>>;

/** A text that is compressed once per coding, at the first request for it. */
export interface Representation {
  readonly byteLength: number;
  /** Replies in the coding that the request prefers; with 304 if `If-None-Match` names the text. */
  reply(request: Request, status?: number): Reply | Promise<Reply>;
}

interface EncodedReply {
  readonly body: Encoded['body'];
  readonly headers: Headers;
}

/** The weak tag (RFC 9110 section 8.8.1) covers the headers too, since a client that gets 304 uses its stored ones. */
export function createRepresentation(text: string, headers: Headers): Representation {
  const tag = etagOf(JSON.stringify(headers) + text);
  const vary = headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`;
  const encoded = new Map<Coding, EncodedReply | Promise<EncodedReply>>();

  function findOrEncode(coding: Coding): EncodedReply | Promise<EncodedReply> {
    const existing = encoded.get(coding);
    if (existing) return existing;
    const inFlight = encodeText(coding);
    encoded.set(coding, inFlight);
    inFlight.catch(() => encoded.delete(coding));
    return inFlight;
  }

  async function encodeText(preferred: Coding): Promise<EncodedReply> {
    const { body, coding } = await encode(text, preferred);
    const contentEncoding = coding === 'identity' ? {} : { 'content-encoding': coding };
    const encodedReply = { body, headers: { ...headers, etag: `W/${tag}`, vary, ...contentEncoding } };
    encoded.set(preferred, encodedReply);
    return encodedReply;
  }

  return {
    byteLength: Buffer.byteLength(text),
    reply(request, status = 200) {
      const condition = request.headers.get('if-none-match');
      // RFC 9110 sections 13.2.1 and 15.4.5
      if (status === 200 && condition !== null && matchesWeakly(condition, tag)) {
        const cacheControl = headers['cache-control'];
        const headersOf304 = { etag: `W/${tag}`, vary, ...(cacheControl && { 'cache-control': cacheControl }) };
        return reply(null, { status: 304, headers: headersOf304 });
      }
      const found = findOrEncode(chooseCoding(request.headers.get('accept-encoding')));
      const toReply = ({ body, headers }: EncodedReply) => reply(body, { status, headers });
      return found instanceof Promise ? found.then(toReply) : toReply(found);
    },
  };
}
