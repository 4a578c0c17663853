import { msUntil } from '../../domain/clock.ts';
import type { Embed, Written } from '../../domain/embed/embed.ts';
import { DEFAULT_SETTINGS } from '../../domain/embed/fields.ts';
import type { Inserted, Once } from '../../domain/embed/idempotency.ts';
import { Refusal, refuseFaults } from '../../errors.ts';
import { type IdempotentCreate, Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import type { Shards } from '../postgresql/citus/shards.ts';
import { insertIfAbsent } from '../prisma/errors.ts';

const KEY_LIFETIME_MS = 24 * 3_600_000;
/** Time after which a retry may replace a request that has not finished. */
const LEASE_MS = 10_000;
const TRIM_INTERVAL_MS = 60_000;
/** Keys of one statement. While the gateways are stopped, those of a day expire. */
const MAX_TRIMMED = 500;

/** Writes an embed; repeated writes of the same embed have no effect. */
type Write = (embed: Embed) => Promise<Written>;

interface StoredEmbed extends Written {
  readonly isComplete: boolean;
}

interface Lease {
  readonly accountId: string;
  readonly key: string;
  readonly leaseUntil: Date;
}

/**
 * Creates one embed per key. The key is stored first, then the whole embed with it, then the embed is written, each in one
 * statement. After a crash at any point, the retry writes the same embed.
 * @param shards null if there are no shards
 * @param clock of all gateways
 */
export function openIdempotentInserts(
  client: PrismaClient,
  shards: Pick<Shards, 'deleteOld'> | null,
  clock: () => Date,
) {
  /** By `performance.now()`. */
  let trimAt = 0;

  /** Returns whether there are more. */
  async function deleteSome(before: Date): Promise<boolean> {
    if (shards) return shards.deleteOld('keys', Prisma.sql`${before.toISOString()}::timestamp`);
    const where = { createdAt: { lt: before } };
    const { count } = await client.idempotentCreate.deleteMany({ where, limit: MAX_TRIMMED });
    return count >= MAX_TRIMMED;
  }

  async function trim(now: number): Promise<void> {
    if (performance.now() < trimAt) return;
    trimAt = performance.now() + TRIM_INTERVAL_MS;
    // the next create deletes more
    if (await deleteSome(new Date(now - KEY_LIFETIME_MS))) trimAt = 0;
  }

  const insertKey = (data: IdempotentCreate) =>
    insertIfAbsent(client.idempotentCreate.create({ data, select: { key: true } }));

  /** Stores an unused or expired key and returns its lease; otherwise returns the stored row. */
  async function reserve(stored: StoredEmbed, { key, fingerprint }: Once, now: number) {
    const lease = { accountId: stored.embed.accountId, key, leaseUntil: new Date(now + LEASE_MS) };
    const data = { ...lease, fingerprint, createdAt: new Date(now), isDone: false, embed: JSON.stringify(stored) };
    if (await insertKey(data)) return { lease };
    const { accountId } = lease;
    const expired = { lt: new Date(now - KEY_LIFETIME_MS) };
    await client.idempotentCreate.deleteMany({ where: { accountId, key, createdAt: expired } });
    const where = { accountId_key: { accountId, key } };
    const earlier = await client.idempotentCreate.findUnique({ where });
    if (earlier) return { earlier };
    if (await insertKey(data)) return { lease };
    throw inProgress(0);
  }

  async function updateHeldLease(lease: Lease, data: { leaseUntil?: Date; embed?: string }): Promise<boolean> {
    const where = { ...lease, isDone: false };
    const { count } = await client.idempotentCreate.updateMany({ where, data });
    return count === 1;
  }

  /** @throws {Refusal} `conflict` before the lease expires, or if another retry has taken it over */
  async function acquireExpiredLease({ accountId, key, leaseUntil }: IdempotentCreate, now: number): Promise<Lease> {
    const remainingMs = msUntil(leaseUntil, new Date(now), LEASE_MS);
    if (remainingMs > 0) throw inProgress(remainingMs);
    const lease = { accountId, key, leaseUntil: new Date(now + LEASE_MS) };
    if (await updateHeldLease({ accountId, key, leaseUntil }, { leaseUntil: lease.leaseUntil })) return lease;
    throw inProgress(LEASE_MS);
  }

  /**
   * Adds what the request still has to find out, such as the title, and stores it before the embed is written. Renews the lease, so
   * that the time for the title is no part of it. It is longer than connecting and one statement take at most, but not than two.
   */
  async function complete({ embed, isComplete, before }: StoredEmbed, once: Once, lease: Lease) {
    if (isComplete || !once.complete) return { embed, held: lease };
    const completed: StoredEmbed = { embed: await once.complete(embed), isComplete: true, before };
    const leaseUntil = new Date(clock().getTime() + LEASE_MS);
    const isHeld = await updateHeldLease(lease, { leaseUntil, embed: JSON.stringify(completed) });
    if (!isHeld) throw inProgress(LEASE_MS);
    return { embed: completed.embed, held: { ...lease, leaseUntil } };
  }

  async function create(stored: StoredEmbed, once: Once, taken: Lease, write: Write): Promise<Written> {
    let lease = taken;
    try {
      const { embed, held } = await complete(stored, once, taken);
      lease = held;
      const written = await write(embed);
      const { accountId, key } = lease;
      const result = written.before && { embed: JSON.stringify({ ...written, isComplete: true }) };
      await client.idempotentCreate.updateMany({ where: { accountId, key }, data: { isDone: true, ...result } });
      return written;
    } catch (error) {
      // lets a retry start at once, and with other parameters if these were refused; if this fails too, the lease expires
      await (error instanceof Refusal && error.code !== 'unavailable'
        ? client.idempotentCreate.deleteMany({ where: { ...lease, isDone: false } })
        : updateHeldLease(lease, { leaseUntil: new Date(0) })
      ).catch(() => {});
      throw error;
    }
  }

  /** @throws {Refusal} `invalid` if the key was used with other parameters, `conflict` while the first request is in progress */
  return async function insertOnce(embed: Embed, once: Once, write: Write): Promise<Inserted> {
    const now = clock().getTime();
    // the next trim repeats one that failed
    void trim(now).catch(() => {});
    const stored: StoredEmbed = { embed, isComplete: once.complete === null, before: null };
    const { lease, earlier } = await reserve(stored, once, now);
    if (lease) return { ...(await create(stored, once, lease, write)), replayed: false };
    if (earlier.fingerprint !== once.fingerprint) {
      throw refuseFaults([{ path: 'Idempotency-Key', message: 'was used for a request with other parameters' }]);
    }
    const first = deserialize(earlier.embed);
    if (earlier.isDone) return { embed: first.embed, before: first.before, replayed: true };
    return { ...(await create(first, once, await acquireExpiredLease(earlier, now), write)), replayed: false };
  };
}

function inProgress(remainingMs: number): Refusal {
  const retryAfterS = Math.max(1, Math.ceil(remainingMs / 1_000));
  const message = `The first request with this Idempotency-Key is still in progress; try again in ${retryAfterS} s.`;
  return new Refusal('conflict', message, [], retryAfterS);
}

function deserialize(json: string): StoredEmbed {
  const { embed, isComplete, before } = JSON.parse(json) as StoredEmbed;
  return { isComplete, embed: revive(embed), before: before ? revive(before) : null };
}

/** Converts the texts of times, and adds what was added since the row was written. */
function revive({ createdAt, updatedAt, ...stored }: Omit<Embed, 'settings' | 'externalId'>): Embed {
  const times = { createdAt: new Date(createdAt), updatedAt: updatedAt ? new Date(updatedAt) : null };
  return { ...DEFAULT_SETTINGS, settings: null, externalId: null, ...stored, ...times };
}
