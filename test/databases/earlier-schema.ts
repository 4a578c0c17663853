import { readMigration } from '../../src/store/prisma/migrations.ts';
import type { Raw } from './database.ts';

/** Undoes the migrations of the lists on PostgreSQL, so that the database has the schema of an earlier release. */
export async function undoHashedLists(raw: Raw): Promise<void> {
  const [trigger = ''] =
    /CREATE OR REPLACE FUNCTION.*?\n\$\$;/s.exec(readMigration('postgres', '20261121094353_find_embeds')) ?? [];
  for (const sql of [
    trigger,
    'DROP TRIGGER "Embed_rank" ON "Embed"',
    'DROP FUNCTION "Embed_rank", "Embed_rank_of"',
    'ALTER TABLE "Embed" DROP COLUMN "rank"',
    'ALTER TABLE "EmbedTerm" DROP COLUMN "rank", DROP COLUMN "termHash"',
    'DROP INDEX "EmbedTerm_accountId_term_idx"',
    'ALTER TABLE "EmbedTerm" REPLICA IDENTITY DEFAULT',
    'ALTER TABLE "EmbedTerm" ADD CONSTRAINT "EmbedTerm_pkey" PRIMARY KEY ("accountId", "term", "embedId")',
    'CREATE INDEX "Embed_accountId_id_idx" ON "Embed"("accountId", "id")',
    `DELETE FROM "_prisma_migrations" WHERE "migration_name" ~ '_(hashed_lists|hashed_lists_contract|fill_words)$'`,
  ]) {
    await raw.query(sql);
  }
}
