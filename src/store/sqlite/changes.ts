import BetterSqlite3 from 'better-sqlite3';
import { EMBED_CHANGE_KINDS, type EmbedChange } from '../../domain/embed/embed.ts';
import type { ChangeListener, ChangeSource } from '../changes.ts';

const CHECK_INTERVAL_MS = 1_000;

const EVENTS: Record<EmbedChange['kind'], readonly [event: string, row: string]> = {
  CREATED: ['INSERT', 'NEW'],
  UPDATED: ['UPDATE', 'NEW'],
  DELETED: ['DELETE', 'OLD'],
};

const SET_UP = [
  'CREATE TEMP TABLE embed_change (kind TEXT, accountId TEXT, embedId TEXT);',
  ...EMBED_CHANGE_KINDS.map((kind) => {
    const [event, row] = EVENTS[kind];
    return `CREATE TEMP TRIGGER embed_change_${event} AFTER ${event} ON main."Embed" BEGIN
      INSERT INTO embed_change VALUES ('${kind}', ${row}."accountId", ${row}."id");
      SELECT schedule_embed_changes();
    END;`;
  }),
].join('\n');

const TEAR_DOWN = [
  ...Object.values(EVENTS).map(([event]) => `DROP TRIGGER IF EXISTS temp.embed_change_${event};`),
  'DROP TABLE IF EXISTS temp.embed_change;',
].join('\n');

/**
 * Records changes with temporary triggers, which exist while there is a subscription. They write to a table in memory as part
 * of the statement that makes the change. Between statements, the table holds what was committed, in that order.
 *
 * Changes by other processes cannot be read one by one: `data_version` only shows that there are some.
 */
export function openSqliteChanges(
  connection: BetterSqlite3.Database,
  dataVersion: () => number,
  { onChange, onLost }: ChangeListener,
): ChangeSource {
  let subscriptions = 0;
  let lastVersion = 0;
  let timer: NodeJS.Timeout | undefined;
  let isScheduled = false;

  connection.function('schedule_embed_changes', () => {
    if (!isScheduled) setImmediate(publish);
    isScheduled = true;
    return null;
  });

  function publish(): void {
    isScheduled = false;
    if (subscriptions === 0) return;
    const sql = 'SELECT * FROM temp.embed_change ORDER BY rowid';
    const recorded = BetterSqlite3.prototype.prepare.call(connection, sql) as BetterSqlite3.Statement<[], EmbedChange>;
    const changes = recorded.all();
    connection.exec('DELETE FROM temp.embed_change');
    for (const change of changes) onChange(change);
  }

  function checkOtherProcesses(): void {
    const version = dataVersion();
    if (version !== lastVersion) onLost();
    lastVersion = version;
  }

  async function start(): Promise<void> {
    connection.exec(SET_UP);
    lastVersion = dataVersion();
    timer = setInterval(checkOtherProcesses, CHECK_INTERVAL_MS).unref();
  }

  function stop(): void {
    clearInterval(timer);
    connection.exec(TEAR_DOWN);
  }

  return {
    subscribe() {
      subscriptions++;
      return {
        ready: subscriptions === 1 ? start() : Promise.resolve(),
        unsubscribe() {
          subscriptions--;
          if (subscriptions === 0) stop();
        },
      };
    },
  };
}
