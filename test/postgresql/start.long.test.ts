import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { findSchemaDrift } from '../../prisma/schema-engine/drift.ts';
import { ScratchPostgresql } from '../../prisma/schema-engine/postgresql-adapter.ts';
import { migrateDatabase, openDatabase } from '../../src/store/database.ts';
import { knownMigrations } from '../../src/store/prisma/migrations.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { newDatabase, newEmptyPostgresql, newPostgresql, openRaw } from '../databases/database.ts';
import { undoHashedLists } from '../databases/earlier-schema.ts';
import { SILENT_LOG } from '../databases/server.ts';
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
  expect(await findSchemaDrift(new ScratchPostgresql(await newEmptyPostgresql()))).toBeNull();
});

test('of several processes that migrate at once, one does, and it compares keys as bytes, whatever the collation', async () => {
  const url = await newEmptyPostgresql();
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(url, SILENT_LOG)));
  const known = knownMigrations('postgres');
  expect(applied.flat()).toEqual(known);
  const raw = await openRaw(url);
  expect(await raw.query('SELECT migration_name FROM _prisma_migrations')).toHaveLength(known.length);
  const keys = await raw.query(`
    SELECT c.relname || '.' || a.attname AS name, co.collname AS collation
    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey)
    JOIN pg_collation AS co ON co.oid = a.attcollation
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'`);
  expect(keys.length).toBeGreaterThan(8);
  expect(keys.filter(({ collation }) => collation !== 'C')).toEqual([]);
});

test('the first migration of a database that is killed is continued as that of a new one, which no earlier release uses', async () => {
  const url = await newEmptyPostgresql();
  const killed = run('src/main.ts', ['migrate'], { DATABASE_URL: url });
  await expect.poll(killed.stderr, { interval: 5 }).toContain('applied a migration');
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(await migrateDatabase(url, SILENT_LOG)).toContainEqual(expect.stringMatching(/_contract$/));
  expect(await migrateDatabase(url, SILENT_LOG)).toEqual([]);
});

test('a new database whose first migration was killed at its very end is contracted only by the option', async () => {
  const url = await newEmptyPostgresql();
  const info = ({ migration }: { readonly migration?: string }) => {
    if (migration === knownMigrations('postgres').at(-1)) throw new Error('killed');
  };
  await expect(migrateDatabase(url, { ...SILENT_LOG, info })).rejects.toThrow('killed');
  // gateways may have used the database since
  await (await openAt(url)).ping();
  await undoHashedLists(await openRaw(url));
  expect(await migrateDatabase(url, SILENT_LOG)).not.toContainEqual(expect.stringMatching(/_contract$/));
});

test('the service refuses a database without migrations, and names the command that applies them', async () => {
  const DATABASE_URL = await newEmptyPostgresql();
  const refused = await runInProcess('serve', [], { DATABASE_URL, LOG_LEVEL: 'silent' });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ is empty: run "npx embed-gateway migrate"/),
  });
  const migrated = await runInProcess('migrate', [], { DATABASE_URL });
  expect(migrated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Applied \d+ migrations\.\n$/) });
  expect(await runInProcess('migrate', [], { DATABASE_URL })).toEqual({
    code: 0,
    stdout: 'The database has all migrations.\n',
    stderr: '',
  });
  await openAt(DATABASE_URL);
  const raw = await openRaw(DATABASE_URL);
  await raw.query(`DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_audit_events'`);
  await expect(openDatabase(DATABASE_URL)).rejects.toThrow(
    /lacks the migration \d+_audit_events: run "npx embed-gateway/,
  );
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

  await (await openRaw(url)).query('CREATE TABLE recipes (id int)');
  await expect(openDatabase(url)).rejects.toThrow(line('belongs to another program'));
  const migrated = await newPostgresql();
  const raw = await openRaw(migrated);
  await raw.query(`INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name)
    VALUES ('x', 'x', now(), '29990101000000_future')`);
  // a later release only adds, until it contracts
  await openAt(migrated);
  await raw.query(`UPDATE _prisma_migrations SET migration_name = '29990101000000_contract' WHERE id = 'x'`);
  await expect(openDatabase(migrated)).rejects.toThrow(line('is newer than this version.*29990101000000_contract'));
});

test('a gateway that cannot reach its database ends with one line', async () => {
  const url = `postgresql://embeds:a-secret@127.0.0.1:${await findFreePort()}/embeds`;
  const { code, stdout, stderr } = await runInProcess('serve', [], { DATABASE_URL: url, LOG_LEVEL: 'silent' });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^The database embeds at 127\.0\.0\.1:\d+ cannot be reached: .*\n$/);
  expect(stderr).not.toContain('a-secret');
});

test('a first start that cannot write its token ends with one line', async () => {
  const url = new URL(await newDatabase());
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
    '// Written by ../derive.ts from ../schema.prisma. Edit that file instead.',
    '  output              = "../../src/generated/postgresql"',
    '  provider = "postgresql"',
    // SQLite has lists in a full-text index
    '  id         String    @id',
    '  /// A number that PostgreSQL computes from the id. It sorts like the id, but embeds of one millisecond may share it.',
    '  rank       BigInt    @default(dbgenerated())',
    '  /// Indexes of expressions have all lists (see the migration `hashed_lists`).',
  ]);
});
