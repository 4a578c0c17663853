import type { IncomingMessage } from 'node:http';
import { type Body, openBody } from './body.ts';
import { readWhole } from './response.ts';

/** Methods that read. Others could change something at the site. POST is here because many sites read by it. */
export const RESOURCE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST'] as const;

export interface ResourceRequest {
  readonly url: string;
  readonly method: (typeof RESOURCE_METHODS)[number];
  /** Names in lower case. The fetcher sets those of the connection, the client and the encoding itself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export interface FetchedResource {
  readonly kind: 'resource';
  readonly status: number;
  /** Without those that describe the connection or the encoding, and without cookies. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Decoded. */
  readonly body: Uint8Array;
}

const REQUEST_HEADERS_OF_FETCHER =
  /^(?:accept-encoding|connection|content-length|cookie2?|expect|host|keep-alive|origin-trial|referer|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via|forwarded|(?:x-forwarded|proxy|sec)-.*)$/;
const DROPPED_RESPONSE_HEADERS =
  /^(?:alt-svc|connection|content-encoding|content-length|keep-alive|link|nel|refresh|report-to|reporting-endpoints|set-cookie2?|speculation-rules|trailer|transfer-encoding|upgrade|proxy-.*)$/;
/** Sum of names and values. Requests with more are not sent. */
const MAX_HEADERS_LENGTH = 16 * 1024;

/** Streams that may have no end, unless they declare their length. They are read for a time. */
const STREAM_TYPE = /^(?:text\/event-stream|application\/(?:x-)?ndjson)\b/i;
const STREAM_TIME_MS = 3_000;

/** Returns the headers of a browser's request that the site may receive, or null if they are too long. */
export function selectRequestHeaders(given: Readonly<Record<string, string>>): Record<string, string> | null {
  const kept = Object.entries(given)
    // the browser has read the bytes of values as UTF-8; Node.js writes one byte for each character
    .map(([name, value]) => [name.toLowerCase(), Buffer.from(value).toString('latin1')] as const)
    .filter(([name]) => !REQUEST_HEADERS_OF_FETCHER.test(name));
  const length = kept.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return length <= MAX_HEADERS_LENGTH ? Object.fromEntries(kept) : null;
}

/** Reads a response of any status and media type: of a stream, what arrives in {@link STREAM_TIME_MS}. Redirects have no body. */
export async function readResource(
  response: IncomingMessage,
  method: string,
  signal: AbortSignal,
): Promise<FetchedResource> {
  const status = response.statusCode ?? 0;
  const hasBody = method !== 'HEAD' && status !== 204 && !(status >= 300 && status < 400);
  const { 'content-type': type = '', 'content-length': length } = response.headers;
  const isStream = STREAM_TYPE.test(type) && length === undefined;
  const read = (body: Body) => (isStream ? body.readWithin(STREAM_TIME_MS) : readWhole(body));
  const body = hasBody ? await read(openBody(response, signal)) : new Uint8Array();
  const headers = Object.entries(response.headersDistinct)
    .filter(([name]) => !DROPPED_RESPONSE_HEADERS.test(name))
    .flatMap(([name, values = []]) => values.map((value) => [name, value] as const));
  return { kind: 'resource', status, headers, body };
}
