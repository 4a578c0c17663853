import { parseText } from '../../domain/embed/fields.ts';
import type { SentParameters } from '../../domain/input/input-reader.ts';
import type { ParameterList } from '../../domain/input/parameters.ts';
import { hasTooManyNames, MAX_NAMES, parseJsonObject } from '../../domain/json.ts';
import { Refusal, refuseFaults } from '../../errors.ts';
import { decodeUtf8, mediaTypeOf, readBody } from '../../http/body.ts';
import type { IncomingRequest } from '../../http/exchange.ts';
import { TransportRefusal } from '../../http/problem.ts';

/** Parameters as they were sent; values from forms and query strings have their types. */
export type Parameters = SentParameters & { readonly values: object };

export const MEDIA_TYPES = 'application/json, application/x-www-form-urlencoded, multipart/form-data';

/** An instant whose plus sign was read as a space: RFC 3339 allows no space there. */
const UNESCAPED_OFFSET = /^(\S+) (\d\d:\d\d)$/;

/**
 * Reads the parameters of a query string.
 * @throws {Refusal} `invalid` when there are more than 100
 */
export function readQuery({ searchParams }: URL, list: ParameterList): Parameters {
  return bounded(
    fromEntries(searchParams, (name, text) => readText(list, name, text)),
    'query',
  );
}

/** Reads a value of a query string or a form as one of the type of its parameter. */
function readText(list: ParameterList, name: string, text: string): unknown {
  const { type = 'text', isList } = list.byPath.get(name) ?? {};
  if (isList) return text.split(',').map((item) => item.trim());
  return type === 'instant' ? text.replace(UNESCAPED_OFFSET, '$1+$2') : parseText(type, text);
}

function bounded(sent: Parameters, path: string): Parameters {
  if (!hasTooManyNames(sent.values)) return sent;
  throw refuseFaults([{ path, message: `must have at most ${MAX_NAMES} parameters` }]);
}

/**
 * Reads the parameters of a body: JSON, form or multipart form. An empty body has none if it has no media type, or if the
 * operation has no parameters: many clients name a type with each `POST`.
 * @throws {Refusal} `malformed`, and `invalid` when there are more than 100 parameters
 * @throws {TransportRefusal} `unsupported_media_type`, `payload_too_large`
 */
export async function readBodyParameters(request: IncomingRequest, list: ParameterList): Promise<Parameters> {
  return bounded(await parseBody(request, list), 'body');
}

async function parseBody(request: IncomingRequest, list: ParameterList): Promise<Parameters> {
  // no parameter is a file: the check rejects an object
  const fromForm = (name: string, value: FormDataEntryValue) =>
    typeof value === 'string' ? readText(list, name, value) : {};
  const bytes = await readBody(request);
  const mediaType = mediaTypeOf(request);
  if (bytes.length === 0 && (mediaType === null || list.all.length === 0)) return { values: {} };
  switch (mediaType) {
    case 'application/json':
      return parseJson(decodeUtf8(bytes));
    case 'application/x-www-form-urlencoded':
      return fromEntries(parseForm(decodeUtf8(bytes)), fromForm);
    case 'multipart/form-data':
      return fromEntries(await parseMultipart(request, bytes), fromForm);
    default:
      throw new TransportRefusal(
        'unsupported_media_type',
        'Send the body as application/json, application/x-www-form-urlencoded or multipart/form-data.',
        // RFC 5789 section 3.1, and https://www.w3.org/TR/ldp/#header-accept-post
        { [request.method === 'PATCH' ? 'accept-patch' : 'accept-post']: MEDIA_TYPES },
      );
  }
}

function parseJson(text: string): Parameters {
  const { value, repeated } = parseJsonObject(text);
  return { values: value, repeated: new Set(repeated) };
}

/** @throws {Refusal} `malformed` for JSON, which tools send as a form when no media type is given */
function parseForm(text: string): URLSearchParams {
  if (/^\s*[{[]/.test(text)) {
    throw new Refusal('malformed', 'The body looks like JSON: send Content-Type: application/json.');
  }
  return new URLSearchParams(text);
}

async function parseMultipart(request: IncomingRequest, bytes: Uint8Array<ArrayBuffer>): Promise<FormData> {
  try {
    const contentType = request.headers.get('content-type') ?? '';
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new Refusal('malformed', 'The body is not a valid multipart form.');
  }
}

function fromEntries<T>(entries: Iterable<[string, T]>, read: (name: string, value: T) => unknown): Parameters {
  const values = new Map<string, unknown>();
  const repeated = new Set<string>();
  for (const [name, value] of entries) {
    if (values.has(name)) repeated.add(name);
    else values.set(name, read(name, value));
  }
  return { values: Object.fromEntries(values), repeated };
}
