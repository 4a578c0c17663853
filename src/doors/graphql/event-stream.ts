import { Readable } from 'node:stream';
import { type ExecutionResult, GraphQLError } from 'graphql';

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
  readonly #results: AsyncIterator<ExecutionResult>;
  readonly #format: (result: ExecutionResult) => string;
  readonly #heartbeat: NodeJS.Timeout;
  #isReading = false;
  #hasEnded = false;

  /** @param format returns a result as JSON */
  constructor(results: AsyncIterator<ExecutionResult>, format: (result: ExecutionResult) => string) {
    super({ highWaterMark: MAX_BUFFERED_BYTES });
    this.#results = results;
    this.#format = format;
    this.#heartbeat = setInterval(() => this.readableLength === 0 && this.#send(HEARTBEAT), HEARTBEAT_MS).unref();
    // the first bytes of the body make the server send the headers
    this.push(HEARTBEAT);
  }

  /** Sends the error as the last result, and ends. */
  fail(error: unknown): void {
    const originalError = error instanceof Error ? error : new Error(String(error));
    const errors = [new GraphQLError(originalError.message, { originalError })];
    this.#send(formatEvent('next', this.#format({ errors })));
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
      const { done, value } = await this.#results.next();
      this.#isReading = false;
      if (done) this.#complete();
      else this.#send(formatEvent('next', this.#format(value)));
    } catch (error) {
      this.fail(error);
    }
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
    this.#results.return?.().catch((error) => this.destroy(error));
  }
}

/** Formats a single result as a complete event stream. */
export function formatSingleResult(json: string): string {
  return formatEvent('next', json) + formatEvent('complete', '');
}

function formatEvent(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}
