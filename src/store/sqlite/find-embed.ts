import BetterSqlite3 from 'better-sqlite3';
import type { Embed } from '../../domain/embed/embed.ts';
import { FIELDS as DECLARED, type Field } from '../../domain/embed/fields.ts';
import { databaseUnavailable } from '../database-errors.ts';
import { FIELDS } from '../embeds/sql.ts';
import { reasonOfSqliteCode } from './errors.ts';
import type { HealthMonitor } from './health.ts';

type Column = string | number;

/** Conversions of the values that SQLite stores with another type. No field of an embed is null. */
const CONVERSIONS: { readonly [Type in Field['type']]?: (stored: Column) => Date | boolean } = {
  instant: (text) => new Date(text),
  boolean: (number) => number !== 0,
};

const DECLARED_FIELDS: Readonly<Record<string, Field | undefined>> = DECLARED;
const CONVERTED = FIELDS.flatMap((name) => {
  const type = DECLARED_FIELDS[name]?.type;
  const convert = type && CONVERSIONS[type];
  return convert ? [{ name, convert }] : [];
});

/**
 * Creates a function that reads an embed by its id, at once. The row is in memory more often than not, and Prisma and a batch
 * take three times as long as SQLite.
 */
export function createFindEmbed(
  connection: BetterSqlite3.Database,
  health: HealthMonitor,
): (id: string) => Embed | null {
  const columns = FIELDS.map((field) => `"${field}"`).join(', ');
  // not `connection.prepare`, which is Prisma's (reusePreparedStatements), nor its integers, which are bigints
  const statement = BetterSqlite3.prototype.prepare
    .call(connection, `SELECT ${columns} FROM "Embed" WHERE "id" = ?`)
    .safeIntegers(false);
  return (id) => {
    try {
      const row = statement.get(id) as Record<string, unknown> | undefined;
      if (!row) return null;
      for (const { name, convert } of CONVERTED) row[name] = convert(row[name] as Column);
      return row as unknown as Embed;
    } catch (error) {
      // a request may outlive the grace of a stop
      if (!connection.open) throw databaseUnavailable('unreachable');
      if (!(error instanceof BetterSqlite3.SqliteError)) throw error;
      health.report(error.code, error.message);
      const reason = reasonOfSqliteCode(error.code);
      throw reason ? databaseUnavailable(reason) : error;
    }
  };
}
