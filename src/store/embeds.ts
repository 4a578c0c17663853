import { type Awaitable, andThen } from '../awaitable.ts';
import { type Embed, type EmbedChange, embedChanged, embedNotFound, isSameEmbed } from '../domain/embed/embed.ts';
import type { Inserted, Once } from '../domain/embed/idempotency.ts';
import type { Paging } from '../domain/embed/paging.ts';
import { Refusal } from '../errors.ts';
import type { EmbedPage } from './embeds/filtered-list.ts';
import { openIdempotentInserts } from './embeds/idempotency.ts';
import type { IdRange } from './embeds/posting-lists.ts';
import { openEmbedQueries } from './embeds/queries.ts';
import { ABOVE_ALL_IDS, BELOW_ALL_IDS, type EmbedKey, SELECTED_FIELDS, spanOf } from './embeds/sql.ts';
import type { Engine } from './engine.ts';
import { createBatcher } from './performance/batcher.ts';
import { isDuplicate, mapDatabaseErrors } from './prisma/errors.ts';

/**
 * The embeds of all accounts. Every write is one statement: on the single connection of a SQLite file, a transaction would
 * include the writes of other requests, and undo them if it rolls back. On PostgreSQL it would hold locks over round trips.
 */
export interface EmbedStore {
  insert(embed: Embed): Promise<Embed>;
  /** @throws {Refusal} `invalid` if the key was used with other parameters, `conflict` while the first request is in progress */
  insertOnce(embed: Embed, once: Once): Promise<Inserted>;
  find(accountId: string, id: string): Awaitable<Embed | null>;
  /** Like {@link find}, for an embed that many callers read at the same time: they share one read. */
  findShared(accountId: string, id: string): Promise<Embed | null>;
  findForAnyone(id: string): Awaitable<Embed | null>;
  /** Returns the account's embeds among the given ids, unordered. */
  findMany(accountId: string, ids: readonly string[]): Promise<readonly Embed[]>;
  findPage(accountId: string, paging: Paging): Promise<EmbedPage>;
  exists(accountId: string, range: IdRange): Promise<boolean>;
  count(accountId: string): Promise<number>;
  /**
   * Does not write a change without effect.
   * @param expected the version that the caller has seen; undefined for any
   * @throws {Refusal} `not_found`, `precondition_failed` for another version, `conflict` after 20 concurrent updates
   */
  update(accountId: string, id: string, change: (embed: Embed) => Embed, expected?: number): Promise<Embed>;
  /** @throws {Refusal} `not_found`, `precondition_failed` */
  delete(accountId: string, id: string, expected?: number): Promise<void>;
}

const MAX_UPDATE_TRIES = 20;

/** Sizes of batches. They bound how long one statement delays the others. A page may have 100 rows. */
const MAX_ROWS = 64;
const MAX_PAGES = 16;

/** @param publish called after each committed change, in the order of the commits */
export function openEmbeds(
  { client, sql, findEmbed, shards }: Pick<Engine, 'client' | 'sql' | 'findEmbed' | 'shards'>,
  publish: (change: EmbedChange) => void,
): EmbedStore {
  const insertOnce = openIdempotentInserts(client);
  const queries = openEmbedQueries(client, sql);
  // a statement over several shards would fail with each of their nodes
  const placeOf = (accountId: string) => shards?.shardOf(accountId);
  const batch = <Item, Result>(
    run: (items: readonly Item[]) => Promise<readonly Result[]>,
    accountOf: (item: Item) => string | null,
  ) => {
    return (items: readonly Item[]): Promise<readonly Result[]> => {
      const accountId = accountOf(items[0] as Item);
      return shards && accountId !== null ? shards.runStatement(accountId, () => run(items)) : run(items);
    };
  };
  const readBatched = createBatcher(batch(queries.read, accountIdOf), {
    maxBatchSize: MAX_ROWS,
    keyOf: ({ accountId, id }) => `${id} ${accountId}`,
    groupOf: ({ accountId }) => accountId && placeOf(accountId),
  });
  const read = findEmbed ? ({ id }: EmbedKey) => findEmbed(id) : readBatched;
  const count = createBatcher(
    batch(queries.readCounts, (accountId) => accountId),
    { maxBatchSize: MAX_ROWS, groupOf: placeOf },
  );
  const groupOf = ({ accountId }: { readonly accountId: string }) => (shards ? accountId : null);
  const insertBatched = createBatcher(batch(queries.insert, accountIdOf), { maxBatchSize: MAX_ROWS, groupOf });
  const readRange = createBatcher(batch(queries.readRanges, accountIdOf), {
    maxBatchSize: MAX_PAGES,
    keyOf: JSON.stringify,
    groupOf,
  });

  async function insert(embed: Embed): Promise<Embed> {
    shards?.expect(embed.id);
    const inserted = await insertBatched(embed);
    publish({ kind: 'CREATED', accountId: embed.accountId, embedId: embed.id });
    return inserted;
  }

  async function insertIdempotently(embed: Embed): Promise<void> {
    try {
      await insert(embed);
    } catch (error) {
      // an earlier request with this key wrote the embed and crashed before it completed the key
      if (!isDuplicate(error)) throw error;
    }
  }

  return {
    insert,

    insertOnce: (embed, once) => insertOnce(embed, once, insertIdempotently),

    find: (accountId, id) => andThen(read({ id, accountId }), (embed) => ownedBy(accountId, embed)),

    findShared: async (accountId, id) => ownedBy(accountId, await readBatched({ id, accountId })),

    findForAnyone: (id) => (shards ? shards.find(id, readBatched) : read({ id, accountId: null })),

    findMany(accountId, ids) {
      return mapDatabaseErrors(() =>
        client.embed.findMany({ where: { id: { in: [...ids] }, accountId }, select: SELECTED_FIELDS }),
      );
    },

    async findPage(accountId, { size, fromEnd, after = ABOVE_ALL_IDS, before = BELOW_ALL_IDS }) {
      // one more row than requested shows whether the page is cut
      const found = await readRange({ accountId, olderThan: after, newerThan: before, size: size + 1, fromEnd });
      const embeds = found.slice(0, size);
      return { embeds: fromEnd ? embeds.reverse() : embeds, isCut: found.length > size };
    },

    async exists(accountId, range) {
      const query = sql.readAny(accountId, spanOf(range));
      return (await mapDatabaseErrors(() => client.$queryRaw<object[]>(query))).length > 0;
    },

    count,

    async update(accountId, id, change, expected) {
      for (let tries = 0; tries < MAX_UPDATE_TRIES; tries++) {
        const embed = await this.find(accountId, id);
        if (!embed) throw embedNotFound();
        if (expected !== undefined && embed.version !== expected) throw embedChanged();
        const changed = change(embed);
        if (isSameEmbed(embed, changed)) return embed;
        const { id: _, accountId: __, createdAt, ...content } = { ...changed, version: embed.version + 1 };
        const where = { id, accountId, version: embed.version };
        const { count } = await mapDatabaseErrors(() =>
          client.embed.updateMany({ where, data: { ...content, terms: sql.serializeTerms(content) } }),
        );
        if (count === 0) continue;
        publish({ kind: 'UPDATED', accountId, embedId: id });
        return { ...content, id, accountId, createdAt };
      }
      throw new Refusal('conflict', 'Others keep changing this embed; try again.', [], 1);
    },

    async delete(accountId, id, expected) {
      const where = { id, accountId, ...(expected !== undefined && { version: expected }) };
      const { count } = await mapDatabaseErrors(() => client.embed.deleteMany({ where }));
      if (count === 1) return publish({ kind: 'DELETED', accountId, embedId: id });
      throw expected !== undefined && (await this.find(accountId, id)) ? embedChanged() : embedNotFound();
    },
  };
}

const accountIdOf = <Id extends string | null>({ accountId }: { readonly accountId: Id }): Id => accountId;

function ownedBy(accountId: string, embed: Embed | null): Embed | null {
  return embed?.accountId === accountId ? embed : null;
}
