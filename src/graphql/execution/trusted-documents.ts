import { readManifest, type TrustedDocuments } from '../../config/document-manifest.ts';
import { ConfigError } from '../../config/environment.ts';
import { checkDocument } from './documents.ts';
import { createPhases } from './yoga.ts';

export type { TrustedDocuments } from '../../config/document-manifest.ts';

/**
 * Reads the manifest of `TRUSTED_DOCUMENTS`, and checks each document against the schema and the limits.
 * @throws {ConfigError} with every fault
 */
export function readTrustedDocuments(file: string): TrustedDocuments {
  const documents = readManifest(file);
  const { begin } = createPhases({ introspection: true });
  const faults = [...documents].flatMap(([id, text]) =>
    checkDocument(begin({}), text).errors.map(
      ({ message }) => `TRUSTED_DOCUMENTS: the document ${id} is not valid: ${message}`,
    ),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  return documents;
}
