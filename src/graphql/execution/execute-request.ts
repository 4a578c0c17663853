import { setTimeout as pause } from 'node:timers/promises';
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute as executeOnce,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import { type Awaitable, andThen } from '../../awaitable.ts';
import { Refusal } from '../../errors.ts';
import type { ChangeStream } from '../../store/changes/changes.ts';
import { eventIdOf, type FeedChange } from '../../store/changes/feed.ts';
import { schema } from '../schema/schema.ts';
import { createContext, type RequestContext, type Services } from './context.ts';
import type { CheckDocument } from './documents.ts';
import { createExecute } from './jit.ts';
import { executeMutations } from './mutations.ts';

/** The parameters of GraphQL over HTTP (section 5.1), validated. Null counts as omitted. */
export interface GraphQLParameters {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
}

export interface GraphQLRequest extends RequestContext {
  readonly parameters: GraphQLParameters;
}

export interface RequestOutcome {
  readonly result: ExecutionResult;
  /** The events of a subscription; null for other operations and if the subscription failed. */
  readonly events: SubscriptionEvents | null;
  readonly document: DocumentNode | null;
  readonly isValid: boolean;
}

export interface SubscriptionEvent {
  /** A client that sends it as `Last-Event-ID` continues after this event. */
  readonly id: string;
  readonly result: ExecutionResult;
}

export interface SubscriptionEvents extends AsyncIterator<SubscriptionEvent, undefined> {
  /** The id of the position before the first event. */
  readonly startId: string;
}

const EVENT_RETRY_MS = 1_000;
/** A stream ends before an event whose embed cannot be read for longer than this. */
const EVENT_TIMEOUT_MS = 60_000;

interface Options {
  readonly services: Services;
  readonly checkDocument: CheckDocument;
}

export function createExecuteRequest({ services, checkDocument }: Options) {
  const execute = createExecute();

  /** @param check throws if the operation must not run */
  return function executeRequest(
    request: GraphQLRequest,
    check: (operation: OperationTypeNode) => void,
  ): Awaitable<RequestOutcome> {
    return andThen(checkDocument(request.parameters.query), ({ document, errors }) => {
      if (document && errors.length === 0) return executeChecked(document, request, check);
      return { result: { errors }, events: null, document, isValid: false };
    });
  };

  function executeChecked(
    document: DocumentNode,
    request: GraphQLRequest,
    check: (operation: OperationTypeNode) => void,
  ): Awaitable<RequestOutcome> {
    const { query, operationName, variables: variableValues } = request.parameters;
    const operation = getOperationAST(document, operationName);
    if (operation) check(operation.operation);
    const createArgs = () => {
      return { schema, document, contextValue: createContext(services, request), variableValues, operationName };
    };
    const complete = (executed: Executed) => ({ ...executed, document, isValid: true });
    if (operation?.operation === OperationTypeNode.SUBSCRIPTION) return subscribe(createArgs()).then(complete);
    const isMutation = operation?.operation === OperationTypeNode.MUTATION;
    const executed = isMutation ? executeMutations(createArgs(), operation) : execute(query, createArgs());
    return andThen(executed, (result) => complete({ result, events: null }));
  }
}

type Executed = Pick<RequestOutcome, 'result' | 'events'>;

/**
 * Does what `subscribe` of graphql-js does, and gives each event its id.
 * @throws {Refusal} `unavailable` if changes cannot be received now: no stream begins
 */
async function subscribe(args: ExecutionArgs): Promise<Executed> {
  const source = (await createSourceEventStream(args)) as ExecutionResult | ChangeStream;
  if (!('next' in source)) {
    const unavailable = findUnavailable(source);
    if (unavailable) throw unavailable;
    return { result: source, events: null };
  }
  let hasEnded = false;

  /** Waits while the database is away: clients would take an embed that cannot be read for a deleted one. */
  async function executeEvent(change: FeedChange): Promise<ExecutionResult> {
    const deadline = performance.now() + EVENT_TIMEOUT_MS;
    for (;;) {
      const result = await executeOnce({ ...args, rootValue: change });
      const unavailable = findUnavailable(result);
      if (!unavailable) return result;
      if (hasEnded || performance.now() > deadline) throw unavailable;
      await pause(EVENT_RETRY_MS, undefined, { ref: false });
    }
  }

  const events: SubscriptionEvents = {
    startId: eventIdOf(source.start),
    async next() {
      const { done, value } = await source.next();
      if (done) return { done, value: undefined };
      return { value: { id: eventIdOf(value), result: await executeEvent(value) } };
    },
    async return() {
      hasEnded = true;
      await source.return?.();
      return { done: true, value: undefined };
    },
  };
  return { result: {}, events };
}

function findUnavailable({ errors = [] }: ExecutionResult): Refusal | null {
  for (const { originalError } of errors) {
    if (originalError instanceof Refusal && originalError.code === 'unavailable') return originalError;
  }
  return null;
}
