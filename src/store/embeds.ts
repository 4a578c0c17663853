import { type Awaitable, andThen } from '../awaitable.ts';
import {
  type Embed,
  embedChanged,
  embedNotFound,
  isSameEmbed,
  resolveConflict,
  type Updated,
  type Written,
} from '../domain/embed/embed.ts';
import type { Inserted, Once } from '../domain/embed/idempotency.ts';
import type { EmbedChange } from '../domain/embed-change.ts';
import { isUnavailable, Refusal } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { openIdempotentInserts } from './embeds/idempotency.ts';
import { type EmbedSql, selectByExternalId } from './embeds/sql.ts';
import type { Engine } from './engine.ts';
import { createBatcher } from './performance/batcher.ts';
import { isDuplicate, isPrimaryKeyTaken } from './prisma/errors.ts';

/**
 * The embeds of all accounts. Every write is one statement: on the single connection of a SQLite file, a transaction would
 * include the writes of other requests, and undo them if it rolls back. On PostgreSQL it would hold locks over round trips.
 */
export interface EmbedStore {
  /**
   * Inserts an embed, or updates the one that has its external id.
   * @param resolve throws a `conflict` by default
   */
  insert(embed: Embed, resolve?: Resolve): Promise<Written>;
  /**
   * Does the same at most once for a key.
   * @throws {Refusal} `invalid` if the key was used with other parameters, `conflict` while the first request is in progress
   */
  insertOnce(embed: Embed, once: Once, resolve: Resolve): Promise<Inserted>;
  findByExternalId(accountId: string, externalId: string): Promise<Embed | null>;
  find(accountId: string, id: string): Awaitable<Embed | null>;
  findForAnyone(id: string): Awaitable<Embed | null>;
  /**
   * Does not write a change without effect.
   * @param expected the version that the caller has seen; undefined for any
   * @throws {Refusal} `not_found`, `precondition_failed` for another version, `conflict` after 20 concurrent updates
   */
  update(accountId: string, id: string, change: (embed: Embed) => Embed, expected?: number): Promise<Updated>;
  /** @throws {Refusal} `not_found`, `precondition_failed` */
  delete(accountId: string, id: string, expected?: number): Promise<void>;
}

/** Returns the new content of an embed that has the external id of a created one, or throws a refusal. */
export type Resolve = (current: Embed, created: Embed) => Embed;

const MAX_UPDATE_TRIES = 20;

/** A change with the embed before and after it, as far as they are known. */
export interface EmbedWrite extends EmbedChange {
  /** Null also if a deleted embed was not read. */
  readonly before: Embed | null;
  readonly after: Embed | null;
}

interface Options {
  /**
   * Called after each committed change, in the order of the commits, before the caller gets the result. Also called after an
   * update or deletion that fails, because it may be committed: the connection was lost. The caller gets that error at once: to
   * read what is committed may take as long as the write.
   */
  readonly publish: (write: EmbedWrite) => void;
  /** Returns whether to read an embed before it is deleted, so that it is known. */
  readonly readsDeleted: () => boolean;
}

/** Its `settleWrites` waits until the outcome of each write that failed is published. */
export function openEmbeds(
  { client, sql, driver, shards, now }: Pick<Engine, 'client' | 'sql' | 'driver' | 'shards' | 'now'>,
  { publish, readsDeleted }: Options,
): { readonly embeds: EmbedStore; settleWrites(): Promise<void> } {
  const settling = new Set<Promise<void>>();
  const insertOnce = openIdempotentInserts(client, shards, now);
  const insertBatched = createBatcher(
    (embeds: readonly Embed[]) =>
      insertEmbeds((statement) => driver.run(statement, shards && (embeds[0] as Embed).accountId), sql, embeds),
    // a statement over several shards would fail with each of their nodes, and one with an external id that is taken
    { groupOf: ({ accountId, externalId }) => `${shards ? accountId : ''} ${externalId !== null}` },
  );

  async function insertNew(embed: Embed): Promise<Written> {
    shards?.expect(embed.id);
    await insertBatched(embed);
    publish({ kind: 'CREATED', accountId: embed.accountId, embedId: embed.id, before: null, after: embed });
    return { embed, before: null };
  }

  async function insertIdempotently(embed: Embed): Promise<Written> {
    try {
      await insertNew(embed);
    } catch (error) {
      // an earlier request with this key wrote the embed and crashed before it completed the key
      if (!isDuplicate(error) || !(await store.find(embed.accountId, embed.id))) throw error;
    }
    return { embed, before: null };
  }

  /** Reads what is committed. If it cannot be read, nothing is known of a later version than the one before. */
  function publishOutcome(before: Embed): void {
    const { accountId, id: embedId } = before;
    const read = async () => store.find(accountId, embedId);
    const settled = read()
      .catch(() => before)
      .then((after) => {
        settling.delete(settled);
        publish({ kind: after ? 'UPDATED' : 'DELETED', accountId, embedId, before, after });
      });
    settling.add(settled);
  }

  const store: EmbedStore = {
    async insert(embed, resolve = refuseConflict) {
      const { accountId, externalId } = embed;
      if (externalId === null) return insertNew(embed);
      for (let tries = 0; tries < MAX_UPDATE_TRIES; tries++) {
        const before = await store.findByExternalId(accountId, externalId);
        // an earlier request with the same Idempotency-Key
        if (before?.id === embed.id) return { embed: before, before: null };
        try {
          if (!before) return await insertNew(embed);
          return await store.update(accountId, before.id, (current) => resolve(current, embed));
        } catch (error) {
          const isDeleted = error instanceof Refusal && error.code === 'not_found';
          if (!isDeleted && !isDuplicate(error)) throw error;
        }
      }
      throw keepsChanging();
    },

    insertOnce: (embed, once, resolve) =>
      insertOnce(embed, once, (complete) =>
        complete.externalId === null ? insertIdempotently(complete) : store.insert(complete, resolve),
      ),

    async findByExternalId(accountId, externalId) {
      const [embed] = await driver.all<Embed>(selectByExternalId(accountId, externalId), accountId);
      return embed ?? null;
    },

    find: (accountId, id) => andThen(driver.find(id, accountId), (embed) => ownedBy(accountId, embed)),

    findForAnyone: (id) => driver.find(id, null),

    async update(accountId, id, change, expected) {
      for (let tries = 0; tries < MAX_UPDATE_TRIES; tries++) {
        const embed = await store.find(accountId, id);
        if (!embed) throw embedNotFound();
        if (expected !== undefined && embed.version !== expected) throw embedChanged();
        const changed = change(embed);
        if (isSameEmbed(embed, changed)) return { embed, before: embed };
        // not before the previous change, also if the clock was set back
        const updatedAt = new Date(Math.max(now().getTime(), (embed.updatedAt ?? embed.createdAt).getTime()));
        const { id: _, accountId: __, createdAt, ...content } = { ...changed, updatedAt, version: embed.version + 1 };
        const where = { id, accountId, version: embed.version };
        const data = { ...content, terms: sql.serializeTerms(content) };
        const { count } = await client.embed.updateMany({ where, data }).catch((error) => {
          publishOutcome(embed);
          throw error;
        });
        if (count === 0) continue;
        const after = { ...content, id, accountId, createdAt };
        publish({ kind: 'UPDATED', accountId, embedId: id, before: embed, after });
        return { embed: after, before: embed };
      }
      throw keepsChanging();
    },

    async delete(accountId, id, expected) {
      const where = { id, accountId, ...(expected !== undefined && { version: expected }) };
      const findBefore = async () => store.find(accountId, id);
      const before = readsDeleted() ? await findBefore().catch(() => null) : null;
      const { count } = await client.embed.deleteMany({ where }).catch((error) => {
        if (before && isUnavailable(error)) publishOutcome(before);
        throw error;
      });
      if (count === 1) return publish({ kind: 'DELETED', accountId, embedId: id, before, after: null });
      throw expected !== undefined && (await store.find(accountId, id)) ? embedChanged() : embedNotFound();
    },
  };
  return {
    embeds: store,
    async settleWrites() {
      await Promise.all(settling);
    },
  };
}

const refuseConflict: Resolve = (current, created) => resolveConflict('ERROR', current, created);

function keepsChanging(): Refusal {
  return new Refusal('conflict', 'Others keep changing this embed; try again.', [], 1);
}

/** Inserts embeds in one statement. */
export async function insertEmbeds(
  run: (statement: Prisma.Sql) => Awaitable<number>,
  { insert, makeRoom }: EmbedSql,
  embeds: readonly Embed[],
): Promise<readonly Embed[]> {
  const write = async () => run(insert(embeds));
  await write().catch(async (error) => {
    if (!makeRoom || !isPrimaryKeyTaken(error)) throw error;
    for (const { id } of embeds) await run(makeRoom(id, embeds.length));
    await write();
  });
  return embeds;
}

export function ownedBy(accountId: string, embed: Embed | null): Embed | null {
  return embed?.accountId === accountId ? embed : null;
}
