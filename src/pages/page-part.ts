import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { partFragmentOf } from '#reader/page-url';
import type { Part } from '#reader/part';
import { bytesOfEntry, CACHE_BYTES } from '../cache-bytes.ts';
import type { PageCopy } from '../domain/page-copy.ts';

const NO_PART = 'The page has no part that the fragment of its URL names, so the embed shows all of it.';

/** Reduces the article of a copy to the part that the fragment of a page URL names. */
export type ShowPart = (copy: PageCopy, pageUrl: string) => Promise<PageCopy>;

/** Creates a {@link ShowPart} that caches parts: to cut one out of 2 MB takes 0.3 s. The parser is loaded for the first one. */
export function createShowPart(): ShowPart {
  const cache = new LRUCache<string, { readonly part: Part | null }>({
    maxSize: CACHE_BYTES.parts,
    sizeCalculation: ({ part }, key) => bytesOfEntry(key, part?.content ?? ''),
  });

  async function findPart(content: string, fragment: string): Promise<Part | null> {
    const reader = await import('#reader/part');
    const key = `${createHash('sha256').update(content).digest('base64')} ${fragment}`;
    const known = cache.get(key);
    if (known) return known.part;
    const part = reader.findPart(content, fragment);
    cache.set(key, { part });
    return part;
  }

  return async (copy, pageUrl) => {
    const fragment = partFragmentOf(pageUrl);
    const { article } = copy;
    if (fragment === null || !article?.content) return copy;
    const part = await findPart(article.content, fragment);
    if (part === null) return { ...copy, reason: copy.reason === null ? NO_PART : `${copy.reason} ${NO_PART}` };
    const { content, anchor } = part;
    // whitespace between blocks is lost
    if (withoutSpace(content) === withoutSpace(article.content)) return copy;
    return { ...copy, article: { ...article, hero: null, content }, whole: { article, anchor } };
  };
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
