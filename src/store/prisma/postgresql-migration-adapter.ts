import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, type SqlDriverAdapter, type SqlQuery } from '@prisma/driver-adapter-utils';
import { connectionOf } from '../postgresql/connection.ts';

/** The types "char" and text (pg_type.dat). */
const CHAR_OID = 18;
const TEXT_OID = 25;

/** What of Prisma's adapter speaks to the driver. */
interface Speaker {
  readonly client: { query(script: string): Promise<unknown> };
  performIO(query: SqlQuery): Promise<{ readonly fields?: { dataTypeID: number }[] }>;
}

/** Prisma's adapter for Prisma's schema engine: without timeouts, which a migration of a large table must not have. */
export class MigratingPostgresql extends PrismaPg {
  readonly #url: string;

  /** @param schema what the names of tables are in */
  constructor(url: string, schema = 'public') {
    super(connectionOf(url), { schema });
    this.#url = url;
  }

  override async connect() {
    return mended(await super.connect());
  }

  /** Not the adapter's own: with the URL of a database, its shadow is that very database. */
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

function mended<Adapter extends SqlDriverAdapter>(adapter: Adapter): Adapter {
  const speaker = adapter as unknown as Speaker;
  const performIO = speaker.performIO.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  const characters = new WeakMap<SqlQuery, readonly number[]>();
  // catalogues have a type of single characters, which the adapter does not know
  speaker.performIO = async (query) => {
    const result = await performIO(query);
    const columns: number[] = [];
    for (const [column, field] of (result.fields ?? []).entries()) {
      if (field.dataTypeID !== CHAR_OID) continue;
      field.dataTypeID = TEXT_OID;
      columns.push(column);
    }
    characters.set(query, columns);
    return result;
  };
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const column of characters.get(query) ?? []) result.columnTypes[column] = ColumnTypeEnum.Character;
    return result;
  };
  // as one: the adapter would part it at each semicolon, those of functions too
  adapter.executeScript = async (script) => void (await speaker.client.query(script));
  return adapter;
}
