import { useEffect, useState } from 'preact/hooks';
import { EmbedChangedDocument } from '../../generated/console-operations.ts';
import type { ApiClient } from './client.ts';

/** How long to wait before a stream is begun again: twice as long each time, until one holds. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Follows what anybody does to the account's embeds: the cache shows it where it is shown.
 * @returns how many streams have begun. With each, what was read before may have missed something.
 */
export function useLiveUpdates({ client, whenStreams }: ApiClient): number {
  const [begun, setBegun] = useState(0);
  useEffect(() => {
    let waitMs = FIRST_WAIT_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stop = () => {};
    const follow = () => {
      stop();
      stop = client.subscription(EmbedChangedDocument, {}).subscribe(() => {}).unsubscribe;
    };
    whenStreams({
      onBegin() {
        waitMs = FIRST_WAIT_MS;
        setBegun((count) => count + 1);
      },
      onEnd() {
        clearTimeout(timer);
        timer = setTimeout(follow, waitMs);
        waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
      },
    });
    follow();
    return () => {
      whenStreams(null);
      clearTimeout(timer);
      stop();
    };
  }, [client, whenStreams]);
  return begun;
}
