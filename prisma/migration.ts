/**
 * Writes the next migration of each database: the SQL between the existing migrations and the model. Starts a temporary
 * PostgreSQL server.
 *
 *   npm run migration -- add_title_index
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPostgresqlServer } from '../test/databases/embedded.ts';
import { findSchemaDrift, writeMigration } from './schema-engine/drift.ts';
import { ScratchPostgresql } from './schema-engine/postgresql-adapter.ts';
import { ScratchSqlite } from './schema-engine/sqlite-adapter.ts';

const [name = ''] = process.argv.slice(2);
if (!/^[a-z0-9_]{1,60}$/.test(name)) {
  console.error('The name must be 1 to 60 lower-case letters, digits and underscores, such as add_title_index.');
  process.exit(1);
}

const server = await openPostgresqlServer();
try {
  for (const scratch of [new ScratchSqlite(), new ScratchPostgresql(server.urlOf('postgres'))]) {
    const folder = await writeMigration(scratch, name);
    console.log(folder ? `Wrote ${folder}. Read it before you commit it.` : `No changes for ${scratch.provider}.`);
    if (folder && scratch.provider === 'sqlite') await avoidRedefinition(join(folder, 'migration.sql'), scratch);
  }
} finally {
  await server.close();
}

/**
 * Prisma adds a required column on SQLite by copying the whole table, which loses its triggers. Replaces that by
 * `ALTER TABLE … ADD COLUMN` if the result is the same.
 */
async function avoidRedefinition(file: string, scratch: ScratchSqlite): Promise<void> {
  const sql = await readFile(file, 'utf8');
  if (!sql.includes('-- RedefineTables')) return;
  await writeFile(file, addColumns(sql));
  if ((await findSchemaDrift(scratch)) === null) return;
  await writeFile(file, sql);
  console.warn('It redefines a table: append the CREATE TRIGGER statements of that table from the earlier migrations.');
}

/** Returns statements that add the new columns of redefined tables. */
function addColumns(sql: string): string {
  const redefinition = /CREATE TABLE "new_(\w+)" \(\n([^;]*?)\n\);\nINSERT INTO "new_\w+" \(([^)]*)\)/g;
  const added = [...sql.matchAll(redefinition)].flatMap(([, table, definitions = '', copied = '']) => {
    const isNew = (definition: string) => {
      const column = /^"\w+"/.exec(definition)?.[0];
      return column !== undefined && !copied.split(', ').includes(column);
    };
    const lines = definitions.split('\n').map((line) => line.trim().replace(/,$/, ''));
    return lines.filter(isNew).map((definition) => `ALTER TABLE "${table}" ADD COLUMN ${definition};`);
  });
  return `-- AlterTable\n${added.join('\n')}\n`;
}
