import pg, { type ClientConfig } from 'pg';

/**
 * Listens for errors from the beginning, because an error without a listener ends the process. A statement in flight rejects
 * with the same error. For a transaction, Prisma's adapter listens only a moment after it got a new client.
 */
export class GatewayClient extends pg.Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}

/** Creates a client for one server. Parameters of the URL win over the defaults. */
export function createClient(url: string, defaults: ClientConfig): GatewayClient {
  return new GatewayClient({ ...defaults, ...connectionConfigOf(url) });
}

/** Converts the parameters that `pg` does not know, or names differently. `pg` reads the others, and they win over the config. */
export function connectionConfigOf(
  url: string,
): Pick<ClientConfig, 'connectionString' | 'connectionTimeoutMillis' | 'options'> {
  const remaining = new URL(url);
  const take = (name: string) => {
    const value = remaining.searchParams.get(name);
    remaining.searchParams.delete(name);
    return value;
  };
  const connectTimeoutS = take('connect_timeout');
  const schema = take('schema');
  take('target_session_attrs');
  // escaped for the options of a connection (libpq, section 34.1.2)
  const searchPath = schema && `-c search_path=${pg.escapeIdentifier(schema).replace(/[\\ ]/g, '\\$&')}`;
  const options = [take('options'), searchPath].filter(Boolean).join(' ');
  // pg treats these modes as verify-full anyway, and warns
  if (['prefer', 'require', 'verify-ca'].includes(remaining.searchParams.get('sslmode') ?? '')) {
    remaining.searchParams.set('sslmode', 'verify-full');
  }
  return {
    connectionString: remaining.href,
    ...(/^\d+$/.test(connectTimeoutS ?? '') && { connectionTimeoutMillis: Number(connectTimeoutS) * 1_000 }),
    ...(options && { options }),
  };
}

/** Returns whether a query has rows. */
export async function hasRows(connection: pg.Client, query: string): Promise<boolean> {
  return (await connection.query(query)).rows.length > 0;
}

/** Returns the names of the tables in the first schema of the search path. */
export async function readTableNames(connection: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  );
  return new Set(rows.map(({ name }) => name));
}

/** Returns whether the search path has a table or index of this name. */
export function hasRelation(connection: pg.Client, name: string): Promise<boolean> {
  return hasRows(connection, `SELECT 1 WHERE to_regclass('"${name}"') IS NOT NULL`);
}

/** @param begin begins the transaction, and may have more statements for its settings */
export async function transact<T>(connection: pg.Client, begin: string, work: () => Promise<T>): Promise<T> {
  await connection.query(begin);
  try {
    const result = await work();
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK');
    throw error;
  }
}
