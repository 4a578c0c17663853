import { Refusal } from '../errors.ts';

interface Waiting {
  readonly host: string;
  readonly start: () => void;
}

/** As many as browsers open to one host without HTTP/2. A slow site leaves room for others. */
export const MAX_FETCHES_PER_HOST = 6;
const MAX_FETCHES = 16;
export const MAX_WAITING = 256;

/** Creates a queue that runs fetches in the order of the calls, apart from those that wait for their host. */
export function createFetchQueue() {
  const waiting: Waiting[] = [];
  const runningByHost = new Map<string, number>();
  let running = 0;

  function changeRunning(host: string, by: 1 | -1): void {
    running += by;
    const ofHost = (runningByHost.get(host) ?? 0) + by;
    if (ofHost > 0) runningByHost.set(host, ofHost);
    else runningByHost.delete(host);
  }

  function startNext(): void {
    if (running >= MAX_FETCHES) return;
    const index = waiting.findIndex(({ host }) => (runningByHost.get(host) ?? 0) < MAX_FETCHES_PER_HOST);
    const [next] = index === -1 ? [] : waiting.splice(index, 1);
    if (!next) return;
    changeRunning(next.host, 1);
    next.start();
  }

  return {
    /** @throws {Refusal} `unavailable` if {@link MAX_WAITING} fetches wait already */
    async run<T>(host: string, work: () => Promise<T>): Promise<T> {
      if (waiting.length >= MAX_WAITING) throw new Refusal('unavailable', 'Too many pictures are being fetched.');
      await new Promise<void>((start) => {
        waiting.push({ host, start });
        startNext();
      });
      try {
        return await work();
      } finally {
        changeRunning(host, -1);
        startNext();
      }
    },
  };
}
