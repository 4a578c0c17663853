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
import { Refusal } from '../errors.ts';
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

/** @param publish called after each committed change, in the order of the commits */
export function openEmbeds(
  { client, sql, driver, shards, now }: Pick<Engine, 'client' | 'sql' | 'driver' | 'shards' | 'now'>,
  publish: (change: EmbedChange) => void,
): EmbedStore {
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
    publish({ kind: 'CREATED', accountId: embed.accountId, embedId: embed.id });
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
        const { count } = await client.embed.updateMany({
          where,
          data: { ...content, terms: sql.serializeTerms(content) },
        });
        if (count === 0) continue;
        publish({ kind: 'UPDATED', accountId, embedId: id });
        return { embed: { ...content, id, accountId, createdAt }, before: embed };
      }
      throw keepsChanging();
    },

    async delete(accountId, id, expected) {
      const where = { id, accountId, ...(expected !== undefined && { version: expected }) };
      const { count } = await client.embed.deleteMany({ where });
      if (count === 1) return publish({ kind: 'DELETED', accountId, embedId: id });
      throw expected !== undefined && (await store.find(accountId, id)) ? embedChanged() : embedNotFound();
    },
  };
  return store;
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
