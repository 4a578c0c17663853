import { LRUCache } from 'lru-cache';
import type { Embed } from '../../domain/embed/embed.ts';
import { freshForMs } from '../../domain/page/copy.ts';
import type { Representation } from '../../http/representation.ts';

/** What a page was made from, besides the embed and the configuration, which a process reads once. */
export interface SourceCopy {
  /** Each look at a page sets another time, so that this tells its copies apart. */
  readonly freshUntil: Date;
}

/** A page as it is sent, and the path of `embed_url` at which it is found. */
export interface RenderedPage {
  readonly path: string;
  readonly representation: Representation;
}

interface Kept {
  readonly version: number;
  readonly copy: number;
  /** From then on the copy is asked for again; by the monotonic clock. */
  readonly askAt: number;
  readonly page: RenderedPage;
}

/** All pages together, with what is compressed of them. A long article has some 100 kB. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** How often a copy is asked for that is no longer fresh, while a new one is fetched. */
const ASK_AGAIN_MS = 1_000;

/**
 * The pages of embeds as they were last rendered, the least used first to go.
 *
 * None is shown that is stale: a page is found only for the version that the embed has in the store at that moment,
 * and each update makes another version; a deleted embed has none. The copy of the source is asked for again as soon
 * as it is no longer fresh. A page of an older version that comes in late does no harm, since nobody asks for it.
 */
export interface RenderedPageCache {
  /** The page of an embed as long as its copy need not be asked for. */
  find(embed: Embed): RenderedPage | null;
  /** The page of an embed if it was made from this copy; from now on {@link find} finds it again. */
  findOf(embed: Embed, copy: SourceCopy): RenderedPage | null;
  keep(embed: Embed, copy: SourceCopy, page: RenderedPage): void;
}

export function createRenderedPageCache(maxTotalBytes = MAX_TOTAL_BYTES): RenderedPageCache {
  const pages = new LRUCache<string, Kept>({ maxSize: maxTotalBytes, sizeCalculation: bytesOf });

  function findVersion({ id, version }: Embed): Kept | null {
    const kept = pages.get(id);
    return kept?.version === version ? kept : null;
  }

  return {
    find(embed) {
      const kept = findVersion(embed);
      return kept && performance.now() < kept.askAt ? kept.page : null;
    },
    findOf(embed, copy) {
      const kept = findVersion(embed);
      if (kept?.copy !== copy.freshUntil.getTime()) return null;
      this.keep(embed, copy, kept.page);
      return kept.page;
    },
    keep({ id, version }, copy, page) {
      const askAt = performance.now() + Math.max(freshForMs(copy, new Date()), ASK_AGAIN_MS);
      pages.set(id, { version, copy: copy.freshUntil.getTime(), askAt, page });
    },
  };
}

/** The text, and at most as much again for its codings. */
function bytesOf({ page }: Kept): number {
  return 2 * page.representation.byteLength;
}
