import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { bytesOfEntry, CACHE_BYTES } from '../../cache-bytes.ts';
import { type Refusal, refuseFaults } from '../../errors.ts';
import type { TrustedDocuments } from '../../graphql/execution/trusted-documents.ts';

/** A request sends the text of its document, names it by an id, or both. */
export interface DocumentReference {
  readonly query: string | undefined;
  /** A SHA-256 in hex, or an id of the manifest. */
  readonly documentId: string | undefined;
}

/**
 * Returns the text of a document, or null if it is not known by this id yet.
 * @throws {Refusal} `malformed`
 */
export type ResolveDocument = (reference: DocumentReference) => string | null;

/**
 * Creates Apollo's automatic persisted queries: a text that was once sent with its SHA-256 can be named by it. The least
 * recently used texts are forgotten.
 */
export function createAutomaticDocuments(): ResolveDocument {
  const texts = new LRUCache<string, string>({
    maxSize: CACHE_BYTES.persistedDocuments,
    sizeCalculation: (text, id) => bytesOfEntry(id, text),
  });
  return ({ query, documentId }) => {
    if (documentId === undefined) return query ?? null;
    if (query === undefined) return texts.get(documentId) ?? null;
    if (createHash('sha256').update(query).digest('hex') !== documentId) {
      throw malformed('extensions.persistedQuery.sha256Hash', 'must be the SHA-256 of query, in hex');
    }
    texts.set(documentId, query);
    return query;
  };
}

/** Creates a resolver that knows only the documents of a manifest, by id or by text. */
export function createTrustedResolver(documents: TrustedDocuments): ResolveDocument {
  const texts = new Set(documents.values());
  return ({ query, documentId }) => {
    const text = query ?? documents.get(documentId ?? '');
    if (text !== undefined && texts.has(text)) return text;
    const path = query === undefined ? 'documentId' : 'query';
    throw malformed(path, "must be in the operator's manifest of trusted documents (TRUSTED_DOCUMENTS)");
  };
}

function malformed(path: string, message: string): Refusal {
  return refuseFaults([{ path, message }], 'malformed');
}

/** The error that makes clients send the text with its hash. They compare the message and the code. */
export const PERSISTED_QUERY_NOT_FOUND = {
  message: 'PersistedQueryNotFound',
  extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
} as const;
