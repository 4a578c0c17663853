import { type Embed, embedChanged, embedNotFound, isSameEmbed } from '../domain/embed/embed.ts';
import type { Inserted, Once } from '../domain/embed/idempotency.ts';
import type { Paging } from '../domain/embed/paging.ts';
import { Refusal } from '../errors.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { isDuplicate, mapDatabaseErrors } from './database-errors.ts';
import { type EmbedPage, type FilteredLists, type IdRange, openFilteredLists } from './embeds/filtered-list.ts';
import { openIdempotentInserts } from './embeds/idempotency.ts';
import { openEmbedQueries } from './embeds/queries.ts';
import { type EmbedSql, serializeTerms } from './embeds/sql.ts';
import { createBatcher } from './performance/batcher.ts';

/**
 * The embeds of all accounts. Every write is one statement: on the one connection of a SQLite file, a transaction that
 * waits would take other requests' writes with it when it rolls back; on PostgreSQL it would hold locks over round trips.
 */
export interface EmbedStore extends FilteredLists {
  /** Writes a new embed. */
  insert(embed: Embed): Promise<Embed>;
  /**
   * Writes a new embed, unless a request with the same key wrote one before.
   * @throws {Refusal} `invalid` when the key was used with other parameters, `conflict` while the first request is in progress
   */
  insertOnce(embed: Embed, once: Once): Promise<Inserted>;
  find(accountId: string, id: string): Promise<Embed | null>;
  /** An embed of any account, to be shown to whoever has its address. */
  findForAnyone(id: string): Promise<Embed | null>;
  /** The embeds among the given ids that the account has, in no order. */
  findMany(accountId: string, ids: readonly string[]): Promise<readonly Embed[]>;
  findPage(accountId: string, paging: Paging): Promise<EmbedPage>;
  /** Whether the account has an embed that is as new as an id or newer, or as old or older. */
  exists(accountId: string, range: IdRange): Promise<boolean>;
  /** How many embeds the account has: one look-up, kept by the database. */
  count(accountId: string): Promise<number>;
  /**
   * Changes an embed, over the very version that the change was computed from. A change that changes nothing is not
   * written.
   * @param expected the version that the caller has seen; undefined when any will do
   * @throws {Refusal} `not_found`, `precondition_failed` when the version is another, `conflict` when others keep changing it
   */
  update(accountId: string, id: string, change: (embed: Embed) => Embed, expected?: number): Promise<Embed>;
  /**
   * Deletes an embed for ever.
   * @throws {Refusal} `not_found`, `precondition_failed`
   */
  delete(accountId: string, id: string, expected?: number): Promise<void>;
}

/** Each try is lost only to another update that was made, so this many in a row means a crowd. */
const MAX_UPDATE_TRIES = 20;

/** Bounds on how long one statement holds up everybody else: a page may be of a hundred rows. */
const MOST_ROWS = 64;
const MOST_PAGES = 16;

/** Ids of embeds lie between these two. */
const BELOW_ALL_IDS = '';
const ABOVE_ALL_IDS = '~';

export function openEmbeds(client: PrismaClient, sql: EmbedSql): EmbedStore {
  const createOnce = openIdempotentInserts(client);
  const rows = openEmbedQueries(client, sql);
  const read = createBatcher(rows.read, { maxBatchSize: MOST_ROWS });
  const count = createBatcher(rows.readCounts, { maxBatchSize: MOST_ROWS });
  const insert = createBatcher(rows.insert, { maxBatchSize: MOST_ROWS });
  const readPage = createBatcher(rows.readRanges, {
    maxBatchSize: MOST_PAGES,
    keyOf: JSON.stringify,
  });

  async function write(embed: Embed): Promise<void> {
    try {
      await insert(embed);
    } catch (error) {
      // the embed is there: its id is from the request that wrote it and did not live to say so
      if (!isDuplicate(error)) throw error;
    }
  }

  return {
    insert,

    insertOnce: (embed, once) => createOnce(embed, once, write),

    async find(accountId, id) {
      const embed = await read(id);
      return embed?.accountId === accountId ? embed : null;
    },

    findForAnyone: read,

    findMany(accountId, ids) {
      return mapDatabaseErrors(() =>
        client.embed.findMany({ where: { id: { in: [...ids] }, accountId }, omit: { terms: true } }),
      );
    },

    async findPage(accountId, { size, fromEnd, after = ABOVE_ALL_IDS, before = BELOW_ALL_IDS }) {
      // one more than asked for tells whether the page is cut
      const found = await readPage({ accountId, olderThan: after, newerThan: before, size: size + 1, fromEnd });
      const embeds = found.slice(0, size);
      return { embeds: fromEnd ? embeds.reverse() : embeds, isCut: found.length > size };
    },

    async exists(accountId, range) {
      const id = 'from' in range ? { gte: range.from } : { lte: range.to };
      return (
        (await mapDatabaseErrors(() => client.embed.findFirst({ where: { accountId, id }, select: { id: true } }))) !==
        null
      );
    },

    count,

    ...openFilteredLists(client),

    async update(accountId, id, change, expected) {
      for (let tries = 0; tries < MAX_UPDATE_TRIES; tries++) {
        const embed = await this.find(accountId, id);
        if (!embed) throw embedNotFound();
        if (expected !== undefined && embed.version !== expected) throw embedChanged();
        const changed = change(embed);
        if (isSameEmbed(embed, changed)) return embed;
        const { createdAt, ...content } = { ...changed, version: embed.version + 1 };
        const where = { id, accountId, version: embed.version };
        const { count } = await mapDatabaseErrors(() =>
          client.embed.updateMany({ where, data: { ...content, terms: serializeTerms(content) } }),
        );
        if (count === 1) return { ...content, createdAt };
      }
      throw new Refusal('conflict', 'Others keep changing this embed; try again.', [], 1);
    },

    async delete(accountId, id, expected) {
      const where = { id, accountId, ...(expected !== undefined && { version: expected }) };
      const { count } = await mapDatabaseErrors(() => client.embed.deleteMany({ where }));
      if (count === 1) return;
      throw expected !== undefined && (await this.find(accountId, id)) ? embedChanged() : embedNotFound();
    },
  };
}
