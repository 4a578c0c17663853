import type { Engine } from '../engine.ts';
import { DatabaseError } from '../open-options.ts';

/** A table in the target of a copy, for as long as it is not whole: it says where the copy comes from. */
const TABLE = '_copy';

/** The source of the unfinished copy in a database; null when there is none. */
export async function findCheckpoint({
  client,
  hasTable,
}: Pick<Engine, 'client' | 'hasTable'>): Promise<string | null> {
  if (!(await hasTable(TABLE))) return null;
  const [mark] = await client.$queryRaw<{ source: string }[]>`SELECT "source" FROM "_copy"`;
  return mark?.source ?? null;
}

/** @throws {DatabaseError} when a database has an unfinished copy: nobody may use it */
export async function refuseUnfinishedCopy(engine: Engine): Promise<void> {
  const source = await findCheckpoint(engine);
  if (source === null) return;
  throw new DatabaseError(
    `The database has an unfinished copy of ${source}: give the same "npm run copy" again, which goes on where it was, or use another database.`,
  );
}

export async function writeCheckpoint({ client }: Engine, source: string): Promise<void> {
  await client.$executeRaw`CREATE TABLE IF NOT EXISTS "_copy" ("source" TEXT NOT NULL)`;
  await client.$executeRaw`INSERT INTO "_copy" ("source") VALUES (${source})`;
}

/** To be called when all is there and has been compared. */
export async function removeCheckpoint({ client }: Engine): Promise<void> {
  await client.$executeRaw`DROP TABLE "_copy"`;
}
