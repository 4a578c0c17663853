import { randomInt } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import type { Client } from './client.ts';

const MIN_LIFE_MS = 2_000;
const MAX_LIFE_MS = 60_000;

/** Event streams that open and close all the time. */
export interface Streams {
  count(): number;
  events(): number;
  close(): void;
}

/** Keeps `size` streams open. Each lives for 2 to 60 s; every other one continues the one before it. */
export function openStreams(client: Client, size: number, onFault: (fault: string) => void): Streams {
  const open = new Set<ClientRequest>();
  const timers = new Set<NodeJS.Timeout>();
  let isClosed = false;
  let events = 0;

  function follow(lastId: string | null): void {
    let last = lastId;
    const outgoing = client.follow(
      {
        path: '/graphql',
        headers: { accept: 'text/event-stream', ...(lastId !== null && { 'last-event-id': lastId }) },
        body: { query: 'subscription { embedChanged { kind embedId embed { mode title pageUrl } } }' },
      },
      (text) => {
        last = [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? last;
        events += text.split('event: next').length - 1;
        if (text.includes('"errors"')) onFault(`a stream ended: ${text.slice(0, 300)}`);
      },
    );
    open.add(outgoing);
    outgoing.on('error', (error) => !isClosed && open.has(outgoing) && onFault(`a stream: ${error}`));
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        open.delete(outgoing);
        outgoing.destroy();
        follow(lastId === null ? last : null);
      },
      randomInt(MIN_LIFE_MS, MAX_LIFE_MS),
    );
    timers.add(timer);
  }

  for (let i = 0; i < size; i++) follow(null);
  return {
    count: () => open.size,
    events: () => events,
    close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
      for (const outgoing of open) outgoing.destroy();
    },
  };
}
