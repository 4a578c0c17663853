import { readFileSync } from 'node:fs';
import { ConfigError } from './environment.ts';

/** The texts of documents, by the ids with which clients name them. */
export type TrustedDocuments = ReadonlyMap<string, string>;

const FORMATS =
  'It must be a JSON object of texts by id (Relay, GraphQL Code Generator), or a manifest of Apollo (apollo-persisted-query-manifest).';

/**
 * Reads the manifest that `TRUSTED_DOCUMENTS` names.
 * @throws {ConfigError}
 */
export function readManifest(file: string): TrustedDocuments {
  const documents = parseManifest(readJson(file));
  if (!documents) throw fault(`${file} is not a manifest of documents. ${FORMATS}`);
  return documents;
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw fault(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw fault(`${file} is not valid JSON: ${(error as Error).message}. ${FORMATS}`);
  }
}

function fault(message: string): ConfigError {
  return new ConfigError([`TRUSTED_DOCUMENTS: ${message}`]);
}

function parseManifest(json: unknown): TrustedDocuments | null {
  if (!isObject(json)) return null;
  const entries = json.format === undefined ? Object.entries(json) : apolloEntriesOf(json);
  const documents = new Map<string, string>();
  for (const [id, text] of entries) {
    if (typeof id !== 'string' || typeof text !== 'string') return null;
    documents.set(id, text);
  }
  return documents.size > 0 ? documents : null;
}

/** https://www.apollographql.com/docs/graphos/platform/security/persisted-queries#manifest-format */
function apolloEntriesOf({ format, version, operations }: Readonly<Record<string, unknown>>) {
  if (format !== 'apollo-persisted-query-manifest' || version !== 1 || !Array.isArray(operations)) return [];
  return operations.map((operation: unknown) => (isObject(operation) ? [operation.id, operation.body] : []));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
