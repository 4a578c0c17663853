import type { PageCopy } from '../domain/page-copy.ts';
import { type ArticleReader, createArticleReader } from './article-reader.ts';
import type { PageFetcher, Validators } from './fetch.ts';

/** Where copies are kept. */
interface Copies {
  find(pageUrl: string): Promise<PageCopy | null>;
  keep(copy: PageCopy): Promise<void>;
}

interface Options {
  readonly fetcher: PageFetcher;
  readonly copies: Copies;
  /** Told of what goes wrong out of anybody's sight. */
  readonly onBug: (error: unknown) => void;
}

/** The pages of the world, as far as they have been looked at. */
export interface PageLibrary {
  /**
   * What is known of a page, its article null when it could not be had; null when there is nothing yet. A stale copy
   * is the answer while a fresh one is fetched.
   */
  findCopy(pageUrl: string): Promise<PageCopy | null>;
  /** The title that a page gives itself, if it can be had within 3 seconds. Never fails. */
  findTitle(pageUrl: string): Promise<string | null>;
  /** Ends the looks that are under way. */
  close(): Promise<void>;
}

const FRESH_MS = 10 * 60_000;
/** A page that could not be had is tried again after this long. */
const RETRY_MS = 60_000;
/** A copy that was not renewed for so long is no longer shown while a fresh one is fetched. */
const STALE_MS = 24 * 3_600_000;
const TITLE_TIMEOUT_MS = 3_000;
/** Statuses with which a site takes a page back: no copy of it is shown any more. */
const GONE_STATUSES = [401, 403, 404, 410, 451];
/** Pages under way at once. Past this bound a page without a copy is shown as a card. */
const MAX_LOOKS = 32;

export function createPageLibrary({ fetcher, copies, onBug }: Options): PageLibrary {
  const reader: ArticleReader = createArticleReader();
  /** One look at a page at a time, however many ask. */
  const looks = new Map<string, Promise<PageCopy | null>>();
  const closing = new AbortController();

  function look(pageUrl: string, known: PageCopy | null): Promise<PageCopy | null> {
    const underWay = looks.get(pageUrl);
    if (underWay) return underWay;
    if (looks.size >= MAX_LOOKS) return Promise.resolve(known);
    const begun = renew(pageUrl, known).finally(() => looks.delete(pageUrl));
    looks.set(pageUrl, begun);
    return begun;
  }

  async function renew(pageUrl: string, known: PageCopy | null): Promise<PageCopy | null> {
    const validators = known?.article ? { validators: validatorsOf(known) } : {};
    const result = await fetcher.fetch(pageUrl, { ...validators, signal: closing.signal });
    const until = (ms: number) => ({ pageUrl, freshUntil: new Date(Date.now() + ms) });
    switch (result.kind) {
      case 'page': {
        const article = await reader.read(result);
        // a page that could not be read leaves the copy that there is
        if (!article) return keep({ ...noCopy, ...known, ...until(RETRY_MS) });
        return keep({ ...until(FRESH_MS), ...validatorsOf(result), article });
      }
      case 'unchanged':
        return keep({ ...noCopy, ...known, ...until(FRESH_MS) });
      case 'failed': {
        // the service is stopping: that says nothing of the page
        if (result.reason === 'aborted') return known;
        const isGone = GONE_STATUSES.includes(result.status ?? 0);
        return keep({ ...noCopy, ...(isGone ? {} : known), ...until(RETRY_MS) });
      }
    }
  }

  async function keep(copy: PageCopy): Promise<PageCopy> {
    // a cache that cannot be written costs time, not the page
    await copies.keep(copy).catch(onBug);
    return copy;
  }

  async function findCopy(pageUrl: string): Promise<PageCopy | null> {
    const known = await copies.find(pageUrl);
    const age = known ? Date.now() - known.freshUntil.getTime() : Number.POSITIVE_INFINITY;
    if (known && age < 0) return known;
    if (!known?.article || age > STALE_MS) return look(pageUrl, known);
    look(pageUrl, known).catch(onBug);
    return known;
  }

  return {
    findCopy,
    async findTitle(pageUrl) {
      const found = findCopy(pageUrl).catch((error) => {
        onBug(error);
        return null;
      });
      const copy = await Promise.race([found, inTime(TITLE_TIMEOUT_MS)]);
      return copy?.article?.headTitle ?? null;
    },
    async close() {
      closing.abort();
      await Promise.allSettled(looks.values());
      await reader.close();
    },
  };
}

const noCopy = { etag: null, lastModified: null, article: null };

function validatorsOf({ etag, lastModified }: Validators): Validators {
  return { etag, lastModified };
}

function inTime(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null).unref());
}
