import type { Context } from '../execution/context.ts';

export const WARNINGS_DESCRIPTION =
  'Problems that did not stop the mutation, each with the parameter that has it, such as a font that the font provider does not know. The check waits at most 1 s, and only if this field is selected. Empty if there are none, or if the provider cannot tell.';

/** One request waits this long for page titles, in all its creates and updates together. */
const TITLES_TIMEOUT_MS = 3_000;
/** One request waits this long for the provider of fonts, in all its creates and updates together. */
const FONTS_TIMEOUT_MS = 1_000;

/** @param font the font that the client sent; undefined if it sent none */
export async function findWarnings(font: string | undefined, { fonts, budget }: Context): Promise<string[]> {
  if (font === undefined) return [];
  const begunAt = performance.now();
  const warning = await fonts.findWarning(font, FONTS_TIMEOUT_MS - budget.waitedForFontsMs);
  budget.waitedForFontsMs += performance.now() - begunAt;
  return warning === null ? [] : [warning];
}

/** Fetches the title of a page; null if it has none or the request's time for fetching titles is over. */
export async function findTitle({ pages, startedAt }: Context, pageUrl: string): Promise<string | null> {
  const remainingMs = startedAt + TITLES_TIMEOUT_MS - performance.now();
  return remainingMs > 0 ? pages.findTitle(pageUrl, remainingMs) : null;
}
