import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { PagePolicy } from '#reader/page-url';
import type { Identify } from '../../auth/identify.ts';
import { andThen } from '../../awaitable.ts';
import type { Identity } from '../../domain/identity/account.ts';
import { hasTooManyNames, type JsonObject, MAX_NAMES, requireJsonObject } from '../../domain/json.ts';
import { Refusal } from '../../errors.ts';
import type { OperationRunner } from '../../graphql/execution/run-operation.ts';
import { decodeUtf8, readBody } from '../../http/body.ts';
import type { CorsOrigins } from '../../http/common-headers.ts';
import type { Exchange, IncomingRequest, Route } from '../../http/exchange.ts';
import { TransportRefusal } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { type Log, logBug } from '../../log.ts';
import type { Caller } from './read-page.ts';
import { createServer, findInvalidParams } from './server.ts';

interface Options {
  readonly runFor: OperationRunner;
  readonly identify: Identify;
  readonly pagePolicy: PagePolicy;
  readonly now: () => Date;
  readonly corsOrigins: CorsOrigins;
  readonly log: Log;
}

/** Pages that a person opened on the same machine, such as the inspector of the protocol. */
const LOCAL_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/**
 * Creates `/mcp`: the Model Context Protocol over streamable HTTP, without sessions. Each POST is one message and counts as one
 * request of the token; there are no streams, so GET gets 405, which clients expect.
 */
export function createMcpRoute({ runFor, identify, pagePolicy, now, corsOrigins, log }: Options): Route {
  return {
    name: '/mcp',
    methods: ['POST'],
    accept({ request, address }) {
      requireKnownOrigin(request, corsOrigins);
      const identified = identify({ authorization: request.headers.get('authorization'), address });
      return andThen(identified, (caller) => ({ caller, handle: (exchange) => handle(exchange, caller.identity) }));
    },
  };

  async function handle({ request, url, id }: Exchange, identity: Identity): Promise<Reply> {
    const parsedBody = await readMessage(request);
    const caller: Caller = {
      identity,
      pagePolicy,
      now,
      run: runFor({ identity, requestId: id, idempotencyKey: null }),
    };
    const server = createServer(caller, id, (error) => logBug(log, id, error));
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const receive = transport.onmessage;
    transport.onmessage = (message, extra) => {
      const refusal = findInvalidParams(message);
      if (refusal) void transport.send(refusal);
      else receive?.(message, extra);
    };
    try {
      const names = ['accept', 'content-type', 'mcp-protocol-version'] as const;
      const headers = names.flatMap((name) => {
        const value = request.headers.get(name);
        return value === null ? [] : [[name, value] as [string, string]];
      });
      // a URL with a user name is refused
      const message = new Request(url.origin + url.pathname, { method: 'POST', headers });
      const response = await transport.handleRequest(message, { parsedBody });
      const type = response.headers.get('content-type');
      return reply(await response.text(), {
        status: response.status,
        headers: { ...(type !== null && { 'content-type': type }), 'cache-control': 'no-store' },
      });
    } finally {
      await server.close();
    }
  }
}

/**
 * Refuses requests from pages that the operator has not allowed (DNS rebinding): the name of such a page may lead to this
 * gateway. `CORS_ORIGIN=*` allows no page here.
 */
function requireKnownOrigin({ headers }: IncomingRequest, origins: CorsOrigins): void {
  const origin = headers.get('origin');
  if (origin === null || LOCAL_ORIGIN.test(origin) || (origins !== '*' && origins.includes(origin))) return;
  throw new TransportRefusal(
    'site_not_allowed',
    'Pages of this origin may not call /mcp: the operator allows origins in CORS_ORIGIN.',
  );
}

async function readMessage(request: IncomingRequest): Promise<JsonObject> {
  // a batch would count as one request
  const expected = 'one JSON-RPC message: batches are not supported';
  const message = requireJsonObject(decodeUtf8(await readBody(request)), expected);
  if (!hasTooManyNames(message)) return message;
  throw new Refusal('malformed', `An object of the message has more than ${MAX_NAMES} names.`);
}
