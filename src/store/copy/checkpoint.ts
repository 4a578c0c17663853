import { Prisma } from '../../generated/prisma/client.ts';
import { DatabaseError } from '../database-errors.ts';
import type { Engine, Query } from '../engine.ts';

/** The table in the target of an unfinished copy. It names the source. */
export const COPY_TABLE = '_copy';

/**
 * @param findTable selects a row if there is the table {@link COPY_TABLE}
 * @returns the source; null if there is no unfinished copy, undefined if the copy ended before it wrote its source
 */
export async function readCheckpoint(query: Query, findTable: Prisma.Sql): Promise<string | null | undefined> {
  if ((await query(findTable)).length === 0) return null;
  const [row] = await query<{ source: string }>(Prisma.sql`SELECT "source" FROM "_copy"`);
  return row?.source;
}

export function refuseUnfinishedCopy({ checkpoint }: Engine): void {
  if (checkpoint === null) return;
  throw new DatabaseError(
    `The database has an unfinished copy of ${checkpoint ?? 'another database'}: run the same "npx embed-gateway copy" again to continue it, or use another database.`,
  );
}

export async function writeCheckpoint({ client }: Engine, source: string): Promise<void> {
  await client.$executeRaw`CREATE TABLE IF NOT EXISTS "_copy" ("source" TEXT NOT NULL)`;
  await client.$executeRaw`INSERT INTO "_copy" ("source") VALUES (${source})`;
}

export async function removeCheckpoint({ client }: Engine): Promise<void> {
  await client.$executeRaw`DROP TABLE "_copy"`;
}
