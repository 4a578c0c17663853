import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Part } from '#reader/article-forms';
import type { ArticleReader } from '#reader/article-reader';
import { partFragmentOf } from '#reader/page-url';
import { bytesOfEntry, CACHE_BYTES } from '../cache-bytes.ts';
import { withDeadline } from '../deadline.ts';
import type { PageCopy, ShownArticle } from '../domain/page-copy.ts';

const NO_PART = 'The page has no part that the fragment of its URL names, so the embed shows all of it.';

/** After this time, the caller has no part. The next one finds it in the cache. */
const PART_TIMEOUT_MS = 3_000;

/**
 * Reduces the article of a copy to the part that the fragment of a page URL names. Returns null if the reader does not cut it
 * within 3 s.
 */
export type ShowPart = (copy: PageCopy, pageUrl: string) => Promise<PageCopy | null>;

/** A part that is not there, or takes too long to cut, is null. */
interface Cut {
  readonly part: Part | null;
}

/** Creates a {@link ShowPart} that caches parts. The reader cuts them, because a long article would block the event loop. */
export function createShowPart(reader: Pick<ArticleReader, 'makeForm'>): ShowPart {
  const parts = new LRUCache<string, Cut, { readonly article: ShownArticle; readonly fragment: string }>({
    maxSize: CACHE_BYTES.parts,
    sizeCalculation: ({ part }, key) => bytesOfEntry(key, part?.content ?? ''),
    fetchMethod: (_key, _stale, { context }) => cut(context.article, context.fragment),
    ignoreFetchAbort: true,
  });

  async function cut({ content, hero, language }: ShownArticle, fragment: string): Promise<Cut | undefined> {
    const result = await reader.makeForm({ form: 'part', article: { content, hero, language }, anchor: fragment });
    if (result.kind === 'dropped') return undefined;
    if (result.kind === 'form') return { part: result.form };
    if (result.error !== null) throw result.error;
    return { part: null };
  }

  return async (copy, pageUrl) => {
    const fragment = partFragmentOf(pageUrl);
    const article = copy.article as ShownArticle | null;
    if (fragment === null || !article?.content) return copy;
    const key = `${hash('sha256', article.content, 'base64')} ${fragment}`;
    const made = await withDeadline(parts.fetch(key, { context: { article, fragment } }), PART_TIMEOUT_MS, null);
    if (!made) return null;
    const { part } = made;
    if (part === null) return { ...copy, reason: copy.reason === null ? NO_PART : `${copy.reason} ${NO_PART}` };
    const { content, anchor } = part;
    // whitespace between blocks is lost, and toggles are opened
    if (blocksOf(content) === blocksOf(article.content)) return copy;
    return { ...copy, article: { ...article, hero: null, content }, whole: { article, anchor } };
  };
}

function blocksOf(content: string): string {
  return content.replace(/\s+(?:open="")?/g, '');
}
