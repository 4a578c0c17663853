import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { FetchResult, KnownVersion, PageFetcher } from '#fetcher';
import { isPictureType } from '#reader/media-type';
import { joinOrStart } from '../awaitable.ts';
import { bytesOfEntry, CACHE_BYTES, ENTRY_BYTES } from '../cache-bytes.ts';
import { statusOfFailure } from './failure-status.ts';
import { createFetchQueue } from './fetch-queue.ts';

export interface Picture {
  /** The type by the first bytes; for SVG the declared one. */
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A hash of the bytes. */
  readonly digest: string;
}

interface Entry {
  /** Null if the picture could not be fetched. */
  readonly picture: Picture | null;
  readonly known: KnownVersion | null;
  /** By the monotonic clock. The fetch began at this time. */
  readonly fetchedAtMs: number;
  readonly freshUntilMs: number;
}

const FETCH_TIMEOUT_MS = 10_000;
const FRESH_MS = 3_600_000;
const RETRY_MS = 60_000;
/** The validators, the digest and the URL after redirects. */
const VALIDATORS_BYTES = 4 * ENTRY_BYTES;

/** Creates a cache of the pictures of embeds by URL. Requests for a picture share one fetch. */
export function createPictureCache(fetcher: PageFetcher) {
  const entries = new LRUCache<string, Entry>({
    maxSize: CACHE_BYTES.pictures,
    sizeCalculation: ({ picture }, url) => VALIDATORS_BYTES + bytesOfEntry(url) + (picture?.bytes.length ?? 0),
  });
  const inFlight = new Map<string, Promise<Picture | null>>();
  const queue = createFetchQueue();
  const closing = new AbortController();

  async function fetchPicture(url: string, previous: Entry | null): Promise<Picture | null> {
    const entry = await queue.run(new URL(url).host, async () => {
      const fetchedAtMs = performance.now();
      const result = await fetcher.fetch(url, {
        destination: 'image',
        timeoutMs: FETCH_TIMEOUT_MS,
        known: previous?.known ?? null,
        signal: closing.signal,
      });
      return createEntry(result, previous, fetchedAtMs);
    });
    entries.set(url, entry);
    return entry.picture;
  }

  return {
    /**
     * Returns null if the picture cannot be fetched, is larger than 5 MB, or is in a format that browsers do not show. While its
     * site cannot be reached, a known picture stays. A picture that is fresh is fetched again nevertheless if `isCurrent`
     * rejects the time of its fetch.
     * @throws {Refusal} `unavailable` if too many pictures wait to be fetched
     */
    async find(url: string, isCurrent: (fetchedAtMs: number) => boolean): Promise<Picture | null> {
      const entry = entries.get(url) ?? null;
      const wasRefreshed = entry !== null && !isCurrent(entry.fetchedAtMs);
      if (entry && !wasRefreshed && performance.now() < entry.freshUntilMs) return entry.picture;
      // after a refresh without validators: a site may confirm a picture that it has changed
      const previous = wasRefreshed ? { ...entry, known: null } : entry;
      return joinOrStart(inFlight, url, () => fetchPicture(url, previous));
    },
    async close(): Promise<void> {
      closing.abort();
      await Promise.allSettled(inFlight.values());
    },
  };
}

function createEntry(result: FetchResult, previous: Entry | null, fetchedAtMs: number): Entry {
  const until = (freshMs: number) => ({ fetchedAtMs, freshUntilMs: performance.now() + freshMs });
  if (result.kind === 'unchanged' && previous) return { ...previous, ...until(FRESH_MS) };
  if (previous && isTransient(result)) return { ...previous, ...until(RETRY_MS) };
  const picture = pictureOf(result);
  if (result.kind !== 'file' || !picture) return { picture: null, known: null, ...until(RETRY_MS) };
  const { url, etag, lastModified } = result;
  return { picture, known: { url, etag, lastModified }, ...until(FRESH_MS) };
}

/** Says nothing about the picture itself. */
function isTransient(result: FetchResult): boolean {
  if (result.kind !== 'failed') return false;
  const { reason, status } = result;
  return reason === 'aborted' || statusOfFailure(reason, status).state === 'UNREACHABLE';
}

/** Copies the bytes, which may be a part of a larger buffer. */
function pictureOf(result: FetchResult): Picture | null {
  if (result.kind !== 'file' || typeof result.content === 'string' || !isPictureType(result.mediaType)) return null;
  const bytes = new Uint8Array(result.content);
  return { mediaType: result.mediaType, bytes, digest: hash('sha256', bytes, 'base64url') };
}
