import type { UnavailableReason } from '../database-errors.ts';

export type SqliteReason = Exclude<
  UnavailableReason,
  'unreachable' | 'access_denied' | 'no_free_connection' | 'timeout' | 'standby'
>;

export const OPERATOR_MESSAGES: Record<Exclude<SqliteReason, 'busy'>, string> = {
  full: 'the disk is full: writes are refused until there is room',
  read_only: 'the database is read-only: writes are refused until it can be written again',
  failing: 'the disk fails or cannot be written: requests are refused until it works again',
  missing: 'the database file was moved or deleted: writes are refused; put it back, or stop and restore a backup',
  log_lost:
    'the write-ahead log (-wal) or its index (-shm) was moved, deleted or overwritten: writes are refused; restart the service, and leave these files alone',
  overwritten:
    'another program wrote over the database file: writes are refused; restart the service to use the file that is there now, or stop it and restore a backup',
  damaged: 'the database is damaged: stop the service and restore a backup (npx embed-gateway restore FILE)',
};

/** Maps SQLite's result codes (https://sqlite.org/rescode.html) and the codes of `FileFault`. */
export function reasonOfSqliteCode(code: string): SqliteReason | null {
  if (code.startsWith('SQLITE_BUSY')) return 'busy';
  // SHMSIZE: the index of the write-ahead log could not grow
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE') return 'full';
  if (code === 'SQLITE_READONLY_DBMOVED') return 'missing';
  if (code === 'EMBEDS_LOG_LOST') return 'log_lost';
  if (code === 'EMBEDS_OVERWRITTEN') return 'overwritten';
  if (code.startsWith('SQLITE_READONLY')) return 'read_only';
  if (code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CANTOPEN')) return 'failing';
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') return 'damaged';
  return null;
}
