import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, type SqlDriverAdapter, type SqlQuery } from '@prisma/driver-adapter-utils';
import { connectionConfigOf } from '../../src/store/postgresql/connection.ts';
import { asBlock, separateStatementsOf } from '../../src/store/postgresql/migration/script.ts';

/** The types "char" and text (pg_type.dat). */
const CHAR_OID = 18;
const TEXT_OID = 25;

interface AdapterInternals {
  readonly client: { query(script: string): Promise<unknown> };
  performIO(query: SqlQuery): Promise<{ readonly fields?: { dataTypeID: number }[] }>;
}

/** Prisma's adapter for Prisma's schema engine. */
export class ScratchPostgresql extends PrismaPg {
  readonly #url: string;

  constructor(url: string) {
    super(connectionConfigOf(url));
    this.#url = url;
  }

  override async connect() {
    const adapter = await super.connect();
    readSingleCharacters(adapter);
    runScriptsWhole(adapter);
    return adapter;
  }

  /** The adapter's shadow database is the database of the URL, with all of its tables. Can go when the adapter creates a new one. */
  override async connectToShadowDb() {
    const name = `embeds_shadow_${randomUUID()}`;
    const connection = await super.connect();
    await connection.executeScript(`CREATE DATABASE "${name}"`);
    const url = new URL(this.#url);
    url.pathname = `/${name}`;
    const shadow = await new ScratchPostgresql(url.href).connect();
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
 * Runs a migration as the service does. The adapter splits it at every semicolon, also inside functions; that can go with
 * https://github.com/prisma/orm/pull/27510.
 */
function runScriptsWhole(adapter: SqlDriverAdapter): void {
  const { client } = adapter as unknown as AdapterInternals;
  adapter.executeScript = async (script) => {
    for (const statement of separateStatementsOf(script) ?? [asBlock(script)]) await client.query(statement);
  };
}
