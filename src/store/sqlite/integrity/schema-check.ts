import BetterSqlite3 from 'better-sqlite3';
import { DatabaseError } from '../../database-errors.ts';
import { readMigration } from '../../prisma/migrations.ts';

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

type Schema = ReadonlyMap<string, SchemaObject>;

/** Names of migrations, oldest first. */
export interface Migrations {
  readonly applied: readonly string[];
  readonly known: readonly string[];
}

/** Allows additions by an operator. Takes milliseconds. A missing trigger, for example, would make totals wrong. */
export function findSchemaFault(database: BetterSqlite3.Database, { applied, known }: Migrations): string | null {
  const repeated = applied.find((name, i) => applied.indexOf(name) !== i);
  if (repeated !== undefined) return `it has the migration ${repeated} twice`;
  const found = schemaOf(database);
  const expected = schemaAfter(applied);
  if (typeof expected === 'string') return `it has the migration ${expected} without an earlier one`;
  for (const { type, name, sql } of expected.values()) {
    const object = found.get(name);
    if (!object) return `it lacks the ${type} ${name}`;
    if (object.sql !== sql) return `its ${type} ${name} differs from the one that the migrations create`;
  }
  if (applied.length === known.length) return null;
  const later = schemaAfter(known);
  const early = [...found.values()].find(
    ({ name }) => !expected.has(name) && typeof later !== 'string' && later.has(name),
  );
  return early ? `it has the ${early.type} ${early.name} without the migration that creates it` : null;
}

/** Rejects additions to our tables, such as triggers, which could change or reject writes. */
export function requireNoAdditions(database: BetterSqlite3.Database, file: string, applied: readonly string[]): void {
  const expected = schemaAfter(applied);
  if (typeof expected === 'string') return;
  for (const { type, name, table } of schemaOf(database).values()) {
    if (name === '_copy')
      throw new DatabaseError(`The database ${file} is an unfinished copy of another database: use a complete one.`);
    if (expected.has(name) || !expected.has(table)) continue;
    throw new DatabaseError(
      `The database ${file} has the ${type} ${name} on ${table}, which is not one of ours: remove it with DROP ${type.toUpperCase()} "${name}".`,
    );
  }
}

/** Applies migrations to an empty database; returns its schema, or the name of the first migration that fails. */
function schemaAfter(migrations: readonly string[]): Schema | string {
  const model = new BetterSqlite3(':memory:');
  try {
    for (const name of migrations) {
      try {
        model.exec(readMigration('sqlite', name));
      } catch {
        return name;
      }
    }
    return schemaOf(model);
  } finally {
    model.close();
  }
}

function schemaOf(database: BetterSqlite3.Database): Schema {
  const objects = database
    .prepare<[], SchemaObject>(
      `SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema
       WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> '_prisma_migrations'`,
    )
    .all();
  // line ends depend on the checkout
  return new Map(objects.map((object) => [object.name, { ...object, sql: object.sql.replace(/\s+/g, ' ') }]));
}
