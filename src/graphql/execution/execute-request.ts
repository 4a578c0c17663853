import { type DocumentNode, type ExecutionResult, getOperationAST, type OperationTypeNode } from 'graphql';
import { type Awaitable, andThen } from '../../awaitable.ts';
import { loadCode } from '../../descriptors.ts';
import { createTurns } from '../../http/turns.ts';
import { createContext, type RequestContext, type Services } from './context.ts';
import { checkDocument } from './documents.ts';
import type { SubscriptionEvents } from './subscribe.ts';
import type { PhaseOptions, Phases } from './yoga.ts';

/** The parameters of GraphQL over HTTP (section 5.1), validated. Null counts as omitted. */
export interface GraphQLParameters {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
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

/** Throws if the operation must not run. */
type CheckOperation = (operation: OperationTypeNode) => void;

interface Options extends PhaseOptions {
  readonly services: Services;
}

/** Creates the way from a request to its result, through the phases of Yoga, which the first request loads. */
export function createExecuteRequest({ services, ...options }: Options) {
  const loadPhases = loadCode(async () => (await import('./yoga.ts')).createPhases(options));
  const beginInTurn = createTurns();

  return (request: GraphQLRequest, check: CheckOperation): Awaitable<RequestOutcome> =>
    andThen(loadPhases(), (phases) => {
      const run = () => runPhases(phases.begin(createContext(services, request)), request.parameters, check);
      if (phases.isChecked(request.parameters.query)) return run();
      // to parse and validate many new documents takes several turns of the event loop
      const { promise, resolve } = Promise.withResolvers<void>();
      beginInTurn(resolve);
      return promise.then(run);
    });
}

function runPhases(
  phases: ReturnType<Phases['begin']>,
  { query, operationName, variables: variableValues }: GraphQLParameters,
  check: CheckOperation,
): Awaitable<RequestOutcome> {
  const { document, errors } = checkDocument(phases, query);
  if (!document || errors.length > 0) return { result: { errors }, events: null, document, isValid: false };
  const operation = getOperationAST(document, operationName)?.operation;
  if (operation) check(operation);
  const { schema, contextFactory, execute, subscribe } = phases;
  return andThen(contextFactory() as Awaitable<unknown>, (contextValue) => {
    const args = { schema, document, contextValue, variableValues, operationName };
    const executed: Awaitable<ExecutionResult | SubscriptionEvents> = (
      operation === 'subscription' ? subscribe : execute
    )(args);
    return andThen(executed, (result) =>
      'next' in result
        ? { result: {}, events: result, document, isValid: true }
        : { result, events: null, document, isValid: true },
    );
  });
}
