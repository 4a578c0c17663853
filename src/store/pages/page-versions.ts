import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { MAX_PAGE_VERSIONS, type PageVersionText } from '../../domain/page-version.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { insertIfAbsent } from '../prisma/errors.ts';
import { createSpaceLimit } from './space-limit.ts';

export interface PageVersionStore {
  /**
   * Returns the versions of a page that are kept, newest first: at most ten of the last 90 days.
   * @param options.limit of fewer versions
   * @param options.before leaves out versions of this time and later
   */
  find(pageUrl: string, options?: { limit?: number; before?: Date | undefined }): Promise<readonly PageVersionText[]>;
  /** Returns whether a version of this time or later is kept. */
  hasSince(pageUrl: string, at: Date): Promise<boolean>;
  /** Adds a version that follows another one, and deletes those above the bounds. */
  add(pageUrl: string, before: PageVersionText, version: PageVersionText): Promise<void>;
  /** Deletes the versions of a page. */
  forget(pageUrl: string): Promise<void>;
}

const MAX_AGE_MS = 90 * 24 * 3_600_000;
/** Longer texts, compressed, are not kept. */
const MAX_TEXT_BYTES = 256 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Versions of one statement that evicts. */
const MAX_EVICTED = 100;

/** @param now the clock of all gateways */
export function openPageVersions(
  { pageVersion: versions }: PrismaClient,
  now: () => Date,
  maxTotalBytes = MAX_TOTAL_BYTES,
): PageVersionStore {
  const oldestKept = () => new Date(now().getTime() - MAX_AGE_MS);
  const newestFirst = (pageUrl: string) => ({ where: { pageUrl }, orderBy: { fetchedAt: 'desc' as const } });

  const grow = createSpaceLimit(maxTotalBytes, {
    measure: async () => (await versions.aggregate({ _sum: { bytes: true } }))._sum.bytes ?? 0,
    findOldest: async () =>
      versions.findMany({ orderBy: { fetchedAt: 'asc' }, take: MAX_EVICTED, select: { fetchedAt: true, bytes: true } }),
    remove: (rows) => versions.deleteMany({ where: { fetchedAt: { in: rows.map(({ fetchedAt }) => fetchedAt) } } }),
  });

  async function insert(pageUrl: string, fetchedAt: Date, text: string): Promise<void> {
    const data = { pageUrl, fetchedAt, text, bytes: text.length };
    // another gateway may have fetched it too
    await insertIfAbsent(versions.create({ data, select: { bytes: true } }));
    await grow(text.length);
  }

  async function trim(pageUrl: string): Promise<void> {
    const excess = await versions.findMany({
      ...newestFirst(pageUrl),
      skip: MAX_PAGE_VERSIONS,
      select: { fetchedAt: true },
    });
    const fetchedAt = { lt: oldestKept() };
    const isExcess = { pageUrl, fetchedAt: { in: excess.map((version) => version.fetchedAt) } };
    await versions.deleteMany({ where: { OR: [{ fetchedAt }, isExcess] } });
  }

  return {
    async find(pageUrl, { limit = MAX_PAGE_VERSIONS, before } = {}) {
      const fetchedAt = { gte: oldestKept(), ...(before && { lt: before }) };
      const rows = await versions.findMany({ ...newestFirst(pageUrl), where: { pageUrl, fetchedAt }, take: limit });
      return rows.map(({ fetchedAt, text }) => ({ fetchedAt, paragraphs: unpack(text) }));
    },

    async hasSince(pageUrl, at) {
      const fetchedAt = { gte: new Date(Math.max(at.getTime(), oldestKept().getTime())) };
      return (await versions.findFirst({ where: { pageUrl, fetchedAt }, select: { fetchedAt: true } })) !== null;
    },

    async add(pageUrl, before, version) {
      const [former, text] = [pack(before.paragraphs), pack(version.paragraphs)];
      if (former === text || Math.max(former.length, text.length) > MAX_TEXT_BYTES) return;
      const newest = await versions.findFirst(newestFirst(pageUrl));
      if (newest?.text === text) return;
      if (newest?.text !== former) await insert(pageUrl, before.fetchedAt, former);
      await insert(pageUrl, version.fetchedAt, text);
      await trim(pageUrl);
    },

    async forget(pageUrl) {
      await versions.deleteMany({ where: { pageUrl } });
    },
  };
}

function pack(paragraphs: readonly string[]): string {
  return deflateRawSync(JSON.stringify(paragraphs)).toString('base64');
}

function unpack(text: string): readonly string[] {
  return JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString());
}
