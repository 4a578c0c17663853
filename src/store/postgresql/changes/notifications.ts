import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { createClient } from '../connection.ts';
import type { FindUrl } from '../hosts.ts';

/** Begins the messages of the trigger too (migration `notify_after_commit`). Earlier versions use the same channel. */
export const CHANNEL = 'embed_changed';
/** Interval of the query that detects a dead connection, and of attempts to open a new one. */
const CHECK_INTERVAL_MS = 5_000;
const CONNECT_TIMEOUT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 6_000;
const MAX_NOTIFIED_ACCOUNTS = 10_000;
/** Longer than a statement may take from its trigger to the end of its commit. */
const NOTIFIED_MS = 10_000;

export type Notifications = ReturnType<typeof createNotifications>;

export interface NotificationCallbacks {
  readonly onNotified: (accountId: string, number: number) => void;
  /** Called whenever the connection has begun to listen. */
  readonly onListening: () => void;
}

export type NotifiedAccounts = ReturnType<typeof createNotifiedAccounts>;

/** Creates the set of accounts with recent writes that gateways want to be notified of. */
export function createNotifiedAccounts() {
  const accounts = new LRUCache<string, true>({ max: MAX_NOTIFIED_ACCOUNTS, ttl: NOTIFIED_MS });
  return {
    /** Reads a message that the server sent to a session. That of a trigger arrives before the result of the statement. */
    readMessage(message: string | undefined = ''): void {
      const [channel, accountId] = message.split(' ');
      if (channel === CHANNEL && accountId) accounts.set(accountId, true);
    },
    has: (accountId: string) => accounts.has(accountId),
  };
}

/** Creates a connection outside the pool that listens for changes of followed accounts. Only a hint: changes are polled too. */
export function createNotifications(findUrl: FindUrl, { onNotified, onListening }: NotificationCallbacks) {
  let timer: NodeJS.Timeout | undefined;
  let current: pg.Client | null = null;
  let isOpening = false;

  function drop(client: pg.Client): void {
    if (current === client) current = null;
    client.end().catch(() => {});
  }

  async function open(): Promise<void> {
    isOpening = true;
    try {
      const client = createClient(await findUrl(), {
        application_name: 'embed-gateway changes',
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        query_timeout: RESPONSE_TIMEOUT_MS,
        keepAlive: true,
      });
      client.on('error', () => drop(client)).on('end', () => drop(client));
      client.on('notification', ({ payload = '' }) => {
        const [accountId = '', number] = payload.split(' ');
        onNotified(accountId, Number(number));
      });
      try {
        await client.connect();
        await client.query(`LISTEN ${CHANNEL}`);
      } catch {
        return drop(client);
      }
      // stopped meanwhile
      if (timer === undefined) return drop(client);
      current = client;
      onListening();
    } finally {
      isOpening = false;
    }
  }

  function check(): void {
    const client = current;
    if (client) client.query('SELECT 1').catch(() => drop(client));
    else if (!isOpening) open().catch(() => {});
  }

  return {
    isListening: () => current !== null,
    /** Opens the connection, and opens it again when it breaks. */
    start() {
      if (timer !== undefined) return;
      timer = setInterval(check, CHECK_INTERVAL_MS).unref();
      check();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      if (current) drop(current);
    },
  };
}
