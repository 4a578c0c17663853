import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

export type Connections = ReturnType<typeof trackConnections>;

/**
 * When a server stops listening, the system resets connections that were not accepted yet, and libuv accepts one per turn
 * of the event loop. So the server waits for a pause without new connections or, under constant load, for a short
 * turn that accepts none.
 */
const QUIET_MS = 10;
const MAX_QUIET_WAIT_MS = 300;
const SHORT_TURN_MS = 0.2;
const MAX_QUIET_SHARE_OF_GRACE = 0.5;
/** Connections without a request are closed after this time: the first request may be in transit. */
const FIRST_REQUEST_MS = 1_000;
interface Limits {
  readonly maxConnections: number;
  /** Time in which a server that stops serves one more request of an idle connection. */
  readonly lastRequestMs: number;
}

/**
 * Tracks the connections of a server. Over the limit, the connection that has been idle for the longest time is closed, and
 * if none is idle, the new one. A connection is idle until the headers of a request have arrived.
 */
export function trackConnections(server: Server, { maxConnections, lastRequestMs }: Limits) {
  /** Last response by open connection; null once it has ended, undefined before the first one. */
  const responses = new Map<Duplex, ServerResponse | null | undefined>();
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  let isClosing = false;
  let mayReply: Promise<void> | null = null;
  let accepted = 0;

  server.on('connection', (socket: Socket) => {
    accepted++;
    responses.set(socket, undefined);
    socket.once('close', () => forgetConnection(socket));
    if (responses.size > maxConnections) {
      const [longest = socket] = idle;
      longest.destroy();
      forgetConnection(longest);
      if (longest === socket) return;
    }
    idle.add(socket);
  });

  function forgetConnection(socket: Socket): void {
    responses.delete(socket);
    idle.delete(socket);
  }

  function release(response: ServerResponse): void {
    const { socket } = response.req;
    if (responses.get(socket) !== response) return;
    responses.set(socket, null);
    idle.add(socket);
  }

  async function waitUntilQuiet(timeoutMs: number): Promise<void> {
    const began = performance.now();
    const isWithin = (ms: number) => performance.now() - began < ms;
    while (isWithin(timeoutMs)) {
      const before = accepted;
      if (isWithin(MAX_QUIET_WAIT_MS)) await pause(QUIET_MS);
      await nextTurn();
      const turnBegan = performance.now();
      await nextTurn();
      if (accepted === before && performance.now() - turnBegan < SHORT_TURN_MS) return;
    }
  }

  return {
    /** Returns false for a request that must not be handled: it follows the last one of its connection. */
    begin(response: ServerResponse): boolean {
      // with pipelining, a response has no socket until the earlier ones are sent
      const { req } = response;
      if (responses.get(req.socket)?.shouldKeepAlive === false) return false;
      responses.set(req.socket, response);
      idle.delete(req.socket);
      // RFC 9112 section 6.1: its framing is faulty
      if (req.httpVersionMinor === 0 && req.headers['transfer-encoding'] !== undefined)
        response.shouldKeepAlive = false;
      if (isClosing) response.setHeader('connection', 'close');
      return true;
    },

    /** Forgets a response once it has ended, so that an idle connection keeps nothing of its requests. */
    forget(response: ServerResponse): void {
      // the end of any other depends on the client, or on a pipelined request before it
      if (response.writableEnded && response.socket) release(response);
      else response.once('close', () => release(response));
    },

    /** Returns the response that has not ended. */
    findResponse: (socket: Duplex) => responses.get(socket) ?? null,

    /** Set while the server stops listening. Requests and responses wait for it, so that clients open no new connections. */
    get mayReply() {
      return mayReply;
    },

    /** Resolves when all connections are closed: idle ones after `lastRequestMs`, any after `graceMs`. */
    async close(graceMs: number): Promise<void> {
      isClosing = true;
      for (const response of responses.values()) {
        if (response && !response.headersSent) response.setHeader('connection', 'close');
      }
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
      mayReply = waitUntilQuiet(graceMs * MAX_QUIET_SHARE_OF_GRACE);
      await mayReply;
      const closed = new Promise<void>((resolve) => {
        // http.Server.close would destroy idle connections, and stop the timeouts of slow ones
        NetServer.prototype.close.call(server, () => resolve());
      });
      mayReply = null;
      server.keepAliveTimeout = lastRequestMs;
      for (const socket of idle) if (responses.get(socket) === null) socket.setTimeout(lastRequestMs);
      setTimeout(() => {
        for (const socket of responses.keys()) if ((socket as Socket).bytesRead === 0) socket.destroy();
      }, FIRST_REQUEST_MS).unref();
      await closed;
      clearTimeout(cutOff);
    },
  };
}
