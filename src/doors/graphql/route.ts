import { type ExecutionResult, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Identify } from '../../auth/identify.ts';
import { authorizationOf } from '../../auth/session-cookie.ts';
import { type Awaitable, andThen } from '../../awaitable.ts';
import type { Identity } from '../../domain/identity/account.ts';
import { shownFaults } from '../../errors.ts';
import type { Services } from '../../graphql/execution/context.ts';
import {
  createExecuteRequest,
  type GraphQLRequest,
  type RequestOutcome,
} from '../../graphql/execution/execute-request.ts';
import type { TrustedDocuments } from '../../graphql/execution/trusted-documents.ts';
import type { Accepted, Exchange, Route } from '../../http/exchange.ts';
import { isBug, problemOf, TransportRefusal } from '../../http/problem.ts';
import type { Reply } from '../../http/reply.ts';
import { type Log, logBug } from '../../log.ts';
import { codeOf, presentErrors } from './errors.ts';
import { EventStream, formatSingleResult } from './event-stream.ts';
import type { OpenSubscriptions } from './open-subscriptions.ts';
import { readParameters, type SentParameters } from './parameters.ts';
import { createAutomaticDocuments, createTrustedResolver, PERSISTED_QUERY_NOT_FOUND } from './persisted-documents.ts';
import { cacheableReply, eventReply, jsonReply, prefersEvents, requireAcceptsEvents, statusFor } from './reply.ts';

interface Options {
  readonly services: Services;
  readonly identify: Identify;
  readonly subscriptions: OpenSubscriptions;
  readonly log: Log;
  /** Accepts requests for the page of GraphiQL; null if it is off. */
  readonly acceptPage: ((exchange: Exchange) => Awaitable<Accepted> | null) | null;
  readonly introspection: boolean;
  /** Plugins of Yoga for the phases of a request. */
  readonly plugins?: readonly Plugin[] | undefined;
  /** Only these documents run; null for all. */
  readonly trustedDocuments: TrustedDocuments | null;
}

/** Creates `/graphql`: GraphQL over HTTP, and server-sent events. The caller is identified before anything runs. */
export function createGraphQLRoute(options: Options) {
  const { services, identify, subscriptions, log, acceptPage, introspection, plugins = [], trustedDocuments } = options;
  const resolveDocument = trustedDocuments ? createTrustedResolver(trustedDocuments) : createAutomaticDocuments();
  const executeRequest = createExecuteRequest({ services, introspection, plugins });
  const { pagePolicy } = services;

  function accept(exchange: Exchange): Awaitable<Accepted> {
    const { address } = exchange;
    const page = acceptPage?.(exchange);
    if (page) return page;
    const authorization = authorizationOf(exchange);
    const identified = identify({ authorization, address });
    return andThen(identified, (caller) => ({ caller, handle: () => handle(exchange, caller.identity) }));
  }

  function handle(exchange: Exchange, identity: Identity): Awaitable<Reply> {
    return andThen(readParameters(exchange), (sent) => handleParameters(sent, exchange, identity));
  }

  function handleParameters(sent: SentParameters, exchange: Exchange, identity: Identity): Awaitable<Reply> {
    const { request, method, id } = exchange;
    const query = resolveDocument(sent);
    if (query === null) return persistedQueryNotFound(exchange);
    const parameters = { ...sent, query };
    const idempotencyKey = request.headers.get('idempotency-key');
    const lastEventId = request.headers.get('last-event-id');
    const graphqlRequest: GraphQLRequest = { identity, requestId: id, idempotencyKey, lastEventId, parameters };
    const executed = executeRequest(graphqlRequest, (operation) => {
      if (method === 'GET' && operation === OperationTypeNode.MUTATION) {
        throw new TransportRefusal('method_not_allowed', 'Send mutations with POST.', { allow: 'POST' });
      }
      if (operation !== OperationTypeNode.SUBSCRIPTION) return;
      requireAcceptsEvents(request);
      subscriptions.requireCapacity(identity.tokenId);
    });
    return andThen(executed, (outcome) => {
      if (outcome.events) {
        const format = (result: ExecutionResult) => formatResult({ ...outcome, result }, graphqlRequest).json;
        const stream = new EventStream(outcome.events, format);
        const authorization = authorizationOf(exchange);
        subscriptions.add({ stream, tokenId: identity.tokenId, authorization });
        return eventReply(stream);
      }
      const { json, status, refusalCode } = formatResult(outcome, graphqlRequest);
      if (prefersEvents(request)) return eventReply(formatSingleResult(json), refusalCode);
      if (method === 'GET' && sent.documentId !== undefined && !refusalCode) return cacheableReply(request, json);
      return jsonReply(request, json, { status: statusFor(request, status), refusalCode });
    });
  }

  function persistedQueryNotFound({ request, id }: Exchange): Reply {
    const { message, extensions } = PERSISTED_QUERY_NOT_FOUND;
    const json = JSON.stringify({ errors: [{ message, extensions: { ...extensions, request_id: id } }] });
    const refusalCode = extensions.code.toLowerCase();
    return jsonReply(request, json, { status: statusFor(request, 400), refusalCode });
  }

  /** Returns the status for clients that accept GraphQL's media type. */
  function formatResult(outcome: RequestOutcome, request: GraphQLRequest) {
    const { result } = outcome;
    if (!result.errors) return { json: JSON.stringify(result), status: 200, refusalCode: undefined };
    const onBug = (bug: unknown) => logBug(log, request.requestId, bug);
    const { errors, status } = presentErrors(outcome, request, { pagePolicy, onBug });
    const refusalCode = String(errors[0]?.extensions.code).toLowerCase();
    return { json: JSON.stringify({ ...result, errors }), status, refusalCode };
  }

  const route: Route = {
    name: '/graphql',
    methods: ['GET', 'POST'],
    accept,
    refuse(error, { request, id }) {
      const { status, detail, headers, faults } = problemOf(error);
      const errors = faults.length > 0 ? { errors: shownFaults(faults) } : {};
      const extensions = { code: codeOf(error, isBug(error)), ...errors, request_id: id };
      return jsonReply(request, JSON.stringify({ errors: [{ message: detail, extensions }] }), { status, headers });
    },
  };
  return ({ pathname }: URL): Route | null => (pathname === '/graphql' ? route : null);
}
