import { callbackify } from 'node:util';
import type pg from 'pg';
import type { PostgresqlLocation } from '../database-url.ts';
import { createClient, GatewayClient } from './connection.ts';
import { sqlStateOf } from './errors.ts';

/** Less than the pool waits for a connection. */
const PROBE_TIMEOUT_MS = 2_000;
const READ_ONLY = '25006';

/** Returns the URL of the host to connect to now. */
export type FindUrl = () => Promise<string>;

/**
 * Asks all hosts at once, so that one that does not respond delays nothing. The first one that accepts writes is used.
 * Without `target_session_attrs`, the only host is used as it is.
 */
export function createUrlFinder({ urls, needsWritableHost }: PostgresqlLocation): FindUrl {
  if (!needsWritableHost) return async () => urls[0] as string;
  let finding: Promise<string> | null = null;
  const find = () =>
    Promise.any(urls.map(requireWritable)).catch(({ errors }: AggregateError) => {
      // a host that responds says more than one that does not
      throw errors.find((error) => sqlStateOf(error) === READ_ONLY) ?? errors[0];
    });
  return () => {
    finding ??= find().finally(() => {
      finding = null;
    });
    return finding;
  };
}

async function requireWritable(url: string): Promise<string> {
  const client = createClient(url, {
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
    application_name: 'embed-gateway probe',
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
    if (rows[0]?.transaction_read_only === 'off') return url;
  } finally {
    client.end().catch(() => {});
  }
  throw Object.assign(new Error('no host of the URL accepts writes'), { code: READ_ONLY });
}

/** Returns a client for `pg`'s pool, which connects to the host that the finder returns at that time. */
export function createRoutedClient(findUrl: FindUrl): typeof pg.Client {
  return class extends GatewayClient {
    // biome-ignore lint/suspicious/noExplicitAny: `pg` has two overloads, of which its pool uses the one with a callback
    override connect(callback?: any): any {
      const connect = async () => {
        const { host, port } = createClient(await findUrl(), {});
        Object.assign(this, { host, port });
        await super.connect();
      };
      callbackify(connect)(callback);
    }
  };
}
