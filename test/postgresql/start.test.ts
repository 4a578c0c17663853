import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { findSchemaDrift, knownMigrations } from '../../src/store/prisma/migrate.ts';
import { MigratingPostgresql } from '../../src/store/prisma/postgresql-migration-adapter.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { newEmptyPostgresql, openRaw } from '../databases/database.ts';
import { findFreePort } from '../free-port.ts';
import { run } from '../process/run.ts';

/** A server may let local users in without a password. */
async function checksPasswords(url: string): Promise<boolean> {
  const other = Object.assign(new URL(url), { password: 'wrong' });
  const connection = new pg.Client(other.href);
  const isRejected = await connection.connect().then(
    () => false,
    () => true,
  );
  await connection.end();
  return isRejected;
}

async function openAt(url: string) {
  const database = await openDatabase(url);
  onTestFinished(() => database.close());
  return database;
}

test('the migrations create the schema of the model', async () => {
  expect(await findSchemaDrift(new MigratingPostgresql(await newEmptyPostgresql()))).toBeNull();
});

test('keys are compared as bytes, whatever the collation of the database', async () => {
  const url = await newEmptyPostgresql();
  await openAt(url);
  const keys = await (await openRaw(url)).query(`
    SELECT c.relname || '.' || a.attname AS name, co.collname AS collation
    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey)
    JOIN pg_collation AS co ON co.oid = a.attcollation
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'`);
  expect(keys.length).toBeGreaterThan(8);
  expect(keys.filter(({ collation }) => collation !== 'C')).toEqual([]);
});

test('of several gateways that start at once, one migrates and the others wait', async () => {
  const url = await newEmptyPostgresql();
  const opened = await Promise.all(Array.from({ length: 8 }, () => openAt(url)));
  const known = knownMigrations('postgres');
  expect(opened.flatMap(({ appliedMigrations }) => appliedMigrations)).toEqual(known);
  const rows = await (await openRaw(url)).query('SELECT migration_name FROM _prisma_migrations');
  expect(rows).toHaveLength(known.length);
});

test('opening a database that cannot be used fails with one line, without the password', async () => {
  const url = await newEmptyPostgresql();
  const changed = (change: (url: URL) => void) => {
    const other = new URL(url);
    change(other);
    return openDatabase(other.href);
  };
  const line = (reason: string) => new RegExp(`^The database \\w+ at [\\w.:]+ ${reason}[^\\n]*$`);
  const port = await findFreePort();
  await expect(changed((other) => Object.assign(other, { port }))).rejects.toThrow(
    line('cannot be reached: .*REFUSED'),
  );
  if (await checksPasswords(url)) {
    await expect(changed((other) => Object.assign(other, { password: 'wrong-secret' }))).rejects.toThrow(
      line('does not let the service in: (?!.*wrong-secret)'),
    );
  } else console.warn('The check of a wrong password is skipped: the server accepts any.');
  await expect(changed((other) => Object.assign(other, { pathname: '/nope' }))).rejects.toThrow(
    line('does not let the service in: database "nope" does not exist'),
  );

  const raw = await openRaw(url);
  await raw.query('CREATE TABLE recipes (id int)');
  await expect(openDatabase(url)).rejects.toThrow(line('belongs to another program'));
  await raw.query('DROP TABLE recipes');
  await (await openAt(url)).close();
  await raw.query(`INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name)
    VALUES ('x', 'x', now(), '29990101000000_future')`);
  await expect(openDatabase(url)).rejects.toThrow(line('is newer than this version.*29990101000000_future'));
  await raw.query(`DELETE FROM _prisma_migrations WHERE id = 'x'`);
  await raw.query('UPDATE _prisma_migrations SET finished_at = NULL');
  await expect(openDatabase(url)).rejects.toThrow(line('is half-migrated: \\d+_init did not finish'));
});

test('a gateway that cannot reach its database ends with one line', async () => {
  const url = `postgresql://embeds:a-secret@127.0.0.1:${await findFreePort()}/embeds`;
  const service = run('src/main.ts', [], {
    DATABASE_URL: url,
    PORT: String(await findFreePort()),
    LOG_LEVEL: 'silent',
  });
  expect(await service.ended).toBe(1);
  expect(service.stderr()).toMatch(/^The database embeds at 127\.0\.0\.1:\d+ cannot be reached: .*\n$/);
  expect(service.stdout() + service.stderr()).not.toContain('a-secret');
});

test('a first start that cannot write its token ends with one line', async () => {
  const url = new URL(await newEmptyPostgresql());
  await openAt(url.href);
  // like a standby
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const service = run('src/main.ts', [], { DATABASE_URL: url.href, PORT: String(await findFreePort()) });
  expect(await service.ended).toBe(1);
  expect(service.stderr()).toBe('The database cannot be written at this moment; try again.\n');
});

test('backup and restore name the alternatives for PostgreSQL', async () => {
  const { code, stderr } = await runInProcess('backup', ['x.db'], { DATABASE_URL: inject('postgresql')?.[0] ?? '' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^This is for SQLite files\. .*pg_dump.*\n$/);
});

test('the models of PostgreSQL and SQLite differ only in the engine and the index of embeds', () => {
  const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n');
  const source = linesOf('prisma/schema.prisma');
  const derived = linesOf('prisma/postgresql/schema.prisma');
  expect(derived.filter((line) => !source.includes(line))).toEqual([
    '// Written by ../derive.ts from ../schema.prisma: change that.',
    '  output              = "../../src/generated/postgresql"',
    '  provider = "postgresql"',
    // SQLite has these lists in a full-text index
    '  id         String    @id',
    "  /// Pages of an account's list, in either direction; of all, and of those that are alike.",
    '  @@index([accountId, id])',
    '  @@index([accountId, pageId, id])',
    '  @@index([accountId, mode, id])',
    '  @@index([accountId, font, mode, id])',
  ]);
});
