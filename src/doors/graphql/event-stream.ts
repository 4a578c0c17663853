import { Readable } from 'node:stream';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { ChangesMissed } from '../../errors.ts';
import type { SubscriptionEvent, SubscriptionEvents } from '../../graphql/execution/subscribe.ts';

/** Half of the idle timeout of the listener and of many proxies. */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ':\n\n';

const MAX_BUFFERED_BYTES = 16_384;

/**
 * The results of a subscription as server-sent events
 * (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#distinct-connections-mode), read from the source no
 * faster than the client reads them.
 */
export class EventStream extends Readable {
  readonly #events: SubscriptionEvents;
  readonly #format: (result: ExecutionResult) => string;
  readonly #heartbeat: NodeJS.Timeout;
  #isReading = false;
  #hasEnded = false;

  /** @param format returns a result as JSON */
  constructor(events: SubscriptionEvents, format: (result: ExecutionResult) => string) {
    super({ highWaterMark: MAX_BUFFERED_BYTES });
    this.#events = events;
    this.#format = format;
    this.#heartbeat = setInterval(() => this.readableLength === 0 && this.#send(HEARTBEAT), HEARTBEAT_MS).unref();
    // the first bytes of the body make the server send the headers
    this.push(':\n');
  }

  /** Sends the error as the last result, and ends. If the stream cannot be continued, the client forgets its last id. */
  fail(error: unknown): void {
    const originalError = error instanceof Error ? error : new Error(String(error));
    const errors = [new GraphQLError(originalError.message, { originalError })];
    const id = error instanceof ChangesMissed ? '' : undefined;
    this.#send(formatEvent('next', this.#format({ errors }), id));
    this.#complete();
  }

  override _read(): void {
    if (!this.#isReading) this.#sendNext().catch((error) => this.destroy(error));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#release();
    done(error);
  }

  async #sendNext(): Promise<void> {
    this.#isReading = true;
    try {
      const { done, value } = await this.#events.next();
      this.#isReading = false;
      if (done) this.#complete();
      else this.#sendEvent(value);
    } catch (error) {
      this.fail(error);
    }
  }

  /** An id without a result only sets the client's last id. */
  #sendEvent({ id, ...result }: SubscriptionEvent): void {
    const isResult = 'data' in result || 'errors' in result;
    this.#send(isResult ? formatEvent('next', this.#format(result), id) : `id: ${id}\n\n`);
  }

  #complete(): void {
    this.#send(formatEvent('complete', ''));
    this.#send(null);
    this.#release();
  }

  #send(text: string | null): void {
    if (!this.destroyed && !this.#hasEnded) this.push(text);
    this.#hasEnded ||= text === null;
  }

  #release(): void {
    clearInterval(this.#heartbeat);
    this.#events.return?.().catch((error) => this.destroy(error));
  }
}

/** Formats a single result as a complete event stream. */
export function formatSingleResult(json: string): string {
  return formatEvent('next', json) + formatEvent('complete', '');
}

function formatEvent(event: string, data: string, id?: string): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `${idLine}event: ${event}\ndata: ${data}\n\n`;
}
