import type { RenderResult } from '#fetcher';
import type { ArticleReader } from '#reader/article-reader';
import type { PageStatus } from '#reader/page-state';
import { FRESH_MS, type PageVersion, pageCopyOf, type StoredPage, settledStatusOf } from '../domain/page-copy.ts';
import { UNREADABLE } from './failure-status.ts';
import { createFetchAttempt } from './revalidate.ts';

interface Dependencies {
  readonly reader: ArticleReader;
  /** The clock of the copies. */
  readonly now: () => Date;
}

/** The copy that is shown meanwhile is looked up again after this time: the process that renders it may have been killed. */
const RENDERING_MS = 5_000;
const UNAVAILABLE_RETRY_MS = 60_000;

const RENDERING: PageStatus = { state: 'PENDING', reason: 'A browser renders the page.' };
const NO_ARTICLE: PageStatus = { state: 'NO_ARTICLE', reason: 'The page has no article, also after its scripts ran.' };

/** Returns what is shown if no browser is available now: the known article, or else the card. */
export function pageWithoutRendering(card: StoredPage, known: StoredPage | null, now: Date): StoredPage {
  return { ...(hasArticle(known, now) ? known : card), ...createFetchAttempt(now, UNAVAILABLE_RETRY_MS) };
}

/**
 * Returns what is stored while a browser renders the page: the known article, also one that is too old to be shown, or else the
 * card without an article. It keeps the time and the status of the last attempt that has ended, with which the result is
 * compared, also after a crash.
 */
export function pageDuringRendering(card: StoredPage, known: StoredPage | null, now: Date): StoredPage {
  const { freshUntil, triedAt } = createFetchAttempt(now, RENDERING_MS);
  const attempt = {
    freshUntil,
    triedAt: known?.triedAt ?? triedAt,
    failure: hasArticle(known, now) ? null : RENDERING,
  };
  const before = known && settledStatusOf(known);
  if (known && before?.state === 'SHOWN') return { ...known, ...attempt };
  const status = before ?? RENDERING;
  const version = card.version && withoutContent(card.version, status);
  return { ...card, ...attempt, version };
}

/**
 * Reads what a browser made of a page. Without an article, or with less of it, the page stays what it is. If no browser is available, a known
 * article stays.
 */
export async function pageAfterRendering(
  rendered: RenderResult,
  card: StoredPage & { readonly version: PageVersion },
  known: StoredPage | null,
  { reader, now }: Dependencies,
): Promise<StoredPage> {
  const teaser = card.version.article.content;
  const store = (version: PageVersion): StoredPage => ({ ...card, ...createFetchAttempt(now(), FRESH_MS), version });
  // a short article stays if the scripts add nothing to it
  const withStatus = (status: PageStatus) => store(teaser === null ? { ...card.version, status } : card.version);
  if (rendered.kind === 'failed') return withStatus(UNREADABLE);
  const reading = rendered.kind === 'page' ? await reader.read({ ...rendered, isRendered: true }) : rendered;
  if (reading.kind === 'unavailable' || reading.kind === 'dropped') {
    return pageWithoutRendering(card, known, now());
  }
  if (reading.kind === 'unreadable') return withStatus(UNREADABLE);
  const { status, article } = reading;
  if (status.state === 'NOT_ALLOWED') return store(withoutContent(card.version, status));
  if (article.content === null || (teaser !== null && isPartOf(article.content, teaser))) return withStatus(NO_ARTICLE);
  return store({ ...card.version, fetchedAt: now(), status, article });
}

/** Detects a shorter text with the same beginning as some of the longer one. */
function isPartOf(shorter: string, longer: string): boolean {
  const textOf = (html: string) =>
    html
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  return shorter.length < longer.length && textOf(longer).includes(textOf(shorter).slice(0, 100));
}

function withoutContent(version: PageVersion, status: PageStatus): PageVersion {
  return { ...version, status, article: { ...version.article, content: null } };
}

function hasArticle(page: StoredPage | null, now: Date): page is StoredPage {
  return page !== null && pageCopyOf(page, now).article?.content != null;
}
