import { findRepeatedNames } from '../../domain/json.ts';
import { type Fault, Refusal, refuseFaults } from '../../errors.ts';
import { decodeUtf8, mediaTypeOf, readBody } from '../../http/body.ts';
import { TransportRefusal } from '../../http/problem.ts';

/** Parameters as they came: strings from a query or a form, anything from JSON. */
export type Parameters = Readonly<Record<string, unknown>>;

/** The names of REST and, behind them, those of the schema. */
const NAMES = {
  first: 'first',
  limit: 'first',
  after: 'after',
  page_url: 'pageUrl',
  page_id: 'pageId',
  mode: 'mode',
  font: 'font',
  show_top_bar: 'showTopBar',
  created_after: 'createdAfter',
  created_before: 'createdBefore',
  search: 'search',
  order_by: 'field',
  direction: 'direction',
} as const;

/** Those whose values are from a closed list. */
const LISTED: readonly string[] = ['mode', 'order_by', 'direction'] satisfies readonly (keyof typeof NAMES)[];
/** Those of a query string that are numbers. Digits alone can also be a font, or a word to search for. */
const NUMBERS: readonly string[] = ['first', 'limit'] satisfies readonly (keyof typeof NAMES)[];
/** The only form in which a number is read. Other forms stay text, which the rule of the parameter rejects. */
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;
/** Those that are instants. */
const INSTANTS: readonly string[] = ['created_after', 'created_before'] satisfies readonly (keyof typeof NAMES)[];
/** A plus sign in a query string is a space, which RFC 3339 has nowhere before an offset. */
const BARE_OFFSET = /^(.+T.+) (\d\d:\d\d)$/i;

export type Name = keyof typeof NAMES;

/** More than this is no request of ours, and not worth to be judged one by one. */
export const MAX_PARAMETERS = 100;

/** Marks a name that an operation does not take. GraphQL names cannot begin so: the schema is sure to refuse it. */
const UNKNOWN = '?';

/** Parameters in the words of the schema, and the way back for the faults that it finds in them. */
export interface Translation {
  readonly variables: Readonly<Record<string, unknown>>;
  toRestName(fault: Fault): Fault;
}

interface Sent {
  readonly parameters: Parameters;
  /** Parameters where the operation takes none. */
  readonly unexpected: Parameters;
  readonly takes: readonly Name[];
}

/** Translates names and the spelling of listed values. What is right is not decided here: the schema judges every value. */
export function translate({ parameters, unexpected, takes }: Sent): Translation {
  const names = new Map<string, string>(takes.map((name) => [NAMES[name], name]));
  const variables: Record<string, unknown> = {};
  for (const name of Object.keys(unexpected)) {
    names.set(UNKNOWN + name, name);
    variables[UNKNOWN + name] = unexpected[name];
  }
  for (const [name, value] of Object.entries(parameters)) {
    const known = takes.find((candidate) => candidate === name);
    const isAliasTooMany = known === 'limit' && 'first' in parameters;
    const variable = known && !isAliasTooMany ? NAMES[known] : UNKNOWN + name;
    names.set(variable, name);
    variables[variable] = known && LISTED.includes(known) ? swapCase(value) : value;
  }
  return {
    variables,
    toRestName({ path, message, allowed, other }) {
      if (path === `${UNKNOWN}limit` && takes.includes('limit')) {
        return { path: 'limit', message: 'is another name for first; send one of them' };
      }
      const isRepeated = !path.startsWith(UNKNOWN) && variables[path] instanceof Repeated;
      const spelled = { path: names.get(path) ?? path, message: isRepeated ? 'must be sent once' : message };
      if (isRepeated) return spelled;
      if (other !== undefined) return { ...spelled, other: names.get(other) ?? other };
      return allowed ? { ...spelled, allowed: allowed.map((value) => value.toLowerCase()) } : spelled;
    },
  };
}

/** REST writes listed values in lower case, GraphQL in upper case; either's spelling is unknown to the other. */
function swapCase(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  // letters outside ASCII may have one of it as their other case
  return /^[a-z_]+$/.test(value) ? value.toUpperCase() : value.toLowerCase();
}

/**
 * The parameters of a query string; whole numbers become numbers, and the offsets of instants get their plus sign back.
 * @throws {Refusal} `invalid` when they are too many to be judged
 */
export function readQuery({ searchParams }: URL): Parameters {
  const parameters = fromEntries(searchParams, (name, text) => {
    if (NUMBERS.includes(name) && WHOLE_NUMBER.test(text)) return Number(text);
    return INSTANTS.includes(name) ? text.replace(BARE_OFFSET, '$1+$2') : text;
  });
  return bounded(parameters, 'query');
}

function bounded(parameters: Parameters, path: string): Parameters {
  if (Object.keys(parameters).length <= MAX_PARAMETERS) return parameters;
  throw refuseFaults([{ path, message: `must have at most ${MAX_PARAMETERS} parameters` }]);
}

/**
 * The parameters of a body: JSON, form or multipart form. None when it is empty and names no type.
 * @throws {Refusal} `malformed`, and `invalid` when they are too many to be judged
 * @throws {TransportRefusal} `unsupported_media_type`, `payload_too_large`
 */
export async function readBodyParameters(request: Request): Promise<Parameters> {
  return bounded(await parseBody(request), 'body');
}

async function parseBody(request: Request): Promise<Parameters> {
  const bytes = await readBody(request);
  const mediaType = mediaTypeOf(request);
  if (mediaType === null && bytes.length === 0) return {};
  switch (mediaType) {
    case 'application/json':
      return parseJson(decodeUtf8(bytes));
    case 'application/x-www-form-urlencoded':
      return parseForm(decodeUtf8(bytes));
    case 'multipart/form-data':
      return fromEntries(await parseMultipart(request, bytes), fromForm);
    default:
      throw new TransportRefusal(
        'unsupported_media_type',
        'Send the body as application/json, application/x-www-form-urlencoded or multipart/form-data.',
        { 'accept-post': 'application/json, application/x-www-form-urlencoded, multipart/form-data' },
      );
  }
}

function parseJson(text: string): Parameters {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('malformed', 'The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('malformed', 'The body must be a JSON object.');
  }
  const repeated = findRepeatedNames(text);
  if (repeated.length === 0) return value as Parameters;
  return Object.fromEntries(
    Object.entries(value).map(([name, last]) => [name, repeated.includes(name) ? Repeated.of(last) : last]),
  );
}

/** Tools that name no type themselves send JSON as a form. */
function parseForm(text: string): Parameters {
  if (/^\s*[{[]/.test(text)) {
    throw new Refusal('malformed', 'The body looks like JSON: send Content-Type: application/json.');
  }
  return fromEntries(new URLSearchParams(text), fromForm);
}

async function parseMultipart(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<FormData> {
  try {
    const contentType = request.headers.get('content-type') ?? '';
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new Refusal('malformed', 'The body is not a valid multipart form.');
  }
}

/** Forms know only text, so the boolean is written out. A file is no text. */
function fromForm(name: string, value: FormDataEntryValue): unknown {
  if (typeof value !== 'string') return {};
  const isBoolean = name === 'show_top_bar' && (value === 'true' || value === 'false');
  return isBoolean ? value === 'true' : value;
}

/** Values of a parameter that was sent more than once: all of a form's or a query's, the last one of JSON. */
class Repeated extends Array<unknown> {}

function fromEntries<T>(entries: Iterable<[string, T]>, read: (name: string, value: T) => unknown): Parameters {
  const parameters = new Map<string, unknown>();
  for (const [name, value] of entries) {
    const earlier = parameters.get(name);
    if (earlier instanceof Repeated) earlier.push(read(name, value));
    else parameters.set(name, parameters.has(name) ? Repeated.of(earlier, read(name, value)) : read(name, value));
  }
  return Object.fromEntries(parameters);
}
