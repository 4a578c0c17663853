import { setTimeout as pause } from 'node:timers/promises';
import { REST } from './doors.ts';
import { TOKEN } from './service.ts';

const QUERY = new URLSearchParams({ query: 'subscription { embedChanged { kind embedId } }' });
const RECONNECT_AFTER_MS = 200;
const COMPARE_TIMEOUT_MS = 20_000;

interface Result {
  readonly data?: { readonly embedChanged: { readonly kind: string; readonly embedId: string } };
  readonly errors?: readonly { readonly message: string }[];
}

/** The ids of all embeds, known only from the event stream of one gateway. */
export interface ContinuedMirror {
  readonly connected: Promise<void>;
  /** Ends the stream after it has caught up, and returns its differences from the list. */
  compare(origin: string): Promise<readonly string[]>;
}

/** Opens the stream again with `Last-Event-ID` whenever it ends. */
export function openContinuedMirror(origin: string): ContinuedMirror {
  const ids = new Set<string>();
  const faults: string[] = [];
  const connected = Promise.withResolvers<void>();
  const stop = new AbortController();
  let lastId = '';
  let events = 0;

  function apply(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
    lastId = field('id') ?? lastId;
    connected.resolve();
    if (field('event') !== 'next') return;
    const { data, errors = [] } = JSON.parse(field('data') ?? '') as Result;
    for (const { message } of errors) if (message.includes('missed')) faults.push(`a stream of ${origin}: ${message}`);
    if (!data) return;
    events++;
    const { kind, embedId } = data.embedChanged;
    if (kind === 'CREATED' && ids.has(embedId)) faults.push(`${embedId} was sent twice`);
    if (kind === 'CREATED') ids.add(embedId);
    if (kind === 'DELETED') ids.delete(embedId);
  }

  async function read(): Promise<void> {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      accept: 'text/event-stream',
      ...(lastId !== '' && { 'last-event-id': lastId }),
    };
    const response = await fetch(`${origin}/graphql?${QUERY}`, { headers, signal: stop.signal });
    if (!response.ok || !response.body) return;
    let text = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + part).split('\n\n');
      text = blocks.pop() ?? '';
      blocks.forEach(apply);
    }
  }

  void (async () => {
    while (!stop.signal.aborted) {
      await read().catch(() => {});
      await pause(RECONNECT_AFTER_MS);
    }
  })();

  return {
    connected: connected.promise,
    async compare(from) {
      const deadline = Date.now() + COMPARE_TIMEOUT_MS;
      const { embeds } = await REST.list(from);
      const listed = new Set(embeds.map(({ id }) => id));
      const differences = () => [...ids, ...listed].filter((id) => ids.has(id) !== listed.has(id));
      while (differences().length > 0 && Date.now() < deadline) await pause(RECONNECT_AFTER_MS);
      stop.abort();
      const wrong = differences();
      if (wrong.length > 0) faults.push(`a stream of ${origin} and the list differ: ${wrong.join(', ')}`);
      console.log(`${origin}: ${events} events, ${ids.size} embeds`);
      return faults;
    },
  };
}
