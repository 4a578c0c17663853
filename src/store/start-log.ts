import type { Log } from '../log.ts';

const WAIT_LOG_INTERVAL_MS = 5_000;

/** Runs a part of a start, or of a migration, whose statements have no short limit: logs every 5 s what they wait for. */
export async function logWaiting<T>(
  log: Log,
  waitingFor: string,
  part: () => Promise<T>,
  message = 'the start waits for the database',
): Promise<T> {
  const timer = setInterval(() => log.info({ waitingFor }, message), WAIT_LOG_INTERVAL_MS);
  try {
    return await part();
  } finally {
    clearInterval(timer);
  }
}
