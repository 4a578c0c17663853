import { createError, type FailureBody, readError } from './errors.ts';
import { FIRST_PAUSE_MS, pause, type Transport } from './transport.ts';

/** The service sends something every 15 s. A connection that is silent for longer is lost. */
const MAX_SILENCE_MS = 45_000;

interface ServerEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** A result of a subscription. The last one of a stream that ends has errors. */
type Message<Result> = FailureBody & { readonly data?: Result };

/** Opens a stream of results, and another one that continues it whenever it is lost (`Last-Event-ID`). */
export async function follow<Result>(
  open: Transport['open'],
  body: object,
  signal: AbortSignal | undefined,
): Promise<AsyncGenerator<Result, void>> {
  const stop = new AbortController();
  const ended = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  let lastId: string | undefined;

  const connect = () =>
    open({
      method: 'POST',
      path: '/graphql',
      body,
      headers: { accept: 'text/event-stream, application/graphql-response+json', 'last-event-id': lastId },
      isRepeatable: true,
      signal: ended,
    });

  async function* readResults(): AsyncGenerator<Result, void> {
    try {
      let response = await connect();
      // read below: only a generator that has begun runs `finally`
      yield undefined as Result;
      for (;;) {
        for await (const { id, event, data } of readEvents(response, ended)) {
          // an empty id: the stream cannot be continued
          if (id !== undefined) lastId = id || undefined;
          if (event !== 'next') continue;
          const message = JSON.parse(data ?? '') as Message<Result>;
          if (!message.errors) yield message.data as Result;
          else {
            const error = readError(response, message);
            if (error.code !== 'unavailable' || !lastId) throw error;
          }
        }
        signal?.throwIfAborted();
        if (!lastId) throw createError('The stream ended before it began.', { code: 'unavailable' });
        await pause(FIRST_PAUSE_MS, signal);
        response = await connect();
      }
    } finally {
      stop.abort();
    }
  }

  const results = readResults();
  await results.next();
  return results;
}

/** Reads the events of a stream until it ends, is lost, or is not wanted any more. */
async function* readEvents({ body }: Response, ended: AbortSignal): AsyncGenerator<ServerEvent, void> {
  const reader = (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  ended.addEventListener('abort', cancel, { once: true });
  let text = '';
  for (;;) {
    const timer = setTimeout(cancel, MAX_SILENCE_MS);
    const chunk = await reader.read().catch(() => null);
    clearTimeout(timer);
    if (chunk === null || chunk.done) break;
    const blocks = (text + chunk.value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2)));
  }
  ended.removeEventListener('abort', cancel);
  cancel();
}
