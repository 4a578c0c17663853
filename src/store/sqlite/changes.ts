import BetterSqlite3 from 'better-sqlite3';
import { EMBED_CHANGE_KINDS, type EmbedChange } from '../../domain/embed/embed.ts';
import type { ChangeListener, ChangeSource } from '../changes.ts';

/** How often the file is looked at for what other processes write. */
const LOOK_EVERY_MS = 1_000;

/** What each kind of change is to SQL, and which row tells of it. */
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
      SELECT tell_changes();
    END;`;
  }),
].join('\n');

const TEAR_DOWN = [
  ...Object.values(EVENTS).map(([event]) => `DROP TRIGGER IF EXISTS temp.embed_change_${event};`),
  'DROP TABLE IF EXISTS temp.embed_change;',
].join('\n');

/**
 * Triggers of the connection itself, which exist while somebody follows: they note each change in a table in memory, as
 * part of the statement that makes it. Between statements, the notes are what was committed, in that order.
 *
 * Other processes' changes cannot be told one by one: that there are some is all that the file says.
 * @param fileVersion another number after each change that another connection made
 */
export function openSqliteChanges(
  connection: BetterSqlite3.Database,
  fileVersion: () => number,
  { tell, lose }: ChangeListener,
): ChangeSource {
  let followed = 0;
  let seenVersion = 0;
  let looking: NodeJS.Timeout | undefined;
  let isTelling = false;

  connection.function('tell_changes', () => {
    if (!isTelling) setImmediate(tellAll);
    isTelling = true;
    return null;
  });

  function tellAll(): void {
    isTelling = false;
    if (followed === 0) return;
    const sql = 'SELECT * FROM temp.embed_change ORDER BY rowid';
    const notes = BetterSqlite3.prototype.prepare.call(connection, sql) as BetterSqlite3.Statement<[], EmbedChange>;
    const changes = notes.all();
    connection.exec('DELETE FROM temp.embed_change');
    for (const change of changes) tell(change);
  }

  function look(): void {
    const version = fileVersion();
    if (version !== seenVersion) lose();
    seenVersion = version;
  }

  async function begin(): Promise<void> {
    connection.exec(SET_UP);
    seenVersion = fileVersion();
    looking = setInterval(look, LOOK_EVERY_MS).unref();
  }

  function end(): void {
    clearInterval(looking);
    connection.exec(TEAR_DOWN);
  }

  return {
    enter() {
      followed++;
      return {
        entered: followed === 1 ? begin() : Promise.resolve(),
        leave() {
          followed--;
          if (followed === 0) end();
        },
      };
    },
  };
}
