import BetterSqlite3 from 'better-sqlite3';
import type { Embed } from '../../domain/embed/embed.ts';
import { FIELDS, type Field } from '../../domain/embed/fields.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { DatabaseUnavailable } from '../database-errors.ts';
import type { EmbedDriver } from '../embeds/driver.ts';
import { STORED_FIELDS } from '../embeds/sql.ts';
import { mapDatabaseErrors } from '../prisma/errors.ts';
import { reasonOfSqliteCode } from './errors.ts';
import type { HealthMonitor } from './health.ts';

/** Each size of a batch of ids, and each combination of filters, is a text of its own. */
const MAX_STATEMENTS = 200;

type Column = string | number;

/** Conversions of the values that SQLite stores with another type. */
const CONVERSIONS: { readonly [Type in Field['type']]?: (stored: Column) => Date | boolean } = {
  instant: (text) => new Date(text),
  boolean: (number) => number !== 0,
};

const DECLARED_FIELDS: Readonly<Record<string, Field | undefined>> = FIELDS;

interface Prepared {
  readonly statement: BetterSqlite3.Statement;
  readonly converted: readonly { readonly name: string; readonly convert: (stored: Column) => Date | boolean }[];
}

const FIND = `SELECT ${STORED_FIELDS.map((field) => `"${field}"`).join(', ')} FROM "Embed" WHERE "id" = ?`;

/** Reads at once, on the connection of Prisma. SQLite itself prepares a statement again after a change of the schema. */
export function openSqliteDriver(connection: BetterSqlite3.Database, health: HealthMonitor): EmbedDriver {
  const prepared = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= MAX_STATEMENTS) prepared.clear();
    // Prisma's adapter reads integers as bigints
    const statement = connection.prepare(sql).safeIntegers(false);
    const columns = statement.reader ? statement.columns() : [];
    const converted = columns.flatMap(({ name }) => {
      const type = DECLARED_FIELDS[name]?.type;
      const convert = type && CONVERSIONS[type];
      return convert ? [{ name, convert }] : [];
    });
    const created = { statement, converted };
    prepared.set(sql, created);
    return created;
  }

  function query(sql: string, values: readonly unknown[]): readonly object[] {
    try {
      const { statement, converted } = prepare(sql);
      const rows = statement.all(values.map(toSqlite)) as Record<string, unknown>[];
      for (const { name, convert } of converted) {
        for (const row of rows) if (row[name] !== null) row[name] = convert(row[name] as Column);
      }
      return rows;
    } catch (error) {
      // a request may outlive the grace of a stop
      if (!connection.open) throw new DatabaseUnavailable('unreachable');
      if (!(error instanceof BetterSqlite3.SqliteError)) throw error;
      health.report(error.code, error.message);
      const reason = reasonOfSqliteCode(error.code);
      throw reason ? new DatabaseUnavailable(reason) : error;
    }
  }

  /** Prisma's adapter would prepare the insert and its triggers each time, which takes longer than running them. */
  const run = async ({ sql, values }: Prisma.Sql) => {
    if (!connection.open) throw new DatabaseUnavailable('unreachable');
    return mapDatabaseErrors(() =>
      health.run(true, async () => prepare(sql).statement.run(values.map(toSqlite)).changes),
    );
  };

  const all = <Row extends object>({ sql, values }: Prisma.Sql) => query(sql, values) as readonly Row[];
  return {
    all,
    allShared: all,
    run,
    find: (id) => (query(FIND, [id])[0] as Embed | undefined) ?? null,
  };
}

function toSqlite(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}
