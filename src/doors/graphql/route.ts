import { type ExecutionResult, OperationTypeNode } from 'graphql';
import type { Identify } from '../../auth/identify.ts';
import type { Identity } from '../../domain/identity/account.ts';
import { shownFaults } from '../../errors.ts';
import type { Services } from '../../graphql/execution/context.ts';
import type { GraphQLRequest } from '../../graphql/execution/execute-request.ts';
import { createExecuteRequest, type RequestOutcome } from '../../graphql/execution/execute-request.ts';
import type { Accepted, Exchange, Route } from '../../http/exchange.ts';
import { isBug, problemOf, TransportRefusal } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { logBug } from '../../http/request-log.ts';
import type { Log } from '../../log.ts';
import { codeOf, presentErrors } from './errors.ts';
import { EventStream, onlyEvent } from './event-stream.ts';
import { graphiqlResponse, isGraphiqlRequest } from './graphiql.ts';
import type { OpenSubscriptions } from './open-subscriptions.ts';
import { readParameters } from './parameters.ts';
import { EVENT_HEADERS, jsonTypeOf, prefersEvents, RESPONSE_TYPE, requireEvents } from './response-type.ts';
import { failureOf, textsOf } from './subscription.ts';

interface Options {
  readonly services: Services;
  readonly identify: Identify;
  readonly streams: OpenSubscriptions;
  readonly log: Log;
  readonly graphiql: boolean;
  readonly introspection: boolean;
}

/** `POST /graphql`, and GET for queries: GraphQL over HTTP, and over server-sent events. Nothing runs before the caller is known. */
export function createGraphQLRoute({ services, identify, streams, log, graphiql, introspection }: Options) {
  const perform = createExecuteRequest({ services, introspection });
  const { pagePolicy } = services;

  async function accept(exchange: Exchange): Promise<Accepted> {
    const { request, address } = exchange;
    if (graphiql && isGraphiqlRequest(exchange)) return { caller: null, handle: () => graphiqlResponse(request) };
    const caller = await identify({ authorization: request.headers.get('authorization'), address });
    return { caller, handle: () => handle(exchange, caller.identity) };
  }

  async function handle(exchange: Exchange, identity: Identity): Promise<Reply> {
    const { request, method, id } = exchange;
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
    const { text, status, refusalCode } = show(performed, asking);
    if (prefersEvents(request)) return reply(onlyEvent(text), { headers: EVENT_HEADERS, refusalCode });
    // GraphQL over HTTP, section 6.4.1: clients that know only `application/json` are told of it in the body
    return jsonReply(jsonTypeOf(request) === RESPONSE_TYPE ? status : 200, text, request, { refusalCode });
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
  function show(
    performed: RequestOutcome,
    asking: GraphQLRequest,
  ): { text: string; status: number; refusalCode?: string } {
    const { result, text } = performed;
    if (!result.errors) return { text: text ?? JSON.stringify(result), status: 200 };
    const onBug = (bug: unknown) => logBug(log, asking.requestId, bug);
    const { errors, status } = presentErrors(performed, asking, { pagePolicy, onBug });
    const refusalCode = String(errors[0]?.extensions.code).toLowerCase();
    return { text: JSON.stringify({ ...result, errors }), status, refusalCode };
  }

  const route: Route = {
    name: '/graphql',
    methods: ['GET', 'POST'],
    accept,
    refuse(error, exchange) {
      const { status, detail, headers, faults } = problemOf(error);
      const errors = faults.length > 0 ? { errors: shownFaults(faults) } : {};
      const extensions = { code: codeOf(error, isBug(error)), ...errors, request_id: exchange.id };
      return jsonReply(status, JSON.stringify({ errors: [{ message: detail, extensions }] }), exchange.request, {
        headers,
      });
    },
  };
  return ({ pathname }: URL): Route | null => (pathname === '/graphql' ? route : null);
}

function jsonReply(
  status: number,
  text: string,
  request: Request,
  {
    headers,
    refusalCode,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly refusalCode?: string | undefined },
) {
  const type = `${jsonTypeOf(request)}; charset=utf-8`;
  const all = { 'content-type': type, 'cache-control': 'no-store', ...headers };
  return reply(text, { status, headers: all, refusalCode });
}
