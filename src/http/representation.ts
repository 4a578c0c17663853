import { type Awaitable, loadOnce } from '../awaitable.ts';
import type { IncomingRequest, RequestHeaders } from './exchange.ts';
import { type Coding, chooseCoding, encode, etagOf, matchesWeakly } from './negotiation.ts';
import { type Reply, reply } from './reply.ts';

type Headers = Readonly<Record<string, string>>;

/** A text that is compressed once per coding, at the first request for it. Its bytes are kept, and not the string. */
export interface Representation {
  readonly byteLength: number;
  /** Replies in the coding that the request prefers; with 304 if `If-None-Match` names the text. */
  reply(request: IncomingRequest, status?: number): Awaitable<Reply>;
}

type EncodedReply = Pick<Reply, 'body' | 'headers'>;

/** Headers that update a stored response (RFC 9110 section 15.4.5), and those by which a CDN finds it. */
const HEADERS_OF_304 = [
  'etag',
  'vary',
  'cache-control',
  'cdn-cache-control',
  'x-accel-expires',
  'surrogate-key',
  'cache-tag',
];

function headersOf304(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HEADERS_OF_304.includes(name)));
}

/** Replies with 304 instead if `If-None-Match` names the tag of the reply (RFC 9110 section 13.1.2). */
export function unlessKnown(headers: RequestHeaders, whole: Reply): Reply {
  const condition = headers.get('if-none-match');
  if (condition === null || !matchesWeakly(condition, whole.headers.etag ?? '')) return whole;
  return reply(null, { status: 304, headers: headersOf304(whole.headers) });
}

/** As the value of the attribute `data-tag` of a page, it becomes the tag of the representation. */
export const TAG_PLACEHOLDER = '{etag}';
const TAG_ATTRIBUTE = ` data-tag="${TAG_PLACEHOLDER}"`;

/** Creates representations of a text that names the origin of the service. The latest is kept: nearly all requests have one. */
export function createRepresentationByOrigin(
  textFor: (origin: string) => string,
  headers: Headers,
): (origin: string) => Representation {
  let latest: { readonly origin: string; readonly representation: Representation } | undefined;
  return (origin) => {
    if (latest?.origin !== origin) latest = { origin, representation: createRepresentation(textFor(origin), headers) };
    return latest.representation;
  };
}

/** The weak tag (RFC 9110 section 8.8.1) covers the headers too, since a client that gets 304 uses its stored ones. */
export function createRepresentation(text: string, headers: Headers): Representation {
  const shownHeaders = JSON.stringify(headers);
  // long texts take longer to convert than to hash
  const whole = Buffer.from(shownHeaders + text);
  const tag = etagOf(whole);
  const bytes = text.includes(TAG_ATTRIBUTE)
    ? Buffer.from(text.replace(TAG_ATTRIBUTE, ` data-tag=${tag}`))
    : whole.subarray(Buffer.byteLength(shownHeaders));
  const vary = headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`;
  const ownHeaders = { etag: `W/${tag}`, vary };
  const headersIfKnown = headersOf304({ ...headers, ...ownHeaders });
  const load = (coding: Coding) => loadOnce(() => encodeText(coding));
  const encoded = { br: load('br'), gzip: load('gzip'), identity: load('identity') };

  async function encodeText(preferred: Coding): Promise<EncodedReply> {
    const { body, coding } = await encode(bytes, preferred);
    const contentEncoding = coding === 'identity' ? {} : { 'content-encoding': coding };
    const own = { ...ownHeaders, ...contentEncoding, 'content-length': String(body.length) };
    return { body, headers: { ...headers, ...own } };
  }

  return {
    byteLength: bytes.length,
    reply(request, status = 200) {
      const condition = request.headers.get('if-none-match');
      // RFC 9110 sections 13.2.1 and 15.4.5
      if (status === 200 && condition !== null && matchesWeakly(condition, tag)) {
        return reply(null, { status: 304, headers: headersIfKnown });
      }
      const found = encoded[chooseCoding(request.headers.get('accept-encoding'))]();
      if (!(found instanceof Promise)) return reply(found.body, { status, headers: found.headers });
      return found.then(({ body, headers }) => reply(body, { status, headers }));
    },
  };
}
