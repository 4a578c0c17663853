import type pg from 'pg';
import { createClient } from './connection.ts';
import type { FindUrl } from './hosts.ts';

/** Same as in the trigger of the migration `change_feed`. */
const CHANNEL = 'embed_changed';
/** Interval of the query that detects a dead connection, and of attempts to open a new one. */
const CHECK_INTERVAL_MS = 5_000;
const CONNECT_TIMEOUT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 6_000;

/** A connection outside the pool that listens for changes of followed accounts. Only a hint: changes are polled too. */
export interface Notifications {
  readonly isListening: () => boolean;
  /** Opens the connection, and opens it again when it breaks. */
  start(): void;
  stop(): void;
}

export interface NotificationCallbacks {
  readonly onNotified: (accountId: string, number: number) => void;
  /** Called whenever the connection has begun to listen. */
  readonly onListening: () => void;
}

export function createNotifications(
  findUrl: FindUrl,
  { onNotified, onListening }: NotificationCallbacks,
): Notifications {
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
