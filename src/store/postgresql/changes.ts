import pg from 'pg';
import type { EmbedChange } from '../../domain/embed/embed.ts';
import { Refusal } from '../../errors.ts';
import type { ChangeListener, ChangeSource } from '../changes.ts';
import { connectionOf } from './connection.ts';

/** As of the trigger that tells (see the migration `tell_changes`). */
const CHANNEL = 'embed_changed';
/** "embe" in ASCII, and the account's hash: the first of the two numbers of an advisory lock is ours alone. */
const LOCK = '1701667429, hashtext($1)';

const CONNECT_TIMEOUT_MS = 3_000;
/** For the writes of an account that are under way while it is entered. */
const LOCK_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 6_000;
/** A connection on which nobody answers any more is found out so. */
const CHECK_EVERY_MS = 5_000;
/** Seconds after which a database may be there again. */
const RETRY_S = 2;

/**
 * One connection beside the pool, open while somebody follows. It holds a shared lock for each account that is followed, and
 * a write tells only of accounts that are locked: to tell stops all other commits that tell for as long as a commit takes,
 * which nobody shall pay for where nobody listens. Whoever takes the lock waits for the writes that found it free, so
 * none slips through.
 */
export function openPostgresqlChanges(url: string, { tell, lose }: ChangeListener): ChangeSource {
  let connection: Connection | null = null;

  function connect(): Connection {
    const made = openConnection(url, { onChange: tell, onEnd: drop });
    function drop(): void {
      if (connection !== made) return;
      connection = null;
      made.close();
      // what is said until there is another connection is lost: whoever follows begins anew
      lose();
    }
    return made;
  }

  return {
    enter(accountId) {
      connection ??= connect();
      const mine = connection;
      mine.followed++;
      const locked = mine.ask(`SELECT pg_advisory_lock_shared(${LOCK})`, [accountId]);
      return {
        entered: locked.then(
          () => {},
          () => {
            throw new Refusal('unavailable', 'The database cannot be listened to; try again.', [], RETRY_S);
          },
        ),
        leave() {
          mine.followed--;
          if (mine.followed === 0) {
            if (connection === mine) connection = null;
            mine.close();
            return;
          }
          // a lock that stays costs a few words that nobody hears
          locked.then(() => mine.ask(`SELECT pg_advisory_unlock_shared(${LOCK})`, [accountId])).catch(() => {});
        },
      };
    },
  };
}

interface Connection {
  /** Runs one statement after the other. */
  ask(sql: string, values?: unknown[]): Promise<unknown>;
  close(): void;
  /** How many accounts are followed over it. */
  followed: number;
}

interface Ears {
  readonly onChange: (change: EmbedChange) => void;
  /** It could not be opened, or broke, or nobody answers: called once or more. */
  readonly onEnd: () => void;
}

function openConnection(url: string, { onChange, onEnd }: Ears): Connection {
  const client = new pg.Client({
    application_name: 'embed-gateway changes',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    ...connectionOf(url),
  });
  client.on('notification', ({ payload = '' }) => readChanges(payload).forEach(onChange));
  client.on('error', onEnd).on('end', onEnd);
  const opened: Promise<unknown> = client.connect().then(() => client.query(`LISTEN ${CHANNEL}`));
  opened.catch(onEnd);
  let last = opened;
  const ask: Connection['ask'] = (sql, values) => {
    last = Promise.allSettled([last]).then(async () => {
      await opened;
      return client.query(sql, values);
    });
    return last;
  };
  const check = setInterval(() => ask('SELECT 1').catch(onEnd), CHECK_EVERY_MS).unref();
  return {
    ask,
    close() {
      clearInterval(check);
      client.end().catch(() => {});
    },
    followed: 0,
  };
}

/** A kind, an account, and ids: what a statement did to embeds of one account. */
function readChanges(payload: string): readonly EmbedChange[] {
  const [kind, accountId = '', ids = ''] = payload.split(' ');
  return ids.split(',').map((embedId) => ({ kind: kind as EmbedChange['kind'], accountId, embedId }));
}
