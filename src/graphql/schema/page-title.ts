import type { Context } from '../execution/context.ts';

/** Fetches the title of a page; null if it has none or the request's time for fetching titles is over. */
export async function findTitle({ pages, titleDeadline }: Context, pageUrl: string): Promise<string | null> {
  const remainingMs = titleDeadline - performance.now();
  return remainingMs > 0 ? pages.findTitle(pageUrl, remainingMs) : null;
}
