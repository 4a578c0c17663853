import type { Identity } from '../domain/account.ts';
import { shownFaults } from '../errors.ts';
import { type Answer, answer } from '../http/answer.ts';
import type { Exchange, Route } from '../http/exchange.ts';
import { isBug, problemOf, TransportRefusal } from '../http/problem.ts';
import { type Log, logBug } from '../http/request-log.ts';
import type { Services } from './context.ts';
import { codeOf, presentErrors } from './errors.ts';
import { graphiqlResponse, isGraphiqlRequest } from './graphiql.ts';
import { type GraphQLRequest, readParameters } from './parameters.ts';
import { createPerform } from './perform.ts';

const RESPONSE_TYPE = 'application/graphql-response+json';

interface Options {
  readonly services: Services;
  readonly identify: (exchange: Exchange) => Promise<Identity>;
  readonly log: Log;
  readonly graphiql: boolean;
  readonly introspection: boolean;
}

/** `POST /graphql`, and GET for queries: GraphQL over HTTP. Nothing runs before the caller is known. */
export function createGraphQLRoute({ services, identify, log, graphiql, introspection }: Options) {
  const perform = createPerform({ services, introspection });
  const { pagePolicy } = services;

  async function handle(exchange: Exchange): Promise<Answer> {
    const { request, method, id } = exchange;
    if (graphiql && isGraphiqlRequest(exchange)) return graphiqlResponse(request);
    const identity = await identify(exchange);
    const parameters = await readParameters(exchange);
    const idempotencyKey = request.headers.get('idempotency-key');
    const asking: GraphQLRequest = { identity, requestId: id, idempotencyKey, parameters };
    const performed = await perform(asking, (operation) => {
      if (method === 'GET' && operation === 'mutation') {
        throw new TransportRefusal('method_not_allowed', 'Send mutations with POST.', { allow: 'POST' });
      }
    });
    if (performed.text !== null) return jsonAnswer(200, performed.text, request);
    const onBug = (bug: unknown) => logBug(log, id, bug);
    const { errors, status } = presentErrors(performed, asking, { pagePolicy, onBug });
    exchange.refusalCode = String(errors[0]?.extensions.code).toLowerCase();
    // GraphQL over HTTP, section 6.4.1: clients that know only `application/json` are told of it in the body
    const shownStatus = responseTypeOf(request) === RESPONSE_TYPE ? status : 200;
    return jsonAnswer(shownStatus, JSON.stringify({ ...performed.result, errors }), request);
  }

  const route: Route = {
    name: '/graphql',
    methods: ['GET', 'POST'],
    handle,
    refuse(error, exchange) {
      const { status, detail, headers, faults } = problemOf(error);
      const errors = faults.length > 0 ? { errors: shownFaults(faults) } : {};
      const extensions = { code: codeOf(error, isBug(error)), ...errors, request_id: exchange.id };
      return jsonAnswer(
        status,
        JSON.stringify({ errors: [{ message: detail, extensions }] }),
        exchange.request,
        headers,
      );
    },
  };
  return ({ pathname }: URL): Route | null => (pathname === '/graphql' ? route : null);
}

function jsonAnswer(status: number, text: string, request: Request, headers: Readonly<Record<string, string>> = {}) {
  const type = `${responseTypeOf(request)}; charset=utf-8`;
  return answer(text, { status, headers: { 'content-type': type, 'cache-control': 'no-store', ...headers } });
}

/** JSON whatever was asked for (RFC 9110 section 12.4.1), under GraphQL's own name where the caller knows it. */
function responseTypeOf({ headers }: Request): string {
  return headers.get('accept')?.includes(RESPONSE_TYPE) ? RESPONSE_TYPE : 'application/json';
}
