import { readFileSync } from 'node:fs';
import { ConfigError } from '../../config/environment.ts';
import { isObject, type JsonObject } from '../../domain/json.ts';

/** The texts of documents, by the ids with which clients name them. */
export type TrustedDocuments = ReadonlyMap<string, string>;

const FORMATS =
  'It must be a JSON object of texts by id (Relay, GraphQL Code Generator), or a manifest of Apollo (apollo-persisted-query-manifest).';

/**
 * Reads the manifest of `TRUSTED_DOCUMENTS`, and checks each document against the schema and the limits.
 * @throws {ConfigError} with every fault
 */
export async function readTrustedDocuments(file: string): Promise<TrustedDocuments> {
  const documents = parseManifest(readJson(file));
  if (!documents) throw fault(`${file} is not a manifest of documents. ${FORMATS}`);
  const { createPhases } = await import('./yoga.ts');
  const { begin, check } = createPhases({ introspection: true });
  const faults: string[] = [];
  for (const [id, text] of documents) {
    const { errors } = check(begin({}), text);
    faults.push(...errors.map(({ message }) => `TRUSTED_DOCUMENTS: the document ${id} is not valid: ${message}`));
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return documents;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof SyntaxError) throw fault(`${file} is not valid JSON: ${message}. ${FORMATS}`);
    throw fault(`${file} cannot be read: ${message}`);
  }
}

function fault(message: string): ConfigError {
  return new ConfigError([`TRUSTED_DOCUMENTS: ${message}`]);
}

function parseManifest(json: unknown): TrustedDocuments | null {
  if (!isObject(json)) return null;
  const entries = json.format === undefined ? Object.entries(json) : apolloEntriesOf(json);
  const areTexts = entries.every((entry) => entry.length === 2 && entry.every((part) => typeof part === 'string'));
  return areTexts && entries.length > 0 ? new Map(entries as [string, string][]) : null;
}

/** https://www.apollographql.com/docs/graphos/platform/security/persisted-queries#manifest-format */
function apolloEntriesOf({ format, version, operations }: JsonObject) {
  if (format !== 'apollo-persisted-query-manifest' || version !== 1 || !Array.isArray(operations)) return [];
  return operations.map((operation: unknown) => (isObject(operation) ? [operation.id, operation.body] : []));
}
