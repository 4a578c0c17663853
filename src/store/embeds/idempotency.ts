import type { Embed } from '../../domain/embed/embed.ts';
import { DEFAULT_SETTINGS } from '../../domain/embed/fields.ts';
import type { Once } from '../../domain/embed/idempotency.ts';
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
  let purgedAt = 0;

  async function purge(now: number): Promise<void> {
    if (now - purgedAt < PURGE_EVERY_MS) return;
    purgedAt = now;
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

  /** The lease of a request that never finished; null while it may still be at work. */
  async function acquireExpiredLease(
    { accountId, key, leaseUntil }: IdempotentCreate,
    now: number,
  ): Promise<Lease | null> {
    if (leaseUntil.getTime() > now) return null;
    const lease = { accountId, key, leaseUntil: new Date(now + LEASE_MS) };
    return (await hold({ accountId, key, leaseUntil }, { leaseUntil: lease.leaseUntil })) ? lease : null;
  }

  /** The embed with all that is to be known of it, kept before anybody writes it: from then on it is this one. */
  async function complete({ embed, isComplete }: Kept, once: Once, lease: Lease): Promise<Embed> {
    if (isComplete || !once.complete) return embed;
    const completed: Kept = { embed: await once.complete(embed), isComplete: true };
    if (!(await hold(lease, { embed: JSON.stringify(completed) }))) throw stillAtWork();
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
  return async function createOnce(embed: Embed, once: Once, write: Write): Promise<Embed> {
    const now = Date.now();
    await purge(now);
    const kept: Kept = { embed, isComplete: once.complete === null };
    const { lease, earlier } = await reserve(kept, once, now);
    if (lease) return make(kept, once, lease, write);
    if (!earlier) throw stillAtWork();
    if (earlier.fingerprint !== once.fingerprint) {
      throw refuseFaults([{ path: 'Idempotency-Key', message: 'was used for a request with other parameters' }]);
    }
    const made = deserialize(earlier.embed);
    if (earlier.isDone) {
      once.onReplay?.();
      return made.embed;
    }
    const taken = await acquireExpiredLease(earlier, now);
    if (!taken) throw stillAtWork();
    return make(made, once, taken, write);
  };
}

function stillAtWork(): Refusal {
  return new Refusal('conflict', 'The first request with this Idempotency-Key is still at work; try again.', [], 1);
}

function deserialize(json: string): Kept {
  const { embed, isComplete } = JSON.parse(json) as Kept & { readonly embed: { readonly createdAt: string } };
  // written before an upgrade, it lacks the settings that were added since
  return { isComplete, embed: { ...DEFAULT_SETTINGS, ...embed, createdAt: new Date(embed.createdAt) } };
}
