import { Refusal } from '../errors.ts';
import { createLimiter, type Limiter } from '../limiter.ts';

/** As many as browsers open to one host without HTTP/2. A slow site leaves room for others. */
export const MAX_FETCHES_PER_HOST = 6;
const MAX_FETCHES = 16;
export const MAX_WAITING = 256;

/** Creates a queue that runs fetches in the order of the calls, apart from those that wait for their host. */
export function createFetchQueue() {
  const ofAll = createLimiter(MAX_FETCHES);
  /** By host, with the number of calls that have not ended. */
  const hosts = new Map<string, { readonly limiter: Limiter; calls: number }>();
  let waiting = 0;
  return {
    /** @throws {Refusal} `unavailable` if {@link MAX_WAITING} fetches wait already */
    async run<T>(host: string, work: () => Promise<T>): Promise<T> {
      if (waiting >= MAX_WAITING) throw new Refusal('unavailable', 'Too many pictures are being fetched.');
      const ofHost = hosts.get(host) ?? { limiter: createLimiter(MAX_FETCHES_PER_HOST), calls: 0 };
      hosts.set(host, ofHost);
      ofHost.calls++;
      waiting++;
      const start = () => {
        waiting--;
        return work();
      };
      try {
        return await ofHost.limiter.run(() => ofAll.run(start));
      } finally {
        if (--ofHost.calls === 0) hosts.delete(host);
      }
    },
  };
}
