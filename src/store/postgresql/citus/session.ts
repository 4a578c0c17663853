import pg from 'pg';
import { connectionConfigOf } from '../connection.ts';
import { createRoutedClient, type FindUrl } from '../hosts.ts';
import { SHARDS_QUERY, type ShardRow } from './shard-map.ts';

export type ClusterSession = ReturnType<typeof createClusterSession>;

const CONNECT_TIMEOUT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 2_000;
/** A node that does not answer within this time is away. */
const PROBE_TIMEOUT_MS = 1_000;
/** The message of `pg` for {@link RESPONSE_TIMEOUT_MS}. */
const READ_TIMEOUT = 'Query read timeout';

/** Creates a connection outside of the pool, so that no load delays it. */
export function createClusterSession(url: string, findUrl: FindUrl) {
  // a pool of one connection opens another after a failure: to roll back may wait for the node too
  const pool = new pg.Pool({
    max: 1,
    application_name: 'embed-gateway workers',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: RESPONSE_TIMEOUT_MS,
    keepAlive: true,
    ...connectionConfigOf(url),
    Client: createRoutedClient(findUrl),
  });
  pool.on('error', () => {});
  return {
    /** Asks the coordinator only. */
    readShards: async (): Promise<readonly ShardRow[]> => (await pool.query<ShardRow>(SHARDS_QUERY)).rows,
    /**
     * Asks the node of a place; returns the reason if it does not answer.
     * @throws if the coordinator does not answer
     */
    async findFault(place: string): Promise<string | null> {
      try {
        // a transaction, because a pooler may give each statement to another session
        await pool.query(
          `BEGIN; SET LOCAL statement_timeout = ${PROBE_TIMEOUT_MS}; SELECT count(*) FROM "Account" WHERE "id" = '${place}'; COMMIT`,
        );
        return null;
      } catch (error) {
        const { message, severity } = error as pg.DatabaseError;
        // an error of the server, or the server waits for the node longer than its timeout
        if (severity === 'ERROR' || message === READ_TIMEOUT) return message.replaceAll(/\s+/g, ' ');
        throw error;
      }
    },
    close() {
      if (!pool.ending) void pool.end();
    },
  };
}
