import { PrismaClient } from '../generated/prisma/client.ts';
import { type Audit, openAudit } from './audit.ts';
import { type EmbedStore, openEmbeds } from './embeds.ts';
import { attempt } from './failure.ts';
import { rememberEmbeds } from './known-embeds.ts';
import { holdLock } from './lock.ts';
import { migrate } from './migrations.ts';
import { openPages, type PageStore } from './pages.ts';
import { type Durability, DurableSqlite } from './sqlite.ts';
import { prepareSqliteFile, requireSqliteFile } from './sqlite-file.ts';
import { openTokens, type TokenStore } from './tokens.ts';
import { createWatch, type OperatorLog } from './watch.ts';

/** Everything that is kept. One for a file in one process: two would block each other. */
export interface Database {
  readonly embeds: EmbedStore;
  readonly tokens: TokenStore;
  readonly pages: PageStore;
  readonly audit: Audit;
  /** The migrations that the opening applied. */
  readonly appliedMigrations: readonly string[];
  /**
   * Whether the database can do its work: reads all tables, and writes, where the last write could not be made.
   * @throws {Refusal} `unavailable`
   */
  ping(): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  readonly durability?: Durability;
  /** Told of what only the operator can mend. */
  readonly log?: OperatorLog;
}

/**
 * Opens the database in a SQLite file and brings it to the newest migration.
 * @param file absolute path; the file and its folder are made when missing
 * @throws {DatabaseError} when it cannot be used, with the reason in one line
 */
export async function openDatabase(file: string, { durability = 'full', log }: Options = {}): Promise<Database> {
  requireSqliteFile(file);
  const lock = holdLock(file);
  try {
    const applied = prepareSqliteFile(file);
    const watch = createWatch(file, log);
    const factory = new DurableSqlite(file, { durability, watch });
    const appliedMigrations = await migrate(factory, applied);
    const client = new PrismaClient({ adapter: factory });
    await client.$connect();

    return {
      embeds: rememberEmbeds(openEmbeds(client), () => factory.fileVersion()),
      tokens: openTokens(client),
      pages: openPages(client),
      audit: openAudit(file, durability, log),
      appliedMigrations,
      ping: () =>
        attempt(async () => {
          await client.$queryRaw`SELECT
            EXISTS(SELECT 1 FROM "Embed"), EXISTS(SELECT 1 FROM "Account"), EXISTS(SELECT 1 FROM "Token"),
            EXISTS(SELECT 1 FROM "IdempotentCreate"), EXISTS(SELECT 1 FROM "Page")`;
          watch.inspect();
          // a number that nobody reads: written like everything else, to the log of writes and to the disk
          if (watch.trouble !== null) await client.$executeRaw`PRAGMA user_version = 0`;
        }),
      async close() {
        await client.$disconnect();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
