import { type ExecutionResult, OperationTypeNode } from 'graphql';
import type { Identity } from '../../domain/identity/account.ts';
import { shownFaults } from '../../errors.ts';
import type { Services } from '../../graphql/execution/context.ts';
import type { GraphQLRequest } from '../../graphql/execution/execute-request.ts';
import { createExecuteRequest, type RequestOutcome } from '../../graphql/execution/execute-request.ts';
import type { Exchange, Route } from '../../http/exchange.ts';
import { isBug, problemOf, TransportRefusal } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { type Log, logBug } from '../../http/request-log.ts';
import { codeOf, presentErrors } from './errors.ts';
import { EventStream, onlyEvent } from './event-stream.ts';
import { graphiqlResponse, isGraphiqlRequest } from './graphiql.ts';
import type { OpenSubscriptions } from './open-subscriptions.ts';
import { readParameters } from './parameters.ts';
import { EVENT_HEADERS, jsonTypeOf, prefersEvents, RESPONSE_TYPE, requireEvents } from './response-type.ts';
import { failureOf, textsOf } from './subscription.ts';

interface Options {
  readonly services: Services;
  readonly identify: (exchange: Exchange) => Promise<Identity>;
  readonly streams: OpenSubscriptions;
  readonly log: Log;
  readonly graphiql: boolean;
  readonly introspection: boolean;
}

/** `POST /graphql`, and GET for queries: GraphQL over HTTP, and over server-sent events. Nothing runs before the caller is known. */
export function createGraphQLRoute({ services, identify, streams, log, graphiql, introspection }: Options) {
  const perform = createExecuteRequest({ services, introspection });
  const { pagePolicy } = services;

  async function handle(exchange: Exchange): Promise<Reply> {
    const { request, method, id } = exchange;
    if (graphiql && isGraphiqlRequest(exchange)) return graphiqlResponse(request);
    const identity = await identify(exchange);
    const parameters = await readParameters(exchange);
    const idempotencyKey = request.headers.get('idempotency-key');
    const asking: GraphQLRequest = { identity, requestId: id, idempotencyKey, parameters };
    const performed = await perform(asking, (operation) => {
      if (method === 'GET' && operation === OperationTypeNode.MUTATION) {
        throw new TransportRefusal('method_not_allowed', 'Send mutations with POST.', { allow: 'POST' });
      }
      if (operation !== OperationTypeNode.SUBSCRIPTION) return;
      requireEvents(request);
      streams.requireRoom(identity.tokenId);
    });
    if (performed.events) return follow(performed, performed.events, asking, request);
    const { text, status, code } = show(performed, asking);
    if (code !== undefined) exchange.refusalCode = code;
    if (prefersEvents(request)) return reply(onlyEvent(text), { headers: EVENT_HEADERS });
    // GraphQL over HTTP, section 6.4.1: clients that know only `application/json` are told of it in the body
    return jsonAnswer(jsonTypeOf(request) === RESPONSE_TYPE ? status : 200, text, request);
  }

  /** A subscription that could begin. */
  function follow(
    performed: RequestOutcome,
    events: AsyncIterator<ExecutionResult>,
    asking: GraphQLRequest,
    request: Request,
  ) {
    const showNext = (result: ExecutionResult) => show({ ...performed, result }, asking).text;
    const stream = new EventStream(textsOf(events, showNext));
    streams.keep({
      stream,
      tokenId: asking.identity.tokenId,
      authorization: request.headers.get('authorization'),
      end: (refusal) => stream.finish(showNext(failureOf(refusal))),
    });
    return reply(stream, { headers: EVENT_HEADERS });
  }

  /** A result as JSON, and its status for clients that know GraphQL's own media type. */
  function show(performed: RequestOutcome, asking: GraphQLRequest): { text: string; status: number; code?: string } {
    const { result, text } = performed;
    if (!result.errors) return { text: text ?? JSON.stringify(result), status: 200 };
    const onBug = (bug: unknown) => logBug(log, asking.requestId, bug);
    const { errors, status } = presentErrors(performed, asking, { pagePolicy, onBug });
    const code = String(errors[0]?.extensions.code).toLowerCase();
    return { text: JSON.stringify({ ...result, errors }), status, code };
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
  const type = `${jsonTypeOf(request)}; charset=utf-8`;
  return reply(text, { status, headers: { 'content-type': type, 'cache-control': 'no-store', ...headers } });
}
