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
import { createCoalescer } from '../../http/coalesce.ts';
import { schema } from '../schema/schema.ts';
import { createContext, type RequestContext, type Services } from './context.ts';
import { createDocumentCaches } from './document-cache.ts';
import { createExecute } from './jit.ts';
import { documentLimits } from './limits.ts';

/** What a request asks for: the parameters of GraphQL over HTTP (section 5.1), checked. Null is the same as omitted. */
export interface GraphQLParameters {
  /** All of them as they came, before they were read. */
  readonly text: string;
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
}

/** A request on its way through GraphQL. */
export interface GraphQLRequest extends RequestContext {
  readonly parameters: GraphQLParameters;
}

/** What a request came to. */
export interface RequestOutcome {
  readonly result: ExecutionResult;
  /** What comes of a subscription, if it could begin. */
  readonly events: AsyncIterator<ExecutionResult> | null;
  /** The result as JSON, when it is without errors. */
  readonly text: string | null;
  /** Null when the text was no document. */
  readonly document: DocumentNode | null;
  readonly isValid: boolean;
}

interface Options {
  readonly services: Services;
  readonly introspection: boolean;
}

/**
 * Takes requests through Yoga's stations, with its plugins and caches, but not through its HTTP layer: what came over
 * HTTP is read and answered by the door. Equal queries of one account that wait for each other are executed once.
 */
export function createExecuteRequest({ services, introspection }: Options) {
  const yoga = createYoga<GraphQLRequest>({
    schema,
    context: (request) => createContext(services, request),
    logging: false,
    maskedErrors: false,
    parserAndValidationCache: createDocumentCaches(),
    plugins: [...documentLimits(), ...(introspection ? [] : [useSecretSchema()])],
  });
  const execute = createExecute();
  const share = createCoalescer<Pick<RequestOutcome, 'result' | 'events' | 'text'>>();

  /** @param check looks at the document before it runs, and throws when it must not */
  return async function perform(
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
      // so do the parser, and limits that see no need to look further
      if (error instanceof GraphQLError) return refuse([error], document);
      throw error;
    }

    const operation = getOperationAST(document, operationName)?.operation;
    if (operation) check(operation);
    const argsOf = async () => {
      const contextValue = await enveloped.contextFactory();
      return { schema, document: document as DocumentNode, contextValue, variableValues: variables, operationName };
    };
    if (operation === OperationTypeNode.SUBSCRIPTION) {
      const begun = (await subscribe(await argsOf())) as ExecutionResult | AsyncIterator<ExecutionResult>;
      const [result, events] = 'next' in begun ? [{}, begun] : [begun, null];
      return { result, events, text: null, document, isValid: true };
    }
    const run = async () => {
      const result = await execute(query, await argsOf());
      return { result, events: null, text: result.errors ? null : JSON.stringify(result) };
    };
    const done = operation === OperationTypeNode.QUERY ? await share(keyOf(request), run) : await run();
    return { ...done, document, isValid: true };
  };
}

/** What makes two queries equal: who asks, and for what. */
function keyOf({ identity, parameters }: GraphQLRequest): string {
  return [identity.accountId, ...identity.scopes, parameters.text].join('\n');
}

/** Introspection is refused; and what a wrong name might have meant is not said, for it would tell the right one. */
function useSecretSchema(): Plugin {
  return {
    onValidate({ addValidationRule, setValidationFn }) {
      addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((schema, document, rules) => validate(schema, document, rules, { hideSuggestions: true }));
    },
  };
}
