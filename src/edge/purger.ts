import { createPurgeQueue, type PurgeEvent } from './purge-queue.ts';
import { type Purge, type PurgeTarget, purgedNames } from './purge-request.ts';

export interface Purger {
  /** Returns at once. */
  purge(purges: readonly Purge[]): void;
  /** Sends what waits, for up to 3 s, and drops the rest. */
  close(): Promise<void>;
}

/** Sends each purge to all targets. A target that fails or is slow delays no other. */
export function createPurger(targets: readonly PurgeTarget[], onEvent: (event: PurgeEvent) => void): Purger {
  const queues = targets.map((target) => ({ target, queue: createPurgeQueue(target, onEvent) }));
  return {
    purge(purges) {
      for (const { target, queue } of queues) queue.add(purges.flatMap((purge) => purgedNames(target, purge)));
    },
    async close() {
      await Promise.all(queues.map(({ queue }) => queue.close()));
    },
  };
}
