import { LRUCache } from 'lru-cache';
import type { Embed } from '../../domain/embed/embed.ts';
import { remainingFreshMs } from '../../domain/page/copy.ts';
import type { Representation } from '../../http/representation.ts';
import type { PictureUrls } from './render/local-pictures.ts';

/** The copy of the source from which a page was rendered. Each revalidation sets another `freshUntil`. */
export interface SourceCopy {
  readonly freshUntil: Date;
}

export interface RenderedPage {
  readonly path: string;
  readonly representation: Representation;
  readonly pictures: PictureUrls;
  /** Pictures of the page that this one replaced, which readers may still have open. */
  readonly formerPictures: PictureUrls;
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
}

/** A long article has about 100 kB. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Interval between lookups of a copy that is stale. */
const RECHECK_INTERVAL_MS = 1_000;
/** Embeds whose current version is remembered. Over this limit, a page of an older version may be found by id. */
const MAX_KNOWN_VERSIONS = 10_000;

/** The version of an embed that was deleted: no page has it. */
export const DELETED = Number.POSITIVE_INFINITY;

/**
 * Rendered pages, least recently used evicted first. Never serves stale data: an entry is valid only for the current
 * version of its embed, and the source copy is looked up again as soon as it is stale.
 */
export interface RenderedPageCache {
  /** Records the version of the embed, if there is a page of another one. */
  find(embed: Embed): RenderedPage | null;
  /** Returns the last page of an embed, even if the copy is stale. */
  findLast(embed: Embed): RenderedPage | null;
  /** Returns the page of an embed if it was rendered from this copy, and makes it available to {@link find} again. */
  findForCopy(embed: Embed, copy: SourceCopy): RenderedPage | null;
  /** Returns the last page of the latest known version, for use while the database cannot tell the current one. */
  findById(id: string): RenderedEmbed | null;
  set(embed: Embed, copy: SourceCopy, page: RenderedPage): void;
  /** Records that an embed has reached this version, or {@link DELETED}. */
  noteVersion(id: string, version: number): void;
  /** Makes {@link find} skip the pages of a source, and returns their embeds. */
  expireSource(pageUrl: string): readonly Embed[];
}

export function createRenderedPageCache(maxTotalBytes = MAX_TOTAL_BYTES): RenderedPageCache {
  const entries = new LRUCache<string, CacheEntry>({ maxSize: maxTotalBytes, sizeCalculation: sizeOf });
  const knownVersions = new LRUCache<string, number>({ max: MAX_KNOWN_VERSIONS });

  function findEntry({ id, version }: Embed): CacheEntry | null {
    const entry = entries.get(id);
    if (entry?.embed.version === version) return entry;
    if (entry) noteVersion(id, version);
    return null;
  }

  function noteVersion(id: string, version: number): void {
    knownVersions.set(id, Math.max(version, knownVersions.get(id) ?? 0));
  }

  function set(embed: Embed, copy: SourceCopy, page: RenderedPage): void {
    const recheckAtMs = performance.now() + Math.max(remainingFreshMs(copy, new Date()), RECHECK_INTERVAL_MS);
    entries.set(embed.id, { embed, copyFreshUntilMs: copy.freshUntil.getTime(), recheckAtMs, page });
  }

  return {
    find(embed) {
      const entry = findEntry(embed);
      return entry && performance.now() < entry.recheckAtMs ? entry.page : null;
    },
    findLast: (embed) => findEntry(embed)?.page ?? null,
    findForCopy(embed, copy) {
      const entry = findEntry(embed);
      if (entry?.copyFreshUntilMs !== copy.freshUntil.getTime()) return null;
      set(embed, copy, entry.page);
      return entry.page;
    },
    findById(id) {
      const entry = entries.get(id);
      return entry && entry.embed.version >= (knownVersions.get(id) ?? 0) ? entry : null;
    },
    set,
    noteVersion,
    expireSource(pageUrl) {
      const expired = [...entries.values()].filter(({ embed }) => embed.pageUrl === pageUrl);
      for (const entry of expired) entries.set(entry.embed.id, { ...entry, recheckAtMs: Number.NEGATIVE_INFINITY });
      return expired.map(({ embed }) => embed);
    },
  };
}

/** Compressed forms need at most as much space again. */
function sizeOf({ page }: CacheEntry): number {
  return 2 * page.representation.byteLength + lengthOf(page.pictures) + lengthOf(page.formerPictures);
}

function lengthOf(pictures: PictureUrls): number {
  return [...pictures].reduce((length, [name, url]) => length + name.length + url.length, 0);
}
