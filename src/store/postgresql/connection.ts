import type { ClientConfig } from 'pg';

/**
 * How to connect to what a URL names. Most of its parameters are read by `pg` itself, and win over what a config says; here
 * is what it does not know, or knows by another name.
 */
export function connectionOf(
  url: string,
): Pick<ClientConfig, 'connectionString' | 'connectionTimeoutMillis' | 'options'> {
  const plain = new URL(url);
  const take = (name: string) => {
    const value = plain.searchParams.get(name);
    plain.searchParams.delete(name);
    return value;
  };
  const connectTimeoutS = take('connect_timeout');
  const schema = take('schema');
  const options = [take('options'), schema && `-c search_path=${quoted(schema)}`].filter(Boolean).join(' ');
  // what pg makes of these anyway, with a warning: to check the certificate
  if (['prefer', 'require', 'verify-ca'].includes(plain.searchParams.get('sslmode') ?? '')) {
    plain.searchParams.set('sslmode', 'verify-full');
  }
  return {
    connectionString: plain.href,
    ...(/^\d+$/.test(connectTimeoutS ?? '') && { connectionTimeoutMillis: Number(connectTimeoutS) * 1_000 }),
    ...(options && { options }),
  };
}

/** A name as SQL has it, within the options of a connection (libpq, section 34.1.2). */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`.replace(/[\\ ]/g, '\\$&');
}
