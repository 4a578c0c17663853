import type { Log } from '../log.ts';

const REPEAT_MS = 60_000;
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

export function createHealthLog<Reason extends string>(
  log: Log | undefined,
  subject: object,
  messages: { readonly unavailable: Readonly<Record<Reason, string>>; readonly available: string },
) {
  const loggedAt = new Map<Reason, number>();
  let isFailureLogged = false;
  return {
    /** Logs an error, at most once a minute for each reason. */
    unavailable(reason: Reason, detail: string): void {
      if (performance.now() - (loggedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
      loggedAt.set(reason, performance.now());
      isFailureLogged = true;
      log?.error({ ...subject, reason: detail }, messages.unavailable[reason]);
    },
    /** Logs the recovery if the failure before it was logged. */
    available(): void {
      if (!isFailureLogged) return;
      isFailureLogged = false;
      log?.info(subject, messages.available);
    },
  };
}
