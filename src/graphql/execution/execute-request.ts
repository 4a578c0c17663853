import { type ExecutionResult, getOperationAST, type OperationTypeNode } from 'graphql';
import { type Awaitable, andThen } from '../../awaitable.ts';
import { loadCode } from '../../descriptors.ts';
import type { JsonObject } from '../../domain/json.ts';
import { createTurns } from '../../http/turns.ts';
import type { OperationRequest } from './argument-faults.ts';
import { type Context, createContext, type RequestContext, type Services } from './context.ts';
import type { SubscriptionEvents } from './subscribe.ts';
import type { PhaseOptions, Phases } from './yoga.ts';

/** The parameters of GraphQL over HTTP (section 5.1), validated. Null counts as omitted; without variables, the object is empty. */
export interface GraphQLParameters {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: JsonObject;
}

export interface RequestOutcome<Result = ExecutionResult | SubscriptionEvents> {
  readonly result: Result;
  /** The operation that the request names; null if the document could not be parsed or does not contain it. */
  readonly request: OperationRequest | null;
  readonly isValid: boolean;
}

/** Throws if the operation must not run. */
type CheckOperation = (operation: OperationTypeNode) => void;

/** Creates the way from a request to its result. The first request loads the phases. */
export function createExecuteRequest(services: Services, options: PhaseOptions) {
  const loadPhases = loadCode(async () => (await import('./yoga.ts')).createPhases(options));
  const beginInTurn = createTurns();

  return (parameters: GraphQLParameters, request: RequestContext, check: CheckOperation): Awaitable<RequestOutcome> =>
    andThen(loadPhases(), (phases) => {
      const run = () => runPhases(phases, parameters, createContext(services, request), check);
      if (phases.isChecked(parameters.query)) return run();
      // to parse and validate many new documents takes several turns of the event loop
      const { promise, resolve } = Promise.withResolvers<void>();
      beginInTurn(resolve);
      return promise.then(run);
    });
}

function runPhases(
  { begin, check }: Phases,
  { query, operationName, variables }: GraphQLParameters,
  context: Context,
  checkOperation: CheckOperation,
): Awaitable<RequestOutcome> {
  const enveloped = begin(context);
  const { document, errors } = check(enveloped, query);
  const operation = document && getOperationAST(document, operationName);
  const request = operation ? { document, operation, variables, context } : null;
  if (!document || errors.length > 0) return { result: { errors }, request, isValid: false };
  if (operation) checkOperation(operation.operation);
  const { schema, contextFactory } = enveloped;
  const execute = operation?.operation === 'subscription' ? enveloped.subscribe : enveloped.execute;
  return andThen(contextFactory() as Awaitable<unknown>, (contextValue) => {
    const args = { schema, document, contextValue, variableValues: variables, operationName };
    return andThen(execute(args), (result: RequestOutcome['result']) => ({ result, request, isValid: true }));
  });
}
