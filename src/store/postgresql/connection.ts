import type { ClientConfig } from 'pg';

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
  const options = [take('options'), schema && `-c search_path=${quoteIdentifier(schema)}`].filter(Boolean).join(' ');
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

/** Quotes a name for SQL, and escapes it for the options of a connection (libpq, section 34.1.2). */
function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`.replace(/[\\ ]/g, '\\$&');
}
