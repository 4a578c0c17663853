import { copyToShow, freshForMs, type KeptPage, type PageCopy } from '../domain/page/copy.ts';
import { Refusal } from '../errors.ts';
import { type ArticleReader, createArticleReader } from './article-reader.ts';
import { inTime } from './fetch/deadline.ts';
import type { PageFetcher } from './fetch/fetch.ts';
import { type RevalidationOutcome, revalidate } from './revalidate.ts';

/** Where copies are kept. A cache that cannot be read or written costs time, not the page. */
interface Copies {
  find(pageUrl: string): Promise<KeptPage | null>;
  keep(page: KeptPage): Promise<void>;
  /** Puts off the next look at a page. What is kept of it stays. */
  postpone(pageUrl: string, freshUntil: Date): Promise<void>;
}

/**
 * What an operator may want to count. Of each page that is asked for, whether its copy is `fresh`, `stale` (it is shown
 * once more while a look begins) or missing; of each look, what came of it. `shed`: too many were under way to begin it.
 */
export type CacheOutcome = 'fresh' | 'stale' | 'miss' | 'shed' | RevalidationOutcome['outcome'];

interface Options {
  readonly fetcher: PageFetcher;
  readonly copies: Copies;
  /** Told of what goes wrong out of anybody's sight. */
  readonly onBug: (error: unknown) => void;
  /** `seconds` are those that a look took. */
  readonly onOutcome?: (outcome: CacheOutcome, seconds?: number) => void;
  readonly reader?: ArticleReader;
}

/** The pages of the world, as far as they have been looked at. Its answers never fail. */
export interface ArticleCache {
  /**
   * What is known of a page, its article null when it could not be had; null when there is nothing yet. A stale copy
   * is the answer while a fresh one is fetched. A look goes on for the next who asks, however long this one waits.
   */
  findCopy(pageUrl: string): Promise<PageCopy | null>;
  /** The title that a page gives itself, if it can be had within 3 seconds. */
  findTitle(pageUrl: string): Promise<string | null>;
  /** Ends the looks that are under way. */
  close(): Promise<void>;
}

const TITLE_TIMEOUT_MS = 3_000;
/** Pages under way at once. Past this bound a page without a copy is not there yet. */
export const MAX_REVALIDATIONS = 32;

export function createArticleCache(options: Options): ArticleCache {
  const { fetcher, copies, onBug, onOutcome = () => {} } = options;
  const { reader = createArticleReader({ onBug }) } = options;
  /** One look at a page at a time, however many ask. */
  const looks = new Map<string, Promise<PageCopy | null>>();
  const closing = new AbortController();
  const eyes = { fetcher, reader, signal: closing.signal };

  async function findCopy(pageUrl: string): Promise<PageCopy | null> {
    const known = await copies.find(pageUrl).catch(noteFailure);
    const now = new Date();
    const copy = known && copyToShow(known, now);
    if (copy && freshForMs(copy, now) > 0) {
      onOutcome('fresh');
      return copy;
    }
    onOutcome(copy?.article ? 'stale' : 'miss');
    const renewed = renew(pageUrl, known);
    return copy?.article ? copy : renewed;
  }

  function renew(pageUrl: string, known: KeptPage | null): Promise<PageCopy | null> {
    const underWay = looks.get(pageUrl);
    if (underWay) return underWay;
    if (looks.size >= MAX_REVALIDATIONS) {
      onOutcome('shed');
      return Promise.resolve(known && copyToShow(known, new Date()));
    }
    const begun = look(pageUrl, known)
      .catch(noteFailure)
      .finally(() => looks.delete(pageUrl));
    looks.set(pageUrl, begun);
    return begun;
  }

  async function look(pageUrl: string, known: KeptPage | null): Promise<PageCopy | null> {
    const begunAt = performance.now();
    const seen = await revalidate(pageUrl, known?.version ?? null, eyes);
    onOutcome(seen.outcome, (performance.now() - begunAt) / 1_000);
    if ('page' in seen) await copies.keep(seen.page).catch(noteFailure);
    if ('retryAt' in seen) await copies.postpone(pageUrl, seen.retryAt).catch(noteFailure);
    const page = pageAfter(seen, pageUrl, known);
    return page && copyToShow(page, new Date());
  }

  /** A refusal is no bug: the store itself logs that the database is away. */
  function noteFailure(error: unknown): null {
    if (!(error instanceof Refusal)) onBug(error);
    return null;
  }

  return {
    findCopy,
    async findTitle(pageUrl) {
      const copy = await inTime(findCopy(pageUrl), TITLE_TIMEOUT_MS);
      return copy?.article?.headTitle ?? null;
    },
    async close() {
      closing.abort();
      reader.close();
      await Promise.all(looks.values());
    },
  };
}

/** What is known of a page after a look at it. */
function pageAfter(seen: RevalidationOutcome, pageUrl: string, known: KeptPage | null): KeptPage | null {
  if ('page' in seen) return seen.page;
  return 'retryAt' in seen ? { pageUrl, freshUntil: seen.retryAt, version: known?.version ?? null } : known;
}
