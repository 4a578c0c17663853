import type pg from 'pg';
import { createClient } from '../connection.ts';
import type { FindUrl } from '../hosts.ts';
import { SHARDS_QUERY, type ShardRow } from './shard-map.ts';

/** A connection outside of the pool, so that no load delays it. Its calls must not overlap. */
export interface ClusterSession {
  /** Asks the coordinator only. */
  readShards(): Promise<readonly ShardRow[]>;
  /**
   * Asks the node of a place; returns the reason if it does not answer.
   * @throws if the coordinator does not answer
   */
  findFault(place: string): Promise<string | null>;
  /** Calls in flight reject. */
  close(): void;
}

const CONNECT_TIMEOUT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 2_000;
/** A node that does not answer within this time is away. */
const PROBE_TIMEOUT_MS = 1_000;
/** The message of `pg` for {@link RESPONSE_TIMEOUT_MS}. */
const READ_TIMEOUT = 'Query read timeout';

export function createClusterSession(findUrl: FindUrl): ClusterSession {
  let current: pg.Client | null = null;
  let isClosed = false;

  function drop(): void {
    current?.end().catch(() => {});
    current = null;
  }

  async function connect(): Promise<pg.Client> {
    refuseIfClosed();
    if (current) return current;
    const client = createClient(await findUrl(), {
      application_name: 'embed-gateway workers',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('end', () => {
      if (current === client) current = null;
    });
    await client.connect();
    current = client;
    refuseIfClosed();
    return client;
  }

  function refuseIfClosed(): void {
    if (isClosed) throw new Error('the session is closed');
  }

  async function query<Row extends pg.QueryResultRow>(sql: string): Promise<readonly Row[]> {
    try {
      return (await (await connect()).query<Row>(sql)).rows;
    } catch (error) {
      // after a failure of the connection, the next call opens another
      if (!isFromServer(error)) drop();
      throw error;
    }
  }

  return {
    readShards: () => query<ShardRow>(SHARDS_QUERY),
    async findFault(place) {
      // a transaction, because a pooler may give each statement to another session
      await query(`BEGIN; SET LOCAL statement_timeout = ${PROBE_TIMEOUT_MS}`);
      try {
        await query(`SELECT count(*) FROM "Account" WHERE "id" = '${place}'`);
        await query('COMMIT');
        return null;
      } catch (error) {
        // to roll back may wait for the node too
        drop();
        const { message } = error as Error;
        // the server may wait for the node longer than its timeout
        if (isFromServer(error) || message === READ_TIMEOUT) return message.replaceAll(/\s+/g, ' ');
        throw error;
      }
    },
    close() {
      isClosed = true;
      drop();
    },
  };
}

/** Recognises errors that the server has sent, after which the connection can be used. */
function isFromServer(error: unknown): boolean {
  return (error as { readonly severity?: string }).severity === 'ERROR';
}
