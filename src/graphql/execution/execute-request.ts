import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  subscribe,
  validate,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { createCoalescer } from '../../http/coalesce.ts';
import { schema } from '../schema/schema.ts';
import { createContext, type RequestContext, type Services } from './context.ts';
import { createExecute } from './jit.ts';
import { documentLimits } from './limits.ts';

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
  readonly introspection: boolean;
}

/** Uses Yoga's plugins and caches without its HTTP layer. Equal queries of one account in a turn of the event loop run once. */
export function createExecuteRequest({ services, introspection }: Options) {
  const yoga = createYoga<GraphQLRequest>({
    schema,
    context: (request) => createContext(services, request),
    logging: false,
    maskedErrors: false,
    parserAndValidationCache: createDocumentCaches(),
    plugins: [...documentLimits(), ...(introspection ? [] : [useHiddenSchema()])],
  });
  const execute = createExecute();
  const coalesce = createCoalescer<Pick<RequestOutcome, 'result' | 'events' | 'text'>>();

  /** @param check throws if the operation must not run */
  return async function executeRequest(
    request: GraphQLRequest,
    check: (operation: OperationTypeNode) => void,
  ): Promise<RequestOutcome> {
    const { query, operationName, variables } = request.parameters;
    const enveloped = yoga.getEnveloped(request as never);
    const refuse = (errors: readonly GraphQLError[], document: DocumentNode | null = null) => ({
      result: { errors },
      events: null,
      text: null,
      document,
      isValid: false,
    });

    let document: DocumentNode | null = null;
    try {
      document = enveloped.parse(query) as DocumentNode;
      const errors = enveloped.validate(schema, document) as readonly GraphQLError[];
      if (errors.length > 0) return refuse(errors, document);
    } catch (error) {
      if (error instanceof GraphQLError) return refuse([error], document);
      throw error;
    }

    const operation = getOperationAST(document, operationName)?.operation;
    if (operation) check(operation);
    const createArgs = async () => {
      const contextValue = await enveloped.contextFactory();
      return { schema, document: document as DocumentNode, contextValue, variableValues: variables, operationName };
    };
    if (operation === OperationTypeNode.SUBSCRIPTION) {
      const subscribed = (await subscribe(await createArgs())) as ExecutionResult | AsyncIterator<ExecutionResult>;
      const [result, events] = 'next' in subscribed ? [{}, subscribed] : [subscribed, null];
      return { result, events, text: null, document, isValid: true };
    }
    const run = async () => {
      const result = await execute(query, await createArgs());
      return { result, events: null, text: result.errors ? null : JSON.stringify(result) };
    };
    const executed = operation === OperationTypeNode.QUERY ? await coalesce(queryKeyOf(request), run) : await run();
    return { ...executed, document, isValid: true };
  };
}

function queryKeyOf({ identity, parameters }: GraphQLRequest): string {
  return [identity.accountId, ...identity.scopes, parameters.text].join('\n');
}

/** Rejects introspection, and leaves "Did you mean" out of errors, since it reveals names of the schema. */
function useHiddenSchema(): Plugin {
  return {
    onValidate({ addValidationRule, setValidationFn }) {
      addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((schema, document, rules) => validate(schema, document, rules, { hideSuggestions: true }));
    },
  };
}

/** The memory of a parsed document per token, measured. */
const TOKEN_BYTES = 500;
const MAX_CACHED_BYTES = 16_000_000;

/** Limits the caches by memory, since a document of 4 kB can take 1 MB, and clients may send a new one with each request. */
export function createDocumentCaches() {
  const options = { maxSize: MAX_CACHED_BYTES, sizeCalculation: bytesOf };
  const errors = new LRUCache<string, object>(options);
  return {
    documentCache: new LRUCache<string, DocumentNode>(options),
    errorCache: {
      get: (text: string) => errors.get(text),
      set: (text: string, error: unknown) => void errors.set(text, error as Error),
    },
  };
}

function bytesOf(parsed: object, text: string): number {
  const { tokenCount = 0 } = parsed as DocumentNode;
  return 1_000 + 2 * text.length + TOKEN_BYTES * tokenCount;
}
