import type { ArticleReader } from '#reader/article-reader';
import type { PageVersion, StoredPage } from '../domain/page-copy.ts';
import { type PageVersionText, paragraphsOf } from '../domain/page-version.ts';

export interface VersionStore {
  add(pageUrl: string, before: PageVersionText, version: PageVersionText): Promise<void>;
  forget(pageUrl: string): Promise<void>;
}

/** States in which the site does not want its text to be kept, or has none. */
const FORGOTTEN = ['NOT_ALLOWED', 'FORBIDDEN', 'GONE'];

/**
 * Keeps the texts of pages that change. A page that never changes costs nothing.
 * @returns a function that records what a copy has changed. It ends when the versions are stored.
 */
export function createRecordChange(reader: ArticleReader, versions: VersionStore) {
  async function readText({ fetchedAt, article }: PageVersion): Promise<PageVersionText | null> {
    const { content, hero, language } = article;
    if (content === null) return null;
    const result = await reader.makeForm({ form: 'text', article: { content, hero, language } });
    return result.kind === 'form' ? { fetchedAt, paragraphs: paragraphsOf(result.form) } : null;
  }

  return async function recordChange(page: StoredPage, known: StoredPage | null): Promise<void> {
    const [before, after] = [known?.version ?? null, page.version];
    // versions may be older than the known copy, which is deleted for its size
    if (isForgotten(page) && !isForgotten(known)) return versions.forget(page.pageUrl);
    if (!before?.article.content || !after?.article.content || before.article.content === after.article.content) return;
    const texts = await Promise.all([before, after].map(readText));
    const [former, text] = texts;
    if (former && text) await versions.add(page.pageUrl, former, text);
  };
}

function isForgotten(page: StoredPage | null): boolean {
  const state = page?.failure?.state ?? page?.version?.status.state;
  return state !== undefined && FORGOTTEN.includes(state);
}
