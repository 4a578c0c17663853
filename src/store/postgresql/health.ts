import type { Log } from '../../log.ts';
import { SETBACKS, type Setback } from './errors.ts';

/** Tells the operator when the database cannot work, and when it can again. */
export interface HealthMonitor {
  /** Told of each statement that failed through no fault of a request. */
  fail(setback: Setback, reason: string): void;
  /** Told of each statement that worked. */
  work(isWrite: boolean): void;
  /** What the database cannot do at this moment. */
  readonly setback: Setback | null;
}

/** A setback that lasts, or comes and goes, is told again this often. */
const REPEAT_MS = 60_000;
/** Only a write shows that they are over. */
const OF_WRITES: readonly Setback[] = ['read_only', 'full'];

/** @param server the database, in the words of the log */
export function createHealthMonitor(server: object, log?: Log): HealthMonitor {
  let setback: Setback | null = null;
  const toldAt = new Map<Setback, number>();
  let isTold = false;
  return {
    get setback() {
      return setback;
    },
    fail(found, reason) {
      const words = SETBACKS[found];
      if (words === null) return;
      setback = found;
      if (performance.now() - (toldAt.get(found) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
      toldAt.set(found, performance.now());
      isTold = true;
      log?.error({ ...server, reason }, words);
    },
    work(isWrite) {
      if (setback === null || (OF_WRITES.includes(setback) && !isWrite)) return;
      setback = null;
      if (!isTold) return;
      isTold = false;
      log?.info(server, 'the database works again');
    },
  };
}
