import type { Embed } from '../domain/embed.ts';
import type { Once } from '../domain/idempotency.ts';
import { Refusal, refuseFaults } from '../errors.ts';
import type { IdempotentCreate, PrismaClient } from '../generated/prisma/client.ts';
import { attempt, isDuplicate } from './failure.ts';

/** How long a key is remembered. */
const REMEMBERED_MS = 24 * 3_600_000;
/** How long the first request may be at work before a retry takes its place. */
const LEASE_MS = 10_000;
const PURGE_EVERY_MS = 60_000;

/** Writes an embed; idempotent in its id: writing the same one again changes nothing. */
type Write = (embed: Embed) => Promise<void>;

/**
 * Makes one embed for a key, however often it is asked for. The key is kept with the whole embed before the embed is
 * written, each in one statement: a crash in between is made good by the retry, which writes the very same embed.
 */
export function openIdempotentCreates(client: PrismaClient) {
  let purgedAt = 0;

  async function purge(now: number): Promise<void> {
    if (now - purgedAt < PURGE_EVERY_MS) return;
    purgedAt = now;
    const createdAt = { lt: new Date(now - REMEMBERED_MS) };
    await attempt(() => client.idempotentCreate.deleteMany({ where: { createdAt } }));
  }

  /** The earlier use of the key; null when this is the first, which is now kept. */
  async function reserve(embed: Embed, { key, fingerprint }: Once, now: number): Promise<IdempotentCreate | null> {
    const { accountId } = embed;
    const data = { accountId, key, fingerprint, isDone: false, embed: JSON.stringify(embed) };
    const times = { createdAt: new Date(now), leaseUntil: new Date(now + LEASE_MS) };
    try {
      await attempt(() => client.idempotentCreate.create({ data: { ...data, ...times }, select: { key: true } }));
      return null;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    return attempt(() => client.idempotentCreate.findUnique({ where: { accountId_key: { accountId, key } } }));
  }

  /** Whether the lease of a request that never finished could be taken over. */
  async function takeOver({ accountId, key, leaseUntil }: IdempotentCreate, now: number): Promise<boolean> {
    if (leaseUntil.getTime() > now) return false;
    const where = { accountId, key, leaseUntil, isDone: false };
    const data = { leaseUntil: new Date(now + LEASE_MS) };
    return (await attempt(() => client.idempotentCreate.updateMany({ where, data }))).count === 1;
  }

  async function writeAndMark(embed: Embed, key: string, write: Write): Promise<Embed> {
    const where = { accountId: embed.accountId, key };
    try {
      await write(embed);
      await attempt(() => client.idempotentCreate.updateMany({ where, data: { isDone: true } }));
      return embed;
    } catch (error) {
      // let the retry begin at once; if even this fails, the lease runs out by itself
      const data = { leaseUntil: new Date(0) };
      await attempt(() => client.idempotentCreate.updateMany({ where, data })).catch(() => {});
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
    const earlier = await reserve(embed, once, now);
    if (!earlier) return writeAndMark(embed, once.key, write);
    if (earlier.fingerprint !== once.fingerprint) {
      throw refuseFaults([{ path: 'Idempotency-Key', message: 'was used for a request with other parameters' }]);
    }
    const made = reviveEmbed(earlier.embed);
    if (earlier.isDone) return made;
    if (await takeOver(earlier, now)) return writeAndMark(made, once.key, write);
    throw new Refusal('conflict', 'The first request with this Idempotency-Key is still at work; try again.', [], 1);
  };
}

function reviveEmbed(json: string): Embed {
  const embed = JSON.parse(json) as Embed & { readonly createdAt: string };
  return { ...embed, createdAt: new Date(embed.createdAt) };
}
