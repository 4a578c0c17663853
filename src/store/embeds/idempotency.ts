import { msUntil } from '../../domain/clock.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import { DEFAULT_SETTINGS } from '../../domain/embed/fields.ts';
import type { Inserted, Once } from '../../domain/embed/idempotency.ts';
import { Refusal, refuseFaults } from '../../errors.ts';
import type { IdempotentCreate, PrismaClient } from '../../generated/prisma/client.ts';
import { isDuplicate, mapDatabaseErrors } from '../database-errors.ts';

/** How long a key is remembered. */
const REMEMBERED_MS = 24 * 3_600_000;
/** How long the first request may be at work before a retry takes its place. */
const LEASE_MS = 10_000;
const PURGE_EVERY_MS = 60_000;

/** Writes an embed; idempotent in its id: writing the same one again changes nothing. */
type Write = (embed: Embed) => Promise<void>;

/** What a row holds of its embed. */
interface Kept {
  readonly embed: Embed;
  readonly isComplete: boolean;
}

/** The right to make the embed of a key, until it runs out. */
interface Lease {
  readonly accountId: string;
  readonly key: string;
  readonly leaseUntil: Date;
}

/**
 * Makes one embed for a key, however often it is asked for. The key is kept first, and the whole embed with it before the
 * embed is written, each in one statement: whatever a crash leaves is made good by the retry, which writes the very same
 * embed.
 */
export function openIdempotentInserts(client: PrismaClient) {
  /** By the monotonic clock. */
  let purgedAt = Number.NEGATIVE_INFINITY;

  async function purge(now: number): Promise<void> {
    if (performance.now() - purgedAt < PURGE_EVERY_MS) return;
    purgedAt = performance.now();
    const createdAt = { lt: new Date(now - REMEMBERED_MS) };
    await mapDatabaseErrors(() => client.idempotentCreate.deleteMany({ where: { createdAt } }));
  }

  /** The lease when this is the first use of the key, which is now kept; else the earlier use, null when it is gone again. */
  async function reserve(kept: Kept, { key, fingerprint }: Once, now: number) {
    const lease = { accountId: kept.embed.accountId, key, leaseUntil: new Date(now + LEASE_MS) };
    const data = { ...lease, fingerprint, createdAt: new Date(now), isDone: false, embed: JSON.stringify(kept) };
    try {
      await mapDatabaseErrors(() => client.idempotentCreate.create({ data, select: { key: true } }));
      return { lease };
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    const where = { accountId_key: { accountId: lease.accountId, key } };
    return { earlier: await mapDatabaseErrors(() => client.idempotentCreate.findUnique({ where })) };
  }

  /** Changes the row while the lease is held. */
  async function hold(lease: Lease, data: { leaseUntil?: Date; embed?: string }): Promise<boolean> {
    return (
      (await mapDatabaseErrors(() => client.idempotentCreate.updateMany({ where: { ...lease, isDone: false }, data })))
        .count === 1
    );
  }

  /**
   * The lease of a request that never finished.
   * @throws {Refusal} `conflict` while that request may still be at work, or when another retry has taken it over
   */
  async function acquireExpiredLease({ accountId, key, leaseUntil }: IdempotentCreate, now: number): Promise<Lease> {
    const heldForMs = msUntil(leaseUntil, new Date(now), LEASE_MS);
    if (heldForMs > 0) throw stillAtWork(heldForMs);
    const lease = { accountId, key, leaseUntil: new Date(now + LEASE_MS) };
    if (await hold({ accountId, key, leaseUntil }, { leaseUntil: lease.leaseUntil })) return lease;
    throw stillAtWork(LEASE_MS);
  }

  /** The embed with all that is to be known of it, kept before anybody writes it: from then on it is this one. */
  async function complete({ embed, isComplete }: Kept, once: Once, lease: Lease): Promise<Embed> {
    if (isComplete || !once.complete) return embed;
    const completed: Kept = { embed: await once.complete(embed), isComplete: true };
    if (!(await hold(lease, { embed: JSON.stringify(completed) }))) throw stillAtWork(LEASE_MS);
    return completed.embed;
  }

  async function make(kept: Kept, once: Once, lease: Lease, write: Write): Promise<Embed> {
    try {
      const embed = await complete(kept, once, lease);
      await write(embed);
      const { accountId, key } = lease;
      await mapDatabaseErrors(() =>
        client.idempotentCreate.updateMany({ where: { accountId, key }, data: { isDone: true } }),
      );
      return embed;
    } catch (error) {
      // let the retry begin at once; if even this fails, the lease runs out by itself
      await hold(lease, { leaseUntil: new Date(0) }).catch(() => {});
      throw error;
    }
  }

  /**
   * @returns the embed as it was first made under the key
   * @throws {Refusal} `invalid` when the key was used with other parameters, `conflict` while the first request is at work
   */
  return async function createOnce(embed: Embed, once: Once, write: Write): Promise<Inserted> {
    const now = Date.now();
    await purge(now);
    const kept: Kept = { embed, isComplete: once.complete === null };
    const { lease, earlier } = await reserve(kept, once, now);
    if (lease) return { embed: await make(kept, once, lease, write), replayed: false };
    // its row was removed in this moment
    if (!earlier) throw stillAtWork(0);
    if (earlier.fingerprint !== once.fingerprint) {
      throw refuseFaults([{ path: 'Idempotency-Key', message: 'was used for a request with other parameters' }]);
    }
    const made = deserialize(earlier.embed);
    if (earlier.isDone) return { embed: made.embed, replayed: true };
    return { embed: await make(made, once, await acquireExpiredLease(earlier, now), write), replayed: false };
  };
}

/** @param heldForMs after which a retry takes the place of the first request, if that has not finished */
function stillAtWork(heldForMs: number): Refusal {
  const retryAfterS = Math.max(1, Math.ceil(heldForMs / 1_000));
  const message = `The first request with this Idempotency-Key is still at work; try again in ${retryAfterS} s.`;
  return new Refusal('conflict', message, [], retryAfterS);
}

function deserialize(json: string): Kept {
  const { embed, isComplete } = JSON.parse(json) as Kept & { readonly embed: { readonly createdAt: string } };
  // written before an upgrade, it lacks the settings that were added since
  return { isComplete, embed: { ...DEFAULT_SETTINGS, ...embed, createdAt: new Date(embed.createdAt) } };
}
