import { Readable } from 'node:stream';

/** A comment is sent when nothing else was for so long: half of what the listener, and many a proxy, allows. */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ':\n\n';

/** Results are taken ahead of the reader up to this size. */
const MOST_AHEAD_BYTES = 16_384;

/**
 * Results of an operation as server-sent events
 * (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#distinct-connections-mode), taken as fast as they are
 * read and no faster.
 */
export class EventStream extends Readable {
  readonly #results: AsyncIterator<string>;
  readonly #heart: NodeJS.Timeout;
  #isTaking = false;
  #isEnding = false;

  /** @param results each as JSON */
  constructor(results: AsyncIterator<string>) {
    super({ highWaterMark: MOST_AHEAD_BYTES });
    this.#results = results;
    this.#heart = setInterval(() => this.readableLength === 0 && this.#send(HEARTBEAT), HEARTBEAT_MS).unref();
    // the headers go out with it
    this.push(HEARTBEAT);
  }

  /** Sends a last result, where there is one, and ends. */
  finish(result: string | null): void {
    if (result !== null) this.#send(eventOf('next', result));
    this.#send(eventOf('complete', ''));
    this.#send(null);
    this.#release();
  }

  override _read(): void {
    if (!this.#isTaking) this.#take().catch((error) => this.destroy(error));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#release();
    done(error);
  }

  async #take(): Promise<void> {
    this.#isTaking = true;
    const { done, value } = await this.#results.next();
    this.#isTaking = false;
    if (done) this.finish(null);
    else this.#send(eventOf('next', value));
  }

  #send(text: string | null): void {
    if (!this.destroyed && !this.#isEnding) this.push(text);
    this.#isEnding ||= text === null;
  }

  #release(): void {
    clearInterval(this.#heart);
    this.#results.return?.().catch((error) => this.destroy(error));
  }
}

/** A result that is the only one. */
export function onlyEvent(result: string): string {
  return eventOf('next', result) + eventOf('complete', '');
}

function eventOf(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}
