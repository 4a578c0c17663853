import { type DocumentNode, type ExecutionResult, getOperationAST, OperationTypeNode, subscribe } from 'graphql';
import { createCoalescer } from '../../http/coalesce.ts';
import { schema } from '../schema/schema.ts';
import { createContext, type RequestContext, type Services } from './context.ts';
import type { CheckDocument } from './documents.ts';
import { createExecute } from './jit.ts';

/** The parameters of GraphQL over HTTP (section 5.1), validated. Null counts as omitted. */
export interface GraphQLParameters {
  /** The query string or body that contained the parameters. */
  readonly text: string;
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
  readonly events: AsyncIterator<ExecutionResult> | null;
  /** The result as JSON; null if it has errors. */
  readonly text: string | null;
  readonly document: DocumentNode | null;
  readonly isValid: boolean;
}

interface Options {
  readonly services: Services;
  readonly checkDocument: CheckDocument;
}

/** Equal queries of one account in a turn of the event loop run once. */
export function createExecuteRequest({ services, checkDocument }: Options) {
  const execute = createExecute();
  const coalesce = createCoalescer<Pick<RequestOutcome, 'result' | 'events' | 'text'>>();

  /** @param check throws if the operation must not run */
  return async function executeRequest(
    request: GraphQLRequest,
    check: (operation: OperationTypeNode) => void,
  ): Promise<RequestOutcome> {
    const { query, operationName, variables: variableValues } = request.parameters;
    const { document, errors } = checkDocument(query);
    if (!document || errors.length > 0)
      return { result: { errors }, events: null, text: null, document, isValid: false };

    const operation = getOperationAST(document, operationName)?.operation;
    if (operation) check(operation);
    const createArgs = () => {
      return { schema, document, contextValue: createContext(services, request), variableValues, operationName };
    };
    if (operation === OperationTypeNode.SUBSCRIPTION) {
      const subscribed = (await subscribe(createArgs())) as ExecutionResult | AsyncIterator<ExecutionResult>;
      const [result, events] = 'next' in subscribed ? [{}, subscribed] : [subscribed, null];
      return { result, events, text: null, document, isValid: true };
    }
    const run = async () => {
      const result = await execute(query, createArgs());
      return { result, events: null, text: result.errors ? null : JSON.stringify(result) };
    };
    const executed = operation === OperationTypeNode.QUERY ? await coalesce(queryKeyOf(request), run) : await run();
    return { ...executed, document, isValid: true };
  };
}

function queryKeyOf({ identity, parameters }: GraphQLRequest): string {
  return [identity.accountId, ...identity.scopes, parameters.text].join('\n');
}
