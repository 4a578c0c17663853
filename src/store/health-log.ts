import type { Log } from '../log.ts';

export interface HealthLog<Reason> {
  /** Logs an error, at most once a minute for each reason. */
  unavailable(reason: Reason, detail: string): void;
  /** Logs the recovery if the failure before it was logged. */
  available(): void;
}

const REPEAT_MS = 60_000;

interface Messages<Reason extends string> {
  readonly unavailable: Readonly<Record<Reason, string>>;
  readonly available: string;
}

export function createHealthLog<Reason extends string>(
  log: Log | undefined,
  subject: object,
  messages: Messages<Reason>,
): HealthLog<Reason> {
  const loggedAt = new Map<Reason, number>();
  let isFailureLogged = false;
  return {
    unavailable(reason, detail) {
      if (performance.now() - (loggedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
      loggedAt.set(reason, performance.now());
      isFailureLogged = true;
      log?.error({ ...subject, reason: detail }, messages.unavailable[reason]);
    },
    available() {
      if (!isFailureLogged) return;
      isFailureLogged = false;
      log?.info(subject, messages.available);
    },
  };
}
