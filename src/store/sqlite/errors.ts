/** What keeps a database from its work, through no fault of a request. */
export type Trouble = 'full' | 'read_only' | 'failing' | 'missing' | 'log_lost' | 'overwritten' | 'damaged';

/** Each trouble in words for the operator, with the way out. */
export const TROUBLES: Record<Trouble, string> = {
  full: 'the disk is full: writes are refused until there is room',
  read_only: 'the database is read-only: writes are refused until it can be written again',
  failing: 'the disk fails or cannot be written: requests are refused until it works again',
  missing: 'the database file was moved or deleted: writes are refused; put it back, or stop and restore a backup',
  log_lost:
    'the log of writes (-wal) or its index (-shm) was moved, deleted or overwritten: writes are refused; restart the service, and leave these files alone',
  overwritten:
    'another program wrote over the database file: writes are refused; restart the service to use the file that is there now, or stop it and restore a backup',
  damaged: 'the database is damaged: stop the service and restore a backup (npm run restore -- FILE)',
};

/** The trouble that an error code of SQLite, or of a `FileFault`, means; null when it is none (https://sqlite.org/rescode.html). */
export function troubleOf(sqliteCode: string): Trouble | null {
  // the index of the log of writes found no room to grow
  if (sqliteCode === 'SQLITE_FULL' || sqliteCode === 'SQLITE_IOERR_SHMSIZE') return 'full';
  if (sqliteCode === 'SQLITE_READONLY_DBMOVED') return 'missing';
  if (sqliteCode === 'EMBEDS_LOG_LOST') return 'log_lost';
  if (sqliteCode === 'EMBEDS_OVERWRITTEN') return 'overwritten';
  if (sqliteCode.startsWith('SQLITE_READONLY')) return 'read_only';
  if (sqliteCode.startsWith('SQLITE_IOERR') || sqliteCode.startsWith('SQLITE_CANTOPEN')) return 'failing';
  if (sqliteCode.startsWith('SQLITE_CORRUPT') || sqliteCode === 'SQLITE_NOTADB') return 'damaged';
  return null;
}
