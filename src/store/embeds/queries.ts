import type { Embed } from '../../domain/embed/embed.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { isPrimaryKeyTaken, mapDatabaseErrors } from '../prisma/errors.ts';
import type { EmbedKey, EmbedSql, RangeQuery } from './sql.ts';

/** Batched queries. Each returns one result per argument, in their order. */
export interface EmbedQueries {
  read(keys: readonly EmbedKey[]): Promise<readonly (Embed | null)[]>;
  readRanges(ranges: readonly RangeQuery[]): Promise<readonly (readonly Embed[])[]>;
  readCounts(accountIds: readonly string[]): Promise<readonly number[]>;
  insert(embeds: readonly Embed[]): Promise<readonly Embed[]>;
}

interface RangeRow extends Embed {
  readonly range: bigint;
}

export function openEmbedQueries(client: Pick<PrismaClient, '$queryRaw' | '$executeRaw'>, sql: EmbedSql): EmbedQueries {
  async function readSimilarRanges(ranges: readonly RangeQuery[], common: RangeQuery): Promise<readonly Embed[][]> {
    const rows = await mapDatabaseErrors(() => client.$queryRaw<RangeRow[]>(sql.readRanges(ranges, common)));
    const results = ranges.map((): Embed[] => []);
    for (const { range, ...embed } of rows) results[Number(range)]?.push(embed);
    const sign = common.fromEnd ? 1 : -1;
    for (const embeds of results) embeds.sort((a, b) => (a.id < b.id ? -sign : sign));
    return results;
  }

  return {
    async read(keys) {
      const embeds = await mapDatabaseErrors(() => client.$queryRaw<Embed[]>(sql.read(keys)));
      const byId = new Map(embeds.map((embed) => [embed.id, embed]));
      return keys.map(({ id }) => byId.get(id) ?? null);
    },

    async readRanges(ranges) {
      const results = new Map<RangeQuery, readonly Embed[]>();
      for (const similar of Map.groupBy(ranges, ({ size, fromEnd }) => `${size} ${fromEnd}`).values()) {
        const embeds = await readSimilarRanges(similar, similar[0] as RangeQuery);
        for (const [i, range] of similar.entries()) results.set(range, embeds[i] ?? []);
      }
      return ranges.map((range) => results.get(range) ?? []);
    },

    async readCounts(accountIds) {
      const rows = await mapDatabaseErrors(() =>
        client.$queryRaw<{ readonly id: string; readonly embedCount: number }[]>(sql.readCounts(accountIds)),
      );
      const counts = new Map(rows.map(({ id, embedCount }) => [id, embedCount]));
      return accountIds.map((id) => counts.get(id) ?? 0);
    },

    async insert(embeds) {
      const insert = () => mapDatabaseErrors(() => client.$executeRaw(sql.insert(embeds)));
      const { makeRoom } = sql;
      await insert().catch(async (error) => {
        if (!makeRoom || !isPrimaryKeyTaken(error)) throw error;
        for (const { id } of embeds) await mapDatabaseErrors(() => client.$executeRaw(makeRoom(id, embeds.length)));
        await insert();
      });
      return embeds;
    },
  };
}
