import { PrismaClient } from '../generated/prisma/client.ts';
import { type EmbedStore, openEmbeds } from './embeds.ts';
import { migrate } from './migrations.ts';
import { openPages, type PageStore } from './pages.ts';
import { DurableSqlite, prepareSqliteFile } from './sqlite.ts';
import { openTokens, type TokenStore } from './tokens.ts';

/** Everything that is kept. One for a file in one process: two would block each other. */
export interface Database {
  readonly embeds: EmbedStore;
  readonly tokens: TokenStore;
  readonly pages: PageStore;
  /** The migrations that the opening applied. */
  readonly appliedMigrations: readonly string[];
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the database in a SQLite file and brings it to the newest migration.
 * @param file absolute path; the file and its folder are made when missing
 * @throws {DatabaseError} when it cannot be used, with the reason in one line
 */
export async function openDatabase(file: string): Promise<Database> {
  const factory = new DurableSqlite(file);
  const appliedMigrations = await migrate(factory, prepareSqliteFile(file));
  const client = new PrismaClient({ adapter: factory });
  await client.$connect();
  return {
    embeds: openEmbeds(client),
    tokens: openTokens(client),
    pages: openPages(client),
    appliedMigrations,
    async ping() {
      await client.$queryRaw`SELECT 1`;
    },
    close: () => client.$disconnect(),
  };
}
