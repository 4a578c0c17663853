import { LRUCache } from 'lru-cache';
import { sourceUrlOf } from '#reader/page-url';
import { bytesOfEntry, CACHE_BYTES, ENTRY_BYTES, entriesIn } from '../../cache-bytes.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import type { StoredSettings } from '../../domain/embed/settings.ts';
import { remainingFreshMs } from '../../domain/page-copy.ts';
import type { Representation } from '../../http/representation.ts';

/** The copy of the source from which a page was rendered. Each revalidation sets another `freshUntil`. */
interface SourceCopy {
  readonly freshUntil: Date;
}

/** URLs of pictures at their sites, by their names on the host of the embed. */
type PictureUrls = ReadonlyMap<string, string>;

export interface RenderedPage {
  readonly path: string;
  readonly representation: Representation;
  /** The whole page, if the representation has a part of it. */
  readonly whole?: Representation | null;
  readonly pictures: PictureUrls;
  /** Pictures of the page that this one replaced, which readers may still have open. */
  readonly formerPictures: PictureUrls;
  /** The effective settings that the page was rendered with. */
  readonly settings: StoredSettings;
  /** Those of the account, as they are stored. */
  readonly accountSettings: string | null;
  /** Null for a page that does not expire. */
  readonly expiresAtMs: number | null;
  /** The page is the card of an expired embed. */
  readonly isExpired: boolean;
  /** By the monotonic clock. The lookup of the source copy began at this time. */
  readonly lookedUpAtMs: number;
}

export interface RenderedEmbed {
  readonly embed: Embed;
  readonly page: RenderedPage;
}

interface CacheEntry extends RenderedEmbed {
  readonly copyFreshUntilMs: number;
  /** After this time by the monotonic clock, the entry is valid only for a copy that was looked up again. */
  readonly recheckAtMs: number;
  /** From this time by the monotonic clock, `beginCheck` allows another check. */
  readonly checkAtMs: number;
}

/** The embed of a page, and its headers for each coding. */
const PAGE_BYTES = 20 * ENTRY_BYTES;
/** Interval between lookups of a copy that is stale. */
const RECHECK_INTERVAL_MS = 1_000;
/** With the interval of open frames (45 s), they learn within a minute of a copy that another gateway stored. */
const CHECK_INTERVAL_MS = 10_000;

/** The version of an embed that was deleted: no page has it. */
export const DELETED = Number.POSITIVE_INFINITY;

export type RenderedPageCache = ReturnType<typeof createRenderedPageCache>;

/**
 * Creates a cache of rendered pages, least recently used evicted first. Never serves stale data: an entry is valid only for the
 * current version of its embed, and the source copy is looked up again as soon as it is stale.
 * @param now the clock of the copies
 */
export function createRenderedPageCache(now: () => Date, maxTotalBytes: number = CACHE_BYTES.renderedPages) {
  const entries = new LRUCache<string, CacheEntry>({ maxSize: maxTotalBytes, sizeCalculation: sizeOf });
  /** Of an embed that is evicted, a page of an older version may be found by id. */
  const knownVersions = new LRUCache<string, number>({ max: entriesIn(CACHE_BYTES.knownVersions) });

  function findEntry({ id, version }: Embed): CacheEntry | null {
    const entry = entries.get(id);
    if (entry?.embed.version === version) return entry;
    if (entry) noteVersion(id, version);
    return null;
  }

  /** Records that an embed has reached this version, or {@link DELETED}. */
  function noteVersion(id: string, version: number): void {
    knownVersions.set(id, Math.max(version, knownVersions.get(id) ?? 0));
  }

  function set(embed: Embed, copy: SourceCopy, page: RenderedPage): void {
    const lookedUpAtMs = performance.now();
    const recheckAtMs = lookedUpAtMs + Math.max(remainingFreshMs(copy, now()), RECHECK_INTERVAL_MS);
    const checkAtMs = lookedUpAtMs + CHECK_INTERVAL_MS;
    entries.set(embed.id, { embed, copyFreshUntilMs: copy.freshUntil.getTime(), recheckAtMs, checkAtMs, page });
  }

  return {
    /** Records the version of the embed, if there is a page of another one. */
    find(embed: Embed): RenderedPage | null {
      const entry = findEntry(embed);
      return entry && performance.now() < entry.recheckAtMs ? entry.page : null;
    },
    /** Returns true once in {@link CHECK_INTERVAL_MS} for a page, whose copy another process may have replaced. */
    beginCheck(embed: Embed): boolean {
      const entry = findEntry(embed);
      if (!entry || performance.now() < entry.checkAtMs) return false;
      entries.set(embed.id, { ...entry, checkAtMs: performance.now() + CHECK_INTERVAL_MS });
      return true;
    },
    /** Returns the last page of an embed, even if the copy is stale. */
    findLast: (embed: Embed) => findEntry(embed)?.page ?? null,
    /** Returns the page of an embed if it was rendered from this copy, and makes it available to `find` again. */
    findForCopy(embed: Embed, copy: SourceCopy): RenderedPage | null {
      const entry = findEntry(embed);
      if (entry?.copyFreshUntilMs !== copy.freshUntil.getTime()) return null;
      set(embed, copy, entry.page);
      return entry.page;
    },
    /** Returns the last page of the latest known version, for use while the database cannot tell the current one. */
    findById(id: string): RenderedEmbed | null {
      const entry = entries.get(id);
      return entry && entry.embed.version >= (knownVersions.get(id) ?? 0) ? entry : null;
    },
    set,
    noteVersion,
    /** Returns the embeds of an account that have pages. */
    findOfAccount: (accountId: string) =>
      [...entries.values()].map(({ embed }) => embed).filter((embed) => embed.accountId === accountId),
    /** Makes `find` skip the pages of a source, and returns their embeds. */
    expireSource(pageUrl: string): readonly Embed[] {
      const expired = [...entries.values()].filter(({ embed }) => sourceUrlOf(embed.pageUrl) === pageUrl);
      for (const entry of expired) entries.set(entry.embed.id, { ...entry, recheckAtMs: Number.NEGATIVE_INFINITY });
      return expired.map(({ embed }) => embed);
    },
  };
}

/** Compressed forms need at most as much space again. */
function sizeOf({ page }: CacheEntry): number {
  const { representation, whole, pictures, formerPictures } = page;
  const bytes = representation.byteLength + (whole?.byteLength ?? 0);
  return PAGE_BYTES + 2 * bytes + bytesOfPictures(pictures) + bytesOfPictures(formerPictures);
}

function bytesOfPictures(pictures: PictureUrls): number {
  return [...pictures].reduce((bytes, [name, url]) => bytes + bytesOfEntry(name, url), 0);
}
