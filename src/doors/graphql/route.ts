import { type ExecutionResult, OperationTypeNode } from 'graphql';
import type { Identify } from '../../auth/identify.ts';
import { authorizationOf, requireShownAccount } from '../../auth/session-cookie.ts';
import { type Awaitable, andThen } from '../../awaitable.ts';
import type { Identity } from '../../domain/identity/account.ts';
import type { Services } from '../../graphql/execution/context.ts';
import { createExecuteRequest, type RequestOutcome } from '../../graphql/execution/execute-request.ts';
import type { TrustedDocuments } from '../../graphql/execution/trusted-documents.ts';
import type { PhaseOptions } from '../../graphql/execution/yoga.ts';
import type { Accepted, Exchange, Route } from '../../http/exchange.ts';
import { problemOf, TransportRefusal } from '../../http/problem.ts';
import type { Reply } from '../../http/reply.ts';
import { type Log, logBug } from '../../log.ts';
import { formatError, formatRefusal, presentErrors } from './errors.ts';
import { EventStream, formatSingleResult } from './event-stream.ts';
import type { OpenSubscriptions } from './open-subscriptions.ts';
import { readParameters, type SentOperation } from './parameters.ts';
import { createAutomaticDocuments, createTrustedResolver } from './persisted-documents.ts';
import { cacheableReply, eventReply, jsonReply, prefersEvents, requireAcceptsEvents, statusFor } from './reply.ts';

interface Options extends PhaseOptions {
  readonly services: Services;
  readonly identify: Identify;
  readonly subscriptions: OpenSubscriptions;
  readonly log: Log;
  /** Accepts requests for the page of GraphiQL; null if it is off. */
  readonly acceptPage: ((exchange: Exchange) => Awaitable<Accepted> | null) | null;
  /** Only these documents run; null for all. */
  readonly trustedDocuments: TrustedDocuments | null;
}

/** Creates `/graphql`: GraphQL over HTTP, and server-sent events. The caller is identified before anything runs. */
export function createGraphQLRoute(options: Options) {
  const { services, identify, subscriptions, log, acceptPage, trustedDocuments } = options;
  const resolveDocument = trustedDocuments ? createTrustedResolver(trustedDocuments) : createAutomaticDocuments();
  const executeRequest = createExecuteRequest(services, options);

  function accept(exchange: Exchange): Awaitable<Accepted> {
    const page = acceptPage?.(exchange);
    if (page) return page;
    const identified = identify({ authorization: authorizationOf(exchange), address: exchange.address });
    return andThen(identified, (caller) => {
      const { identity } = caller;
      requireShownAccount(exchange, identity.accountId);
      const handle = () => andThen(readParameters(exchange), (sent) => handleParameters(sent, exchange, identity));
      return { caller, handle };
    });
  }

  function handleParameters(sent: SentOperation, exchange: Exchange, identity: Identity): Awaitable<Reply> {
    const { request, method, id } = exchange;
    const query = resolveDocument(sent);
    if (query === null) {
      // clients compare the message and the code, and send the text with its hash
      const code = 'PERSISTED_QUERY_NOT_FOUND';
      const json = formatError('PersistedQueryNotFound', { code, request_id: id });
      return jsonReply(request, json, { status: statusFor(request, 400), refusalCode: code.toLowerCase() });
    }
    const idempotencyKey = request.headers.get('idempotency-key');
    const lastEventId = request.headers.get('last-event-id');
    const executed = executeRequest(
      { ...sent, query },
      { identity, requestId: id, idempotencyKey, lastEventId },
      (operation) => {
        if (method === 'GET' && operation === OperationTypeNode.MUTATION) {
          throw new TransportRefusal('method_not_allowed', 'Send mutations with POST.', { allow: 'POST' });
        }
        if (operation !== OperationTypeNode.SUBSCRIPTION) return;
        requireAcceptsEvents(request);
        subscriptions.requireCapacity(identity.tokenId);
      },
    );
    return andThen(executed, ({ result, ...outcome }) => {
      if ('next' in result) {
        const stream = new EventStream(result, (each) => formatResult({ ...outcome, result: each }, id).json);
        subscriptions.add({ stream, tokenId: identity.tokenId, authorization: authorizationOf(exchange) });
        return eventReply(stream);
      }
      const { json, status, refusalCode } = formatResult({ ...outcome, result }, id);
      if (prefersEvents(request)) return eventReply(formatSingleResult(json), refusalCode);
      if (method === 'GET' && sent.documentId !== undefined && !refusalCode) return cacheableReply(request, json);
      return jsonReply(request, json, { status: statusFor(request, status), refusalCode });
    });
  }

  /** Returns the status for clients that accept GraphQL's media type. */
  function formatResult(outcome: RequestOutcome<ExecutionResult>, requestId: string) {
    const { result } = outcome;
    if (!result.errors) return { json: JSON.stringify(result), status: 200, refusalCode: undefined };
    const { errors, status } = presentErrors(outcome, requestId, (bug) => logBug(log, requestId, bug));
    const refusalCode = String(errors[0]?.extensions.code).toLowerCase();
    return { json: JSON.stringify({ ...result, errors }), status, refusalCode };
  }

  const route: Route = {
    name: '/graphql',
    methods: ['GET', 'POST'],
    accept,
    refuse(error, { request, id }) {
      const { status, headers } = problemOf(error);
      return jsonReply(request, formatRefusal(error, id), { status, headers });
    },
  };
  return ({ pathname }: URL): Route | null => (pathname === '/graphql' ? route : null);
}
