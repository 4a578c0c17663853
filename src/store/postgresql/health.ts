import type pg from 'pg';
import type { Log } from '../../log.ts';
import { createHealthLog } from '../database-log.ts';
import { OPERATOR_MESSAGES, type PostgresqlReason, reasonOfSqlState, sqlStateOf } from './errors.ts';

export interface HealthMonitor {
  /** Throws an error of `pg` again, with its SQLSTATE if the database cannot run the statement: `pg` may leave it out. */
  reportFailure(error: unknown): never;
  /** @param command as in the result of `pg` */
  reportSuccess(command: string): void;
}

const WRITES = ['INSERT', 'UPDATE', 'DELETE'];
/** Reads succeed during these, so only a write shows that they are over. */
const WRITE_REASONS: readonly PostgresqlReason[] = ['standby', 'full'];

/** In place of other SQLSTATEs with which the server ends a session, or begins none. */
const CONNECTION_REJECTED = '08004';

/** The beginning of Citus' message about a worker. Its accounts fail, not the database. */
const WORKER_AWAY = /^\w{5}: connection to the remote node /;

/** @param onWorkerFailure called after a statement has failed on a worker of a cluster */
export function createHealthMonitor(server: object, log?: Log, onWorkerFailure: () => void = () => {}): HealthMonitor {
  const healthLog = createHealthLog(log, server, {
    unavailable: OPERATOR_MESSAGES,
    available: 'the database works again',
  });
  let current: PostgresqlReason | null = null;
  return {
    reportFailure(error) {
      const state = sqlStateOf(error);
      const isEnded = reasonOfSqlState(state) === null && (error as Partial<pg.DatabaseError>).severity === 'FATAL';
      const code = isEnded ? CONNECTION_REJECTED : state;
      const reason = reasonOfSqlState(code);
      if (reason === null) throw error;
      const detail = `${code}: ${(error as Error).message}`;
      if (WORKER_AWAY.test(detail)) onWorkerFailure();
      else if (reason !== 'busy') {
        current = reason;
        healthLog.unavailable(reason, detail);
      }
      // Prisma's adapter passes on the code of an error with a severity
      throw Object.assign(error as Error, { code, severity: 'ERROR' });
    },
    reportSuccess(command) {
      if (current === null || (WRITE_REASONS.includes(current) && !WRITES.includes(command))) return;
      current = null;
      healthLog.available();
    },
  };
}
