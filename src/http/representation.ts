import { type Coding, chooseCoding, type Encoded, encode, etagOf, matchesWeakly } from './negotiation.ts';
import { type Reply, reply } from './reply.ts';

type Headers = Readonly<Record<string, string>>;

/** A text that is served more than once: it is encoded and compressed once, when that is first asked for. */
export interface Representation {
  /** Length of the text as it is. */
  readonly byteLength: number;
  /** The answer to a request, in the coding that it wants; 304 where it has seen the same already. */
  reply(request: Request, status?: number): Reply | Promise<Reply>;
}

/** What is sent to whoever wants a coding. */
interface InCoding {
  readonly body: Encoded['body'];
  readonly headers: Headers;
}

/**
 * The tag is weak, since it is one for all codings (RFC 9110 section 8.8.1), and covers the headers too: a client that
 * is told to use what it has uses theirs.
 */
export function createRepresentation(text: string, headers: Headers): Representation {
  const tag = etagOf(JSON.stringify(headers) + text);
  const vary = headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`;
  const encoded = new Map<Coding, InCoding | Promise<InCoding>>();

  function inCoding(wanted: Coding): InCoding | Promise<InCoding> {
    const known = encoded.get(wanted);
    if (known) return known;
    const begun = encodeWhole(wanted);
    encoded.set(wanted, begun);
    begun.catch(() => encoded.delete(wanted));
    return begun;
  }

  async function encodeWhole(wanted: Coding): Promise<InCoding> {
    const { body, coding } = await encode(text, wanted);
    const contentEncoding = coding === 'identity' ? {} : { 'content-encoding': coding };
    const whole = { body, headers: { ...headers, etag: `W/${tag}`, vary, ...contentEncoding } };
    encoded.set(wanted, whole);
    return whole;
  }

  return {
    byteLength: Buffer.byteLength(text),
    reply(request, status = 200) {
      const condition = request.headers.get('if-none-match');
      // RFC 9110 sections 13.2.1 and 15.4.5
      if (status === 200 && condition !== null && matchesWeakly(condition, tag)) {
        const cacheControl = headers['cache-control'];
        const kept = { etag: `W/${tag}`, vary, ...(cacheControl && { 'cache-control': cacheControl }) };
        return reply(null, { status: 304, headers: kept });
      }
      const whole = inCoding(chooseCoding(request.headers.get('accept-encoding')));
      const answerIn = ({ body, headers }: InCoding) => reply(body, { status, headers });
      return whole instanceof Promise ? whole.then(answerIn) : answerIn(whole);
    },
  };
}
