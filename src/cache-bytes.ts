const MB = 1_000_000;

/**
 * The bound of each cache in the process, in bytes. A process that has filled all of them stays below 400 MB, so a cache
 * that grows takes its share from another one: the sum is at most {@link MAX_CACHE_BYTES}.
 */
export const CACHE_BYTES = {
  renderedPages: 18 * MB,
  pictures: 11 * MB,
  checkedDocuments: 6 * MB,
  compiledQueries: 5 * MB,
  persistedDocuments: 3 * MB,
  lists: 13 * MB,
  embeds: 7 * MB,
  tokenLookups: 3 * MB,
  tokenUses: 1 * MB,
  tokenQuotas: 2 * MB,
  addressQuotas: 2 * MB,
  signInQuotas: 0.5 * MB,
  accountSettings: 1 * MB,
  knownVersions: 2 * MB,
  embedRefreshes: 1 * MB,
  pageRefreshes: 2 * MB,
  parts: 2 * MB,
  partOutlines: 1 * MB,
  fonts: 1 * MB,
  robotsTxt: 1.5 * MB,
  absentIds: 0.5 * MB,
  expectedIds: 0.5 * MB,
  countedViews: 1 * MB,
  viewQuotas: 1 * MB,
  userAgents: 0.2 * MB,
  viewSites: 1 * MB,
  viewedAccounts: 0.5 * MB,
  viewedEmbeds: 0.5 * MB,
  countedEvents: 1 * MB,
  trimmedAccounts: 0.5 * MB,
} as const;

export const MAX_CACHE_BYTES = 90 * MB;

/** The memory of an entry with a short key and a number or a small object, measured. */
export const ENTRY_BYTES = 200;

/** Returns how many entries of {@link ENTRY_BYTES} a share has room for. */
export function entriesIn(bytes: number): number {
  return Math.floor(bytes / ENTRY_BYTES);
}

/** Returns the memory of an entry and its texts: V8 stores 2 bytes for each character of a text that is not Latin-1. */
export function bytesOfEntry(...texts: readonly string[]): number {
  return texts.reduce((bytes, text) => bytes + 2 * text.length, ENTRY_BYTES);
}
