import { setTimeout as pause } from 'node:timers/promises';
import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { isUnavailable, type Refusal } from '../../errors.ts';
import type { ChangeStream } from '../../store/changes/changes.ts';
import { eventIdOf, type FeedChange } from '../../store/changes/feed.ts';
import type { Context } from './context.ts';
import { RequestBudget } from './request-budget.ts';

/** A result of a subscription. The first has only an id, that of the position before the first event. */
export interface SubscriptionEvent extends ExecutionResult {
  /** A client that sends it as `Last-Event-ID` continues after this event. */
  readonly id: string;
}

export type SubscriptionEvents = AsyncIterableIterator<SubscriptionEvent, undefined>;

const RETRY_MS = 1_000;
/** A stream ends before an event whose embed cannot be read for longer than this. */
const EVENT_TIMEOUT_MS = 60_000;

/**
 * Does what `subscribe` of graphql-js does, and gives each event its id.
 * @throws {Refusal} `unavailable` if changes cannot be received now: no stream begins
 */
export async function subscribe(args: ExecutionArgs): Promise<SubscriptionEvents | ExecutionResult> {
  const source = (await createSourceEventStream(args)) as ExecutionResult | ChangeStream;
  if (!('next' in source)) {
    const unavailable = findUnavailable(source);
    if (unavailable) throw unavailable;
    return source;
  }
  let hasEnded = false;

  /** Waits while the database is away: clients would take an embed that cannot be read for a deleted one. */
  async function executeEvent(change: FeedChange): Promise<ExecutionResult> {
    const deadline = performance.now() + EVENT_TIMEOUT_MS;
    for (;;) {
      // each event has the budget of a request
      const contextValue = { ...(args.contextValue as Context), budget: new RequestBudget() };
      const result = await execute({ ...args, rootValue: change, contextValue });
      const unavailable = findUnavailable(result);
      if (!unavailable) return result;
      if (hasEnded || performance.now() > deadline) throw unavailable;
      await pause(RETRY_MS, undefined, { ref: false });
    }
  }

  async function* readEvents(changes: ChangeStream): AsyncGenerator<SubscriptionEvent, undefined> {
    yield { id: eventIdOf(changes.start) };
    for await (const change of changes) yield { ...(await executeEvent(change)), id: eventIdOf(change) };
  }

  const events = readEvents(source);
  // that of the generator waits for the next change
  events.return = async () => {
    hasEnded = true;
    await source.return?.();
    return { done: true, value: undefined };
  };
  return events;
}

function findUnavailable({ errors = [] }: ExecutionResult): Refusal | undefined {
  return errors.map(({ originalError }): unknown => originalError).find(isUnavailable);
}
