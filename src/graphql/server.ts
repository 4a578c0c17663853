import { NoSchemaIntrospectionCustomRule, validate } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Identity } from '../domain/account.ts';
import { shownFaults } from '../errors.ts';
import { answer } from '../http/answer.ts';
import type { Exchange, Route } from '../http/exchange.ts';
import { isBug, problemOf } from '../http/problem.ts';
import { type Log, logBug } from '../http/request-log.ts';
import type { Services } from './context.ts';
import { createDocumentCaches } from './document-cache.ts';
import { codeOf, usePresentedErrors } from './errors.ts';
import { graphiqlResponse, isGraphiqlRequest } from './graphiql.ts';
import { documentLimits } from './limits.ts';
import { type GraphQLRequest, readParameters } from './parameters.ts';
import { schema } from './schema.ts';

const RESPONSE_TYPE = 'application/graphql-response+json';

interface Options {
  readonly services: Services;
  readonly identify: (exchange: Exchange) => Promise<Identity>;
  readonly log: Log;
  readonly graphiql: boolean;
  readonly introspection: boolean;
}

/** `POST /graphql`, and GET for queries: GraphQL over HTTP. Nothing runs before the caller is known. */
export function createGraphQLRoute(options: Options): (url: URL) => Route | null {
  const { services, identify, log, graphiql, introspection } = options;
  const yoga = createYoga<GraphQLRequest>({
    schema,
    graphqlEndpoint: '/graphql',
    context: (request) => ({ ...services, ...request }),
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    logging: false,
    maskedErrors: false,
    parserAndValidationCache: createDocumentCaches(),
    plugins: [
      useReadParameters(),
      ...documentLimits(),
      ...(introspection ? [] : [useSecretSchema()]),
      usePresentedErrors(services.pagePolicy, (bug, requestId) => logBug(log, requestId, bug)),
    ],
  });

  const route: Route = {
    name: '/graphql',
    methods: ['GET', 'POST'],

    async handle(exchange) {
      const { request, url, method, id } = exchange;
      if (graphiql && isGraphiqlRequest(exchange)) return graphiqlResponse(request);
      const identity = await identify(exchange);
      const parameters = await readParameters(exchange);
      const response = await yoga.fetch(new Request(url, { method, headers: { accept: responseTypeOf(request) } }), {
        identity,
        requestId: id,
        idempotencyKey: request.headers.get('idempotency-key'),
        parameters,
      });
      const headers = { ...Object.fromEntries(response.headers), 'cache-control': 'no-store' };
      return answer(await response.text(), { status: response.status, headers });
    },

    refuse(error, exchange) {
      const { status, detail, headers, faults } = problemOf(error);
      const errors = faults.length > 0 ? { errors: shownFaults(faults) } : {};
      const extensions = { code: codeOf(error, isBug(error)), ...errors, request_id: exchange.id };
      const type = responseTypeOf(exchange.request);
      return answer(JSON.stringify({ errors: [{ message: detail, extensions }] }), {
        status,
        headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...headers },
      });
    },
  };
  return ({ pathname }) => (pathname === '/graphql' ? route : null);
}

/** JSON whatever was asked for (RFC 9110 section 12.4.1), under GraphQL's own name where the caller knows it. */
function responseTypeOf({ headers }: Request): string {
  return headers.get('accept')?.includes(RESPONSE_TYPE) ? RESPONSE_TYPE : 'application/json';
}

/** Yoga takes the parameters as they were read here: one reading, one set of faults. */
function useReadParameters(): Plugin<GraphQLRequest> {
  return {
    onRequestParse({ setRequestParser, serverContext }) {
      setRequestParser(() => (serverContext as unknown as GraphQLRequest).parameters as never);
    },
  };
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
