import { type Awaitable, andThen } from '../../awaitable.ts';
import { hasTooManyNames, isObject, type JsonObject, MAX_NAMES, parseJsonObject } from '../../domain/json.ts';
import { type Fault, refuseFaults } from '../../errors.ts';
import type { GraphQLParameters } from '../../graphql/execution/execute-request.ts';
import { decodeUtf8, mediaTypeOf, readBody } from '../../http/body.ts';
import type { Exchange } from '../../http/exchange.ts';
import { TransportRefusal } from '../../http/problem.ts';

/** `doc_id` is what Relay's documentation calls `documentId`. */
const ID_NAMES = ['documentId', 'doc_id'];
const OBJECT_NAMES = ['variables', 'extensions'];
const NAMES = ['query', 'operationName', ...OBJECT_NAMES, ...ID_NAMES];

const MAX_DOCUMENT_ID_LENGTH = 200;

/** A request sends the text of its document, names it by an id, or both. */
export interface SentOperation extends Omit<GraphQLParameters, 'query'> {
  readonly query: string | undefined;
  /** A SHA-256 in hex, or an id of the manifest. */
  readonly documentId: string | undefined;
}

/**
 * Reads the query string of GET, or the JSON body of POST.
 * @throws {Refusal} `malformed`, with every fault of the parameters
 * @throws {TransportRefusal} `unsupported_media_type`, `payload_too_large`
 */
export function readParameters({ request, method, url }: Exchange): Awaitable<SentOperation> {
  const faults: Fault[] = [];
  if (method === 'GET') return validate(readQuery(url, faults), faults);
  if (mediaTypeOf(request) !== 'application/json') {
    throw new TransportRefusal('unsupported_media_type', 'Send the operation as application/json.');
  }
  return andThen(readBody(request), (bytes) => validate(parseObject(decodeUtf8(bytes), faults), faults));
}

function validate(sent: JsonObject, faults: Fault[]): SentOperation {
  const check: Check = (isValid, path, message) => void (isValid || faults.push({ path, message }));

  for (const name of Object.keys(sent)) check(NAMES.includes(name), name, 'is not a parameter of a GraphQL request');
  const { query, operationName } = sent;
  const documentId = findDocumentId(sent, check);
  if (query == null) check(documentId !== undefined, 'query', 'is required');
  else check(typeof query === 'string' && query !== '', 'query', 'must be a GraphQL document, as a string');
  check(operationName == null || typeof operationName === 'string', 'operationName', 'must be a string');
  for (const name of OBJECT_NAMES) check(sent[name] == null || isObject(sent[name]), name, 'must be a JSON object');
  const variables = isObject(sent.variables) ? sent.variables : {};
  const named = Object.keys(variables).length > MAX_NAMES ? { variables } : variables;
  for (const [path, value] of Object.entries(named)) {
    check(!hasTooManyNames(value), path, `must have at most ${MAX_NAMES} fields`);
  }
  if (faults.length > 0) throw refuseFaults(faults, 'malformed');
  return {
    query: (query as string | null) ?? undefined,
    documentId,
    operationName: (operationName as string | null) || undefined,
    variables,
  };
}

/** Adds a fault unless a parameter is valid. */
type Check = (isValid: boolean, path: string, message: string) => void;

/** Finds the id of a document: `documentId`, or the SHA-256 of Apollo's persisted queries. Undefined if there is none. */
function findDocumentId(sent: JsonObject, check: Check): string | undefined {
  const ids: string[] = [];
  for (const name of ID_NAMES) {
    const id = sent[name];
    if (id == null) continue;
    const isId = typeof id === 'string' && id.length <= MAX_DOCUMENT_ID_LENGTH;
    check(isId, name, `must be a string of at most ${MAX_DOCUMENT_ID_LENGTH} characters`);
    if (isId) ids.push(id);
  }
  const persisted = isObject(sent.extensions) ? sent.extensions.persistedQuery : undefined;
  if (persisted != null) {
    const { version, sha256Hash } = isObject(persisted) ? persisted : {};
    check(version === 1, 'extensions.persistedQuery.version', 'must be 1');
    const isHash = typeof sha256Hash === 'string' && /^[0-9a-f]{64}$/.test(sha256Hash);
    check(isHash, 'extensions.persistedQuery.sha256Hash', 'must be a SHA-256, as 64 lower-case hex digits');
    if (isHash) ids.push(sha256Hash);
  }
  check(new Set(ids).size < 2, 'documentId', 'contradicts another id of the document; send one');
  return ids[0];
}

/** Parses a JSON object. Adds a fault for each name that an object repeats. @throws {Refusal} `malformed` */
function parseObject(text: string, faults: Fault[]): JsonObject {
  const { value, repeated } = parseJsonObject(text, 'one JSON object; batches are not supported');
  for (const path of repeated) faults.push({ path, message: 'must be sent once' });
  return value;
}

/** Reads `variables` and `extensions` as JSON. Empty parameters count as omitted. */
function readQuery({ searchParams }: URL, faults: Fault[]): JsonObject {
  const sent: Record<string, unknown> = Object.create(null);
  for (const name of new Set(searchParams.keys())) {
    const [text = '', ...more] = searchParams.getAll(name);
    if (more.length > 0) faults.push({ path: name, message: 'must be sent once' });
    if (text !== '') sent[name] = OBJECT_NAMES.includes(name) ? readObject(text, faults) : text;
  }
  return sent;
}

/** Returns text that is no JSON object unchanged, so that it is rejected later; null counts as omitted. */
function readObject(text: string, faults: Fault[]): unknown {
  try {
    return parseObject(text, faults);
  } catch {
    return text.trim() === 'null' ? null : text;
  }
}
