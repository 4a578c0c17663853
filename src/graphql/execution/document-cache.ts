import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** What a token of a parsed document takes in memory, measured. */
const TOKEN_BYTES = 500;
const MAX_BYTES = 16_000_000;

/**
 * Remembers what was parsed, by its text: within bounds of memory, not of number. A document of 4 kB can take a megabyte,
 * and callers may send a new one each time.
 */
export function createDocumentCaches() {
  const options = { maxSize: MAX_BYTES, sizeCalculation: bytesOf };
  const errors = new LRUCache<string, object>(options);
  return {
    documentCache: new LRUCache<string, DocumentNode>(options),
    errorCache: {
      get: (text: string) => errors.get(text),
      set: (text: string, error: unknown) => void errors.set(text, error as Error),
    },
  };
}

function bytesOf(parsed: object, text: string): number {
  const { tokenCount = 0 } = parsed as DocumentNode;
  return 1_000 + 2 * text.length + TOKEN_BYTES * tokenCount;
}
