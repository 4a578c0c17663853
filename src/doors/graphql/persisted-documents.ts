import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { bytesOfEntry, CACHE_BYTES } from '../../cache-bytes.ts';
import { refuseFaults } from '../../errors.ts';
import type { TrustedDocuments } from '../../graphql/execution/trusted-documents.ts';
import type { SentOperation } from './parameters.ts';

/**
 * Returns the text of a document, or null if it is not known by this id yet.
 * @throws {Refusal} `malformed`
 */
type ResolveDocument = (sent: SentOperation) => string | null;

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
    if (hash('sha256', query, 'hex') !== documentId) {
      const path = 'extensions.persistedQuery.sha256Hash';
      throw refuseFaults([{ path, message: 'must be the SHA-256 of query, in hex' }], 'malformed');
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
    const message = "must be in the operator's manifest of trusted documents (TRUSTED_DOCUMENTS)";
    throw refuseFaults([{ path, message }], 'malformed');
  };
}
