import { useEffect, useState } from 'preact/hooks';
import { EmbedChangedDocument } from '../generated/operations.ts';
import type { ApiClient } from './client.ts';

/** Delays before a stream is reopened; each is twice as long as the last one, until a stream connects. */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/**
 * Keeps the cache current by subscribing to changes of the account's embeds.
 * @returns the number of streams so far. Events may be lost between two streams: read lists again after each.
 */
export function useLiveUpdates({ client, setStreamListener }: ApiClient): number {
  const [streamCount, setStreamCount] = useState(0);
  useEffect(() => {
    let delayMs = FIRST_DELAY_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let unsubscribe = () => {};
    const subscribe = () => {
      clearTimeout(timer);
      unsubscribe();
      unsubscribe = client.subscription(EmbedChangedDocument, {}).subscribe(() => {}).unsubscribe;
    };
    setStreamListener({
      onConnect() {
        delayMs = FIRST_DELAY_MS;
        setStreamCount((count) => count + 1);
      },
      onEnd() {
        clearTimeout(timer);
        timer = setTimeout(subscribe, delayMs);
        delayMs = Math.min(2 * delayMs, MAX_DELAY_MS);
      },
    });
    subscribe();
    addEventListener('online', subscribe);
    return () => {
      removeEventListener('online', subscribe);
      setStreamListener(null);
      clearTimeout(timer);
      unsubscribe();
    };
  }, [client, setStreamListener]);
  return streamCount;
}
