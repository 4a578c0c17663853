import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, type SqlDriverAdapter, type SqlQuery } from '@prisma/driver-adapter-utils';
import { connectionConfigOf } from '../postgresql/connection.ts';

/** The types "char" and text (pg_type.dat). */
const CHAR_OID = 18;
const TEXT_OID = 25;

interface AdapterInternals {
  readonly client: { query(script: string): Promise<unknown> };
  performIO(query: SqlQuery): Promise<{ readonly fields?: { dataTypeID: number }[] }>;
}

/** Prisma's adapter for Prisma's schema engine. It has no timeouts, because the migration of a large table takes long. */
export class MigratingPostgresql extends PrismaPg {
  readonly #url: string;

  constructor(url: string, schema = 'public') {
    super(connectionConfigOf(url), { schema });
    this.#url = url;
  }

  override async connect() {
    const adapter = await super.connect();
    readSingleCharacters(adapter);
    runScriptsWhole(adapter);
    skipSessionLock(adapter);
    return adapter;
  }

  /** The adapter's shadow database is the database of the URL, with all of its tables. Can go when the adapter creates a new one. */
  override async connectToShadowDb() {
    const name = `embeds_shadow_${randomUUID()}`;
    const connection = await super.connect();
    await connection.executeScript(`CREATE DATABASE "${name}"`);
    const url = new URL(this.#url);
    url.pathname = `/${name}`;
    const shadow = await new MigratingPostgresql(url.href).connect();
    const dispose = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await dispose();
      await connection.executeScript(`DROP DATABASE "${name}"`);
      await connection.dispose();
    };
    return shadow;
  }
}

/** Reads the type "char" of PostgreSQL's catalogues as text. Can go when the adapter knows the type. */
function readSingleCharacters(adapter: SqlDriverAdapter): void {
  const { performIO } = adapter as unknown as AdapterInternals;
  const { queryRaw } = adapter;
  adapter.queryRaw = async (query) => {
    const characterColumns: number[] = [];
    // `this` of one call: the adapter, except that `performIO` collects the columns
    const collecting = Object.create(adapter) as SqlDriverAdapter & AdapterInternals;
    collecting.performIO = async (same) => {
      const result = await performIO.call(adapter, same);
      for (const [column, field] of (result.fields ?? []).entries()) {
        if (field.dataTypeID !== CHAR_OID) continue;
        field.dataTypeID = TEXT_OID;
        characterColumns.push(column);
      }
      return result;
    };
    const result = await queryRaw.call(collecting, query);
    for (const column of characterColumns) result.columnTypes[column] = ColumnTypeEnum.Character;
    return result;
  };
}

/**
 * Skips the engine's lock, which a pooler in transaction mode would leave to another session. The caller holds a lock in a
 * transaction.
 */
function skipSessionLock(adapter: SqlDriverAdapter): void {
  for (const method of ['queryRaw', 'executeRaw'] as const) {
    const run = adapter[method].bind(adapter) as (query: SqlQuery) => Promise<never>;
    const skipped = (query: SqlQuery) =>
      run(query.sql.includes('pg_advisory_lock') ? { ...query, sql: 'SELECT 1' } : query);
    Object.assign(adapter, { [method]: skipped });
  }
  const { executeScript } = adapter;
  adapter.executeScript = async (script) => {
    if (!script.includes('pg_advisory_lock')) await executeScript.call(adapter, script);
  };
}

/**
 * Runs a script as one block. The adapter splits it at every semicolon, also inside functions; that can go with
 * https://github.com/prisma/orm/pull/27510. Citus passes the whole text of a query to the workers, which accept one statement.
 */
function runScriptsWhole(adapter: SqlDriverAdapter): void {
  const { client } = adapter as unknown as AdapterInternals;
  // a pooler may give its sessions a timeout
  adapter.executeScript = async (script) =>
    void (await client.query(`SET LOCAL statement_timeout = 0;\nDO $script$ BEGIN\n${script}\nEND $script$`));
}
