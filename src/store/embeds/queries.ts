import type { Embed } from '../../domain/embed/embed.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { mapDatabaseErrors } from '../database-errors.ts';
import type { EmbedSql, RangeQuery } from './sql.ts';

/** What many ask for at once, in one statement each. */
export interface EmbedQueries {
  /** The embeds with these ids, whoever's they are. */
  read(ids: readonly string[]): Promise<readonly (Embed | null)[]>;
  /** The embeds of each stretch, in the order in which they are counted. */
  readRanges(stretches: readonly RangeQuery[]): Promise<readonly (readonly Embed[])[]>;
  /** How many embeds these accounts have. */
  readCounts(accountIds: readonly string[]): Promise<readonly number[]>;
  /** Writes new embeds: all of them, or none. */
  insert(embeds: readonly Embed[]): Promise<readonly Embed[]>;
}

interface Placed extends Embed {
  /** Whose answer it belongs to. */
  readonly ask: bigint;
}

/** @param client or a transaction of it */
export function openEmbedQueries(client: Pick<PrismaClient, '$queryRaw' | '$executeRaw'>, sql: EmbedSql): EmbedQueries {
  /** Stretches of one size and one direction. */
  async function readAlike(stretches: readonly RangeQuery[], alike: RangeQuery): Promise<readonly Embed[][]> {
    const rows = await mapDatabaseErrors(() => client.$queryRaw<Placed[]>(sql.readRanges(stretches, alike)));
    const answers = stretches.map((): Embed[] => []);
    for (const { ask, ...embed } of rows) answers[Number(ask)]?.push(embed);
    const sign = alike.fromEnd ? 1 : -1;
    for (const embeds of answers) embeds.sort((a, b) => (a.id < b.id ? -sign : sign));
    return answers;
  }

  return {
    async read(ids) {
      const embeds = await mapDatabaseErrors(() => client.$queryRaw<Embed[]>(sql.read(ids)));
      const byId = new Map(embeds.map((embed) => [embed.id, embed]));
      return ids.map((id) => byId.get(id) ?? null);
    },

    async readRanges(stretches) {
      const answers = new Map<RangeQuery, readonly Embed[]>();
      for (const alike of Map.groupBy(stretches, ({ size, fromEnd }) => `${size} ${fromEnd}`).values()) {
        const found = await readAlike(alike, alike[0] as RangeQuery);
        for (const [i, stretch] of alike.entries()) answers.set(stretch, found[i] ?? []);
      }
      return stretches.map((stretch) => answers.get(stretch) ?? []);
    },

    async readCounts(accountIds) {
      const rows = await mapDatabaseErrors(() =>
        client.$queryRaw<{ readonly id: string; readonly embedCount: number }[]>(sql.readCounts(accountIds)),
      );
      const counts = new Map(rows.map(({ id, embedCount }) => [id, embedCount]));
      return accountIds.map((id) => counts.get(id) ?? 0);
    },

    async insert(embeds) {
      await mapDatabaseErrors(() => client.$executeRaw(sql.insert(embeds)));
      return embeds;
    },
  };
}
