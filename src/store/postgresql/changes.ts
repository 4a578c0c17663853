import pg from 'pg';
import type { EmbedChange } from '../../domain/embed/embed.ts';
import { Refusal } from '../../errors.ts';
import type { ChangeListener, ChangeSource } from '../changes.ts';
import { connectionConfigOf } from './connection.ts';

/** Same as in the trigger of the migration `tell_changes`. */
const CHANNEL = 'embed_changed';
/** The first number of the advisory lock is "embe" in ASCII, the second the hash of the account. Same as in the trigger. */
const LOCK = '1701667429, hashtext($1)';

const CONNECT_TIMEOUT_MS = 3_000;
const LOCK_TIMEOUT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 6_000;
/** Interval of the query that detects a dead connection. */
const CHECK_INTERVAL_MS = 5_000;
const RETRY_AFTER_S = 2;

/**
 * Opens one connection outside the pool while there is a subscription. It holds a shared advisory lock per account, and a
 * write notifies only if its account is locked: `NOTIFY` serialises commits, so only accounts with a subscriber pay for it.
 * Taking the lock waits for the writes that found it free, so no change is missed.
 */
export function openPostgresqlChanges(url: string, { onChange, onLost }: ChangeListener): ChangeSource {
  let current: Connection | null = null;

  function connect(): Connection {
    const opened = openConnection(url, { onChange, onEnd: drop });
    function drop(): void {
      if (current !== opened) return;
      current = null;
      opened.close();
      onLost();
    }
    return opened;
  }

  return {
    readsOwnChanges: true,
    subscribe(accountId) {
      current ??= connect();
      const connection = current;
      connection.subscriptions++;
      const locked = connection.query(`SELECT pg_advisory_lock_shared(${LOCK})`, [accountId]);
      return {
        ready: locked.then(
          () => {},
          () => {
            throw new Refusal('unavailable', 'The database cannot be listened to; try again.', [], RETRY_AFTER_S);
          },
        ),
        unsubscribe() {
          connection.subscriptions--;
          if (connection.subscriptions === 0) {
            if (current === connection) current = null;
            connection.close();
            return;
          }
          // a lock that remains only causes notifications without a reader
          locked.then(() => connection.query(`SELECT pg_advisory_unlock_shared(${LOCK})`, [accountId])).catch(() => {});
        },
      };
    },
  };
}

interface Connection {
  query(sql: string, values?: unknown[]): Promise<unknown>;
  close(): void;
  subscriptions: number;
}

interface ConnectionListener {
  readonly onChange: (change: EmbedChange) => void;
  /** Called at least once if the connection cannot be opened, breaks, or does not respond. */
  readonly onEnd: () => void;
}

function openConnection(url: string, { onChange, onEnd }: ConnectionListener): Connection {
  const client = new pg.Client({
    application_name: 'embed-gateway changes',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    query_timeout: RESPONSE_TIMEOUT_MS,
    keepAlive: true,
    ...connectionConfigOf(url),
  });
  client.on('notification', ({ payload = '' }) => parseChanges(payload).forEach(onChange));
  client.on('error', onEnd).on('end', onEnd);
  const listening: Promise<unknown> = client.connect().then(() => client.query(`LISTEN ${CHANNEL}`));
  listening.catch(onEnd);
  let last = listening;
  const query: Connection['query'] = (sql, values) => {
    last = Promise.allSettled([last]).then(async () => {
      await listening;
      return client.query(sql, values);
    });
    return last;
  };
  const timer = setInterval(() => query('SELECT 1').catch(onEnd), CHECK_INTERVAL_MS).unref();
  return {
    query,
    close() {
      clearInterval(timer);
      client.end().catch(() => {});
    },
    subscriptions: 0,
  };
}

function parseChanges(payload: string): readonly EmbedChange[] {
  const [kind, accountId = '', ids = ''] = payload.split(' ');
  return ids.split(',').map((embedId) => ({ kind: kind as EmbedChange['kind'], accountId, embedId }));
}
