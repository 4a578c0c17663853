import { LRUCache } from 'lru-cache';
import { type Awaitable, loadOnce } from '../../awaitable.ts';
import type { CheckedDocument } from './yoga.ts';

/** Parses and validates the text of a document. Equal texts get the same result, which callers must not modify. */
export type CheckDocument = (text: string) => Awaitable<CheckedDocument>;

/** The memory of a parsed document per token, measured. */
const TOKEN_BYTES = 500;
const MAX_CACHED_BYTES = 16_000_000;

/**
 * Creates a check that runs Yoga's plugins once for each text. The cache is limited by memory: a document of 4 kB can take
 * 1 MB, and clients may send a new one with each request. The first check loads Yoga.
 */
export function createDocumentCheck(
  options: { readonly introspection: boolean },
  maxCachedBytes = MAX_CACHED_BYTES,
): CheckDocument {
  const cache = new LRUCache<string, CheckedDocument>({ maxSize: maxCachedBytes, sizeCalculation: bytesOf });
  const yogaCheck = loadOnce(async () => (await import('./yoga.ts')).createYogaCheck(options));

  async function check(text: string): Promise<CheckedDocument> {
    const checkNew = await yogaCheck();
    // an equal request may have been checked meanwhile
    const checked = cache.get(text) ?? checkNew(text);
    cache.set(text, checked);
    return checked;
  }

  return (text) => cache.get(text) ?? check(text);
}

function bytesOf({ document }: CheckedDocument, text: string): number {
  return 1_000 + 2 * text.length + TOKEN_BYTES * (document?.tokenCount ?? 0);
}
