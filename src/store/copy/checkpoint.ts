import { DatabaseError } from '../database-errors.ts';
import type { Engine } from '../engine.ts';

/** The table in the target of an unfinished copy. It names the source. */
const TABLE = '_copy';

/** @returns the source; null if there is no unfinished copy, undefined if the copy ended before it wrote its source */
export async function findCheckpoint({
  client,
  hasTable,
}: Pick<Engine, 'client' | 'hasTable'>): Promise<string | null | undefined> {
  if (!(await hasTable(TABLE))) return null;
  const [row] = await client.$queryRaw<{ source: string }[]>`SELECT "source" FROM "_copy"`;
  return row?.source;
}

export async function refuseUnfinishedCopy(engine: Engine): Promise<void> {
  const source = await findCheckpoint(engine);
  if (source === null) return;
  throw new DatabaseError(
    `The database has an unfinished copy of ${source ?? 'another database'}: run the same "npx embed-gateway copy" again to continue it, or use another database.`,
  );
}

export async function writeCheckpoint({ client }: Engine, source: string): Promise<void> {
  await client.$executeRaw`CREATE TABLE IF NOT EXISTS "_copy" ("source" TEXT NOT NULL)`;
  await client.$executeRaw`INSERT INTO "_copy" ("source") VALUES (${source})`;
}

export async function removeCheckpoint({ client }: Engine): Promise<void> {
  await client.$executeRaw`DROP TABLE "_copy"`;
}
