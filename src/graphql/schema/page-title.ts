import { inTime } from '../../pages/fetch/deadline.ts';
import type { Context } from '../execution/context.ts';

/** How long one request waits for what pages call themselves, all its creates and updates together. */
const TITLES_TIMEOUT_MS = 3_000;

const deadlines = new WeakMap<Context, number>();

/** The title that a page gives itself, if it can be had in what is left of the request's time. */
export async function findTitle(context: Context, pageUrl: string): Promise<string | null> {
  const now = performance.now();
  const deadline = deadlines.get(context) ?? now + TITLES_TIMEOUT_MS;
  deadlines.set(context, deadline);
  if (now >= deadline) return null;
  return inTime(context.pages.findTitle(pageUrl), deadline - now);
}
