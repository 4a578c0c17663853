import type { Log } from '../../log.ts';
import { createHealthLog } from '../health-log.ts';
import { OPERATOR_MESSAGES, type PostgresqlReason } from './errors.ts';

export interface HealthMonitor {
  reportFailure(reason: PostgresqlReason, detail: string): void;
  reportSuccess(isWrite: boolean): void;
}

/** Reads succeed during these, so only a write shows that they are over. */
const WRITE_REASONS: readonly PostgresqlReason[] = ['standby', 'full'];

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
    reportFailure(reason, detail) {
      if (WORKER_AWAY.test(detail)) return onWorkerFailure();
      if (reason === 'busy') return;
      current = reason;
      healthLog.unavailable(reason, detail);
    },
    reportSuccess(isWrite) {
      if (current === null || (WRITE_REASONS.includes(current) && !isWrite)) return;
      current = null;
      healthLog.available();
    },
  };
}
