import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../../awaitable.ts';
import { bytesOfEntry, CACHE_BYTES } from '../../cache-bytes.ts';
import { loadCode } from '../../descriptors.ts';
import { createTurns } from '../../http/turns.ts';
import type { CheckedDocument } from './yoga.ts';

/** Parses and validates the text of a document. Equal texts get the same result, which callers must not modify. */
export type CheckDocument = (text: string) => Awaitable<CheckedDocument>;

/** The memory of a parsed document per token, measured. */
const TOKEN_BYTES = 500;
/** The memory of a violation with its message and its stack, measured. */
const ERROR_BYTES = 4_000;

/**
 * Creates a check that runs Yoga's plugins once for each text. The cache is limited by memory: a document of 4 kB can take
 * 1 MB, and clients may send a new one with each request. The first check loads Yoga.
 */
export function createDocumentCheck(
  options: { readonly introspection: boolean },
  maxCachedBytes: number = CACHE_BYTES.checkedDocuments,
): CheckDocument {
  const cache = new LRUCache<string, CheckedDocument>({ maxSize: maxCachedBytes, sizeCalculation: bytesOf });
  const yogaCheck = loadCode(async () => (await import('./yoga.ts')).createYogaCheck(options));

  const beginInTurn = createTurns();

  async function check(text: string): Promise<CheckedDocument> {
    const checkNew = await yogaCheck();
    return new Promise((resolve, reject) => {
      beginInTurn(() => {
        try {
          // an equal request may have been checked meanwhile
          const checked = cache.get(text) ?? checkNew(text);
          cache.set(text, checked);
          resolve(checked);
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  return (text) => cache.get(text) ?? check(text);
}

function bytesOf({ document, errors }: CheckedDocument, text: string): number {
  return bytesOfEntry(text) + TOKEN_BYTES * (document?.tokenCount ?? 0) + ERROR_BYTES * errors.length;
}
