import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Awaitable } from '../../awaitable.ts';
import type { IncomingRequest } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import { MAX_TURN_MS } from '../turns.ts';
import { createClientErrorHandler, MAX_HEADER_BYTES, refuseTunnels } from './client-errors.ts';
import { trackConnections } from './connections.ts';
import { NodeRequest } from './node-request.ts';
import { type SendTimeouts, send } from './send.ts';
import { createUnsentBound } from './unsent-bytes.ts';

// an import would read all exports of the module, one of which loads Node's undici: a twentieth of the time of a start
const { createServer } = process.getBuiltinModule('node:http');

/** Bounds of slow senders and readers, in milliseconds. */
export interface Timeouts extends SendTimeouts {
  /** Senders are disconnected when their headers or their request have not arrived after this time. */
  readonly headersMs: number;
  readonly requestMs: number;
  readonly checkIntervalMs: number;
  /** Connections without a request are closed after this time. */
  readonly keepAliveMs: number;
  /** The same while the listener closes. */
  readonly lastRequestMs: number;
}

const TIMEOUTS: Timeouts = {
  headersMs: 5_000,
  requestMs: 8_000,
  checkIntervalMs: 1_000,
  // longer than load balancers and clients keep idle connections, which is up to 60 s by default
  keepAliveMs: 65_000,
  lastRequestMs: 5_000,
  discardMs: 10_000,
  maxWaitMs: 30_000,
};
/** Connections with a request are closed after this time without traffic, even if data remain to be sent. */
const IDLE_TIMEOUT_MS = 30_000;
/** The longest responses of the API have 8 MB. */
const MAX_UNSENT_BYTES = 128 * 1024 * 1024;
/** Requests that are handled together. In a larger group, requests that wait for nothing would fill the bound of a door. */
const MAX_GROUP = 64;
/** Connections that wait to be accepted, limited by `net.core.somaxconn`. Beyond the limit, clients retry after 1, 3 and 7 s. */
const BACKLOG = 10_000;

interface Options {
  readonly port: number;
  readonly host: string;
  readonly handle: (request: IncomingRequest) => Awaitable<Reply>;
  /** Over this limit, the connection that has been idle for the longest time is closed. */
  readonly maxConnections?: number;
  /** Of bodies that clients have not read, over all connections: see {@link createUnsentBound}. */
  readonly maxUnsentBytes?: number;
  /** Replaces some of {@link TIMEOUTS}. */
  readonly timeouts?: Partial<Timeouts>;
}

export interface Listener {
  readonly port: number;
  /** Resolves when all connections are closed. After `graceMs`, the remaining ones are destroyed. */
  close(graceMs: number): Promise<void>;
}

/** Rejects with the error of `net.Server.listen`, such as EADDRINUSE. */
export async function listen({
  port,
  host,
  handle,
  maxConnections = BACKLOG,
  maxUnsentBytes = MAX_UNSENT_BYTES,
  timeouts: given,
}: Options): Promise<Listener> {
  const timeouts = { ...TIMEOUTS, ...given };
  const noteUnsent = createUnsentBound(maxUnsentBytes);
  /** Requests that wait for the end of this turn of the event loop. */
  const arrived: NodeRequest[] = [];

  /**
   * Answers the requests of a turn together: the processor keeps the code in its caches, and a client or proxy that sent
   * several wakes up once for all replies that are there at once.
   */
  function handleArrived(): void {
    const replies: (Reply | null)[] = [];
    const endMs = performance.now() + MAX_TURN_MS;
    for (const request of arrived) {
      replies.push(handleOrDisconnect(request));
      if (replies.length === MAX_GROUP || performance.now() > endMs) break;
    }
    const requests = arrived.splice(0, replies.length);
    if (arrived.length > 0) setImmediate(handleArrived);
    requests.forEach((request, i) => {
      const sent = replies[i];
      if (sent) sendWhenAllowed(request, sent);
    });
  }

  /** Returns a reply that is there at once, and sends any other when it is. No request may end the process. */
  function handleOrDisconnect(request: NodeRequest): Reply | null {
    try {
      const { mayReply } = connections;
      const handled = mayReply ? mayReply.then(() => handle(request)) : handle(request);
      if (!(handled instanceof Promise)) return handled;
      handled.then((sent) => sendWhenAllowed(request, sent)).catch(() => request.response.destroy());
    } catch {
      request.response.destroy();
    }
    return null;
  }

  function sendWhenAllowed(request: NodeRequest, sent: Reply): void {
    const { mayReply } = connections;
    if (mayReply) void mayReply.then(() => sendOrDisconnect(request, sent));
    else sendOrDisconnect(request, sent);
  }

  function sendOrDisconnect(request: NodeRequest, sent: Reply): void {
    try {
      send(request, sent, timeouts);
      if (typeof sent.body === 'string' || sent.body instanceof Uint8Array) noteUnsent(request.response, sent.body);
      connections.forget(request.response);
    } catch {
      request.response.destroy();
    }
  }

  const server = createServer({
    connectionsCheckingInterval: timeouts.checkIntervalMs,
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // checked by NodeRequest, for a reply in the format of all errors
    requireHostHeader: false,
    // otherwise the first Authorization would count, where a proxy may have checked the last
    joinDuplicateHeaders: true,
  });
  const receive = (isExpecting: boolean) => (message: IncomingMessage, response: ServerResponse) => {
    if (!connections.begin(response)) return;
    if (arrived.push(new NodeRequest(message, response, isExpecting)) === 1) setImmediate(handleArrived);
  };
  server.on('request', receive(false));
  server.on('checkContinue', receive(true));
  // RFC 9110 section 10.1.1: other expectations may be ignored. Node.js would refuse them itself
  server.on('checkExpectation', receive(false));
  const connections = trackConnections(server, { maxConnections, lastRequestMs: timeouts.lastRequestMs });
  server.timeout = IDLE_TIMEOUT_MS;
  const { findResponse } = connections;
  const onClientError = createClientErrorHandler({ findResponse, handle, extensionMs: timeouts.headersMs });
  server.on('clientError', (error, socket) => onClientError(error, socket as Socket));
  refuseTunnels(server, timeouts.discardMs);
  // after the start, it is a connection that could not be accepted
  server.on('error', () => {});
  await once(server.listen({ port, host, backlog: BACKLOG }), 'listening');

  return { port: (server.address() as AddressInfo).port, close: connections.close };
}
