import { GraphQLError, getOperationAST } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Identity } from '../domain/account.ts';
import { Refusal } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { decodeUtf8, mediaTypeOf, readBody } from '../http/body.ts';
import type { Exchange, Route } from '../http/exchange.ts';
import { isBug, problemOf, TransportRefusal } from '../http/problem.ts';
import { type Log, logBug } from '../http/request-log.ts';
import type { Context, RequestContext, Services } from './context.ts';
import { codeOf, presentError } from './errors.ts';
import { graphiqlResponse, isGraphiqlRequest } from './graphiql.ts';
import { documentLimits } from './limits.ts';
import { schema } from './schema.ts';
import { findVariablesRefusal } from './variables.ts';

const RESPONSE_TYPE = 'application/graphql-response+json';

interface Options {
  readonly services: Services;
  readonly identify: (exchange: Exchange) => Promise<Identity>;
  readonly log: Log;
  readonly graphiql: boolean;
}

/** `POST /graphql`, and GET for queries: GraphQL over HTTP. Nothing runs before the caller is known. */
export function createGraphQLRoute({ services, identify, log, graphiql }: Options): (url: URL) => Route | null {
  const yoga = createYoga<RequestContext>({
    schema,
    graphqlEndpoint: '/graphql',
    context: (request) => ({ ...services, ...request }),
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    logging: false,
    maskedErrors: false,
    plugins: [...documentLimits(), useVariablesRefusal(), usePresentedErrors(log)],
  });

  const route: Route = {
    name: '/graphql',
    methods: ['GET', 'POST'],

    async handle(exchange) {
      if (graphiql && isGraphiqlRequest(exchange)) return graphiqlResponse(exchange.request);
      const identity = await identify(exchange);
      const response = await yoga.fetch(await boundedRequest(exchange), {
        identity,
        requestId: exchange.id,
        idempotencyKey: exchange.request.headers.get('idempotency-key'),
      });
      const headers = { ...Object.fromEntries(response.headers), 'cache-control': 'no-store' };
      return answer(await response.text(), { status: response.status, headers });
    },

    refuse(error, exchange) {
      const { status, detail, headers } = problemOf(error);
      const accept = exchange.request.headers.get('accept') ?? '';
      const type = accept.includes(RESPONSE_TYPE) ? RESPONSE_TYPE : 'application/json';
      const extensions = { code: codeOf(error, isBug(error)), request_id: exchange.id };
      return answer(JSON.stringify({ errors: [{ message: detail, extensions }] }), {
        status,
        headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...headers },
      });
    },
  };
  return ({ pathname }) => (pathname === '/graphql' ? route : null);
}

/** The request with its body read, within the limit that all doors share. */
async function boundedRequest({ request, method, url }: Exchange): Promise<Request> {
  const { headers } = request;
  if (method === 'GET') return new Request(url, { headers });
  if (mediaTypeOf(request) !== 'application/json') {
    throw new TransportRefusal('unsupported_media_type', 'Send the operation as application/json.');
  }
  const body = decodeUtf8(await readBody(request));
  requireJson(body);
  return new Request(url, { method, headers, body });
}

/** Yoga answers broken JSON with 200 to clients that accept only `application/json`; the specification wants 400. */
function requireJson(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    throw new Refusal('malformed', 'The body is not valid JSON.');
  }
}

/** Variables that do not fit are refused with every fault at once, not only with the first ones that GraphQL finds. */
function useVariablesRefusal(): Plugin<RequestContext> {
  return {
    onExecute({ args }) {
      return {
        onExecuteDone({ result, setResult }) {
          if (!('errors' in result) || 'data' in result) return;
          const operation = getOperationAST(args.document, args.operationName);
          if (!operation) return;
          const variables = args.variableValues ?? {};
          const context = args.contextValue as unknown as Context;
          const refusal = findVariablesRefusal({ schema, operation, variables, context });
          if (refusal) setResult({ errors: [asRequestError(refusal)] });
        },
      };
    },
  };
}

/** A refusal before execution: 400, or 200 for clients that accept only `application/json` (GraphQL over HTTP, 6.4.1). */
function asRequestError(refusal: Refusal): GraphQLError {
  return new GraphQLError(refusal.message, {
    originalError: refusal,
    extensions: { http: { spec: true, status: 400 } },
  });
}

/** The one place where errors become what clients see. */
function usePresentedErrors(log: Log): Plugin<RequestContext> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (!('errors' in result) || !result.errors) return;
      const { requestId } = serverContext as unknown as RequestContext;
      const errors = result.errors.map((error) => presentError(error, requestId, (bug) => logBug(log, requestId, bug)));
      setResult({ ...result, errors });
    },
  };
}
