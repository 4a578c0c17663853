import type { Embed } from '../domain/embed.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import { attempt } from './failure.ts';

/**
 * What many ask for at once, in one statement each. The asks travel as one JSON text, so that a statement reads the
 * same however many they are, and is prepared once.
 */

const FIELDS = Object.keys(Prisma.EmbedScalarFieldEnum) as (keyof Embed)[];
const COLUMNS = Prisma.raw(FIELDS.map((field) => `"${field}"`).join(', '));
const EMBED_COLUMNS = Prisma.raw(FIELDS.map((field) => `e."${field}"`).join(', '));
const VALUES = Prisma.raw(FIELDS.map((_, i) => `value->>${i}`).join(', '));

/** The embeds with these ids, whoever's they are. */
export async function readEmbeds(client: PrismaClient, ids: readonly string[]): Promise<readonly (Embed | null)[]> {
  const embeds = await attempt(
    () => client.$queryRaw<Embed[]>`
      SELECT ${EMBED_COLUMNS} FROM json_each(${JSON.stringify(ids)}) AS ask
      CROSS JOIN "Embed" AS e ON e."id" = ask.value`,
  );
  const byId = new Map(embeds.map((embed) => [embed.id, embed]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** Part of an account's embeds: those between two ids, neither included, up to so many from one end. */
export interface Stretch {
  readonly accountId: string;
  readonly olderThan: string;
  readonly newerThan: string;
  readonly size: number;
  /** Whether they are counted from the oldest one, not from the newest. */
  readonly fromEnd: boolean;
}

/** The embeds of each stretch, in the order in which they are counted. */
export async function readStretches(
  client: PrismaClient,
  stretches: readonly Stretch[],
): Promise<readonly (readonly Embed[])[]> {
  const answers = new Map<Stretch, readonly Embed[]>();
  for (const alike of Map.groupBy(stretches, ({ size, fromEnd }) => `${size} ${fromEnd}`).values()) {
    const found = await readAlike(client, alike, alike[0] as Stretch);
    for (const [i, stretch] of alike.entries()) answers.set(stretch, found[i] ?? []);
  }
  return stretches.map((stretch) => answers.get(stretch) ?? []);
}

interface Placed extends Embed {
  /** Whose answer it belongs to. */
  readonly ask: bigint;
}

/** Stretches of one size and one direction: SQLite takes neither from a row. */
async function readAlike(
  client: PrismaClient,
  stretches: readonly Stretch[],
  { size, fromEnd }: Pick<Stretch, 'size' | 'fromEnd'>,
): Promise<readonly Embed[][]> {
  const asks = stretches.map(({ accountId, olderThan, newerThan }) => [accountId, olderThan, newerThan]);
  const direction = Prisma.raw(fromEnd ? 'ASC' : 'DESC');
  const rows = await attempt(
    () => client.$queryRaw<Placed[]>`
      SELECT ask.key AS "ask", ${EMBED_COLUMNS} FROM json_each(${JSON.stringify(asks)}) AS ask
      CROSS JOIN "Embed" AS e ON e.rowid IN (
        SELECT rowid FROM "Embed"
        WHERE "accountId" = ask.value->>0 AND "id" < ask.value->>1 AND "id" > ask.value->>2
        ORDER BY "id" ${direction} LIMIT ${size}
      )`,
  );
  const answers = stretches.map((): Embed[] => []);
  for (const { ask, ...embed } of rows) answers[Number(ask)]?.push(embed);
  const sign = fromEnd ? 1 : -1;
  for (const embeds of answers) embeds.sort((a, b) => (a.id < b.id ? -sign : sign));
  return answers;
}

/** How many embeds these accounts have. */
export async function readCounts(client: PrismaClient, accountIds: readonly string[]): Promise<readonly number[]> {
  const rows = await attempt(
    () => client.$queryRaw<{ readonly id: string; readonly embedCount: number }[]>`
      SELECT "id", "embedCount" FROM "Account" WHERE "id" IN (SELECT value FROM json_each(${JSON.stringify(accountIds)}))`,
  );
  const counts = new Map(rows.map(({ id, embedCount }) => [id, embedCount]));
  return accountIds.map((id) => counts.get(id) ?? 0);
}

/** Writes new embeds: all of them, or none. */
export async function insertEmbeds(client: PrismaClient, embeds: readonly Embed[]): Promise<readonly Embed[]> {
  const rows = embeds.map((embed) => FIELDS.map((field) => stored(embed[field])));
  await attempt(
    () => client.$executeRaw`
      INSERT INTO "Embed" (${COLUMNS}) SELECT ${VALUES} FROM json_each(${JSON.stringify(rows)})`,
  );
  return embeds;
}

/** A value as Prisma's adapter writes it. */
function stored(value: Embed[keyof Embed]): string | number | boolean {
  return value instanceof Date ? value.toISOString().replace('Z', '+00:00') : value;
}
