/** The states of a source page, each with its description. */
export const PAGE_STATES = {
  PENDING: 'The page has not been fetched yet, or a browser still renders it.',
  SHOWN: 'The embed shows a copy of the page.',
  NO_ARTICLE: 'The page has no article that could be copied.',
  NEEDS_BROWSER: 'The page has no text without its scripts, so it needs a browser.',
  FORBIDDEN: 'The site does not let the gateway read the page (401, 403 or 451).',
  GONE: 'The site no longer has the page (404 or 410).',
  NOT_A_PAGE: 'The URL leads to a file that can only be opened, such as a scan or an archive.',
  TOO_LARGE: 'The page takes too much space, time or memory to copy.',
  UNREACHABLE: 'The site does not answer, or answers with an error.',
  NOT_ALLOWED: 'The page, or a rule of the gateway, does not allow a copy.',
} as const;

export type PageState = keyof typeof PAGE_STATES;

export function isPageState(value: unknown): value is PageState {
  return typeof value === 'string' && Object.hasOwn(PAGE_STATES, value);
}

export interface PageStatus {
  readonly state: PageState;
  /** One sentence that is safe to show to every client; null if there is nothing to explain. */
  readonly reason: string | null;
}
