import type pg from 'pg';
import type { Embed } from '../../../domain/embed/embed.ts';
import { ID_DIGITS } from '../../../domain/embed/id.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { createBatcher } from '../../performance/batcher.ts';
import { hasRelation, transact } from '../connection.ts';
import type { EmbedKey, Statements } from '../statements.ts';

/** The accounts of embeds whose ids do not name them: older versions made them, and `embed-gateway copy` brought them here. */
const OLD_IDS = `
  CREATE TABLE "OldEmbedId" (
    "id" TEXT COLLATE "C" NOT NULL, "accountId" TEXT COLLATE "C" NOT NULL, PRIMARY KEY ("id", "accountId")
  )`;
export const OLD_IDS_TABLE = 'OldEmbedId';

/** The last characters of the ids of an account, as `accountCodeOf` computes them. */
const CODE_OF_ACCOUNT = [27, 22]
  .map((shift) => `substr('${ID_DIGITS}', ((hashtext("accountId") >> ${shift}) & 31) + 1, 1)`)
  .join(' || ');

/** Creates the table of old ids. Reads all embeds if a version without it has distributed the database. */
export async function installIdLookup(connection: pg.Client): Promise<void> {
  if (await hasIdLookup(connection)) return;
  await transact(connection, 'BEGIN', async () => {
    await connection.query(OLD_IDS);
    await connection.query(
      `INSERT INTO "${OLD_IDS_TABLE}" SELECT "id", "accountId" FROM "Embed" WHERE right("id", 2) <> ${CODE_OF_ACCOUNT}`,
    );
  });
}

export function hasIdLookup(connection: pg.Client): Promise<boolean> {
  return hasRelation(connection, OLD_IDS_TABLE);
}

/** Creates what finds embeds whose ids do not name their accounts. @param query runs a statement */
export function createOldIdLookup(query: Statements['all']) {
  const readAccounts = createBatcher(async (ids: readonly string[]) => {
    const rows = await query<Pick<Embed, 'id' | 'accountId'>>(
      Prisma.sql`SELECT "id", "accountId" FROM "OldEmbedId" WHERE "id" = ANY(${[...ids]}::text[])`,
    );
    const byId = Map.groupBy(rows, ({ id }) => id);
    return ids.map((id) => byId.get(id)?.map(({ accountId }) => accountId) ?? []);
  });

  return async (id: string, read: (key: EmbedKey) => Promise<Embed | null>): Promise<Embed | null> => {
    for (const accountId of await readAccounts(id)) {
      const embed = await read({ id, accountId });
      if (embed) return embed;
    }
    return null;
  };
}

export function insertOldIds(embeds: readonly Pick<Embed, 'id' | 'accountId'>[]): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO "OldEmbedId" SELECT * FROM unnest(
      ${embeds.map(({ id }) => id)}::text[], ${embeds.map(({ accountId }) => accountId)}::text[]
    ) ON CONFLICT DO NOTHING`;
}
