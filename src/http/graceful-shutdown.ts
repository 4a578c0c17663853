import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** The open connections of a server. They end without losing a request. */
export interface Connections {
  /** Records that a response begins on its connection. */
  begin(response: ServerResponse): void;
  /** Whether the head of the current response has been sent on a connection. */
  isAnswered(socket: Duplex): boolean;
  /**
   * Set while the server stops listening. Requests and responses wait for it: the event loop stays idle, and clients that
   * wait for a response open no new connections.
   */
  readonly mayAnswer: Promise<void> | null;
  /**
   * Refuses new connections, responds to requests on the open ones with `Connection: close`, and resolves when all are
   * closed. An idle connection is closed when its `Keep-Alive` timeout ends, because until then a request may arrive.
   * @param graceMs after this time, the remaining connections are destroyed
   */
  close(graceMs: number): Promise<void>;
}

/**
 * When a server stops listening, the system resets connections that were not accepted yet, and libuv accepts one in each
 * turn of the event loop. So the server stops listening after a pause without a new connection or, under constant load,
 * after a turn that accepted none and was too short for one to arrive.
 */
const QUIET_MS = 10;
const MAX_QUIET_WAIT_MS = 300;
const SHORT_TURN_MS = 0.2;
/** The part of the grace period after which the server stops listening in any case. */
const MAX_WAIT = 0.5;
/** A connection without a request is closed after this time: its first request may be in transit. */
const FIRST_REQUEST_MS = 1_000;

export function trackConnections(server: Server): Connections {
  /** The current response of each open connection; null between requests, undefined before the first one. */
  const responses = new Map<Duplex, ServerResponse | null | undefined>();
  let isClosing = false;
  let mayAnswer: Promise<void> | null = null;
  let taken = 0;

  server.on('connection', (socket: Socket) => {
    taken++;
    responses.set(socket, undefined);
    socket.once('close', () => responses.delete(socket));
  });

  async function waitUntilQuiet(timeoutMs: number): Promise<void> {
    const began = performance.now();
    const isWithin = (ms: number) => performance.now() - began < ms;
    while (isWithin(timeoutMs)) {
      const before = taken;
      if (isWithin(MAX_QUIET_WAIT_MS)) await pause(QUIET_MS);
      await nextTurn();
      const turnBegan = performance.now();
      await nextTurn();
      if (taken === before && performance.now() - turnBegan < SHORT_TURN_MS) return;
    }
  }

  return {
    begin(response) {
      // not the socket of the response: it has none until the responses before it on the connection are sent
      const { socket } = response.req;
      responses.set(socket, response);
      response.once('close', () => responses.get(socket) === response && responses.set(socket, null));
      if (isClosing) response.setHeader('connection', 'close');
    },

    isAnswered: (socket) => responses.get(socket)?.headersSent ?? false,

    get mayAnswer() {
      return mayAnswer;
    },

    async close(graceMs) {
      isClosing = true;
      for (const response of responses.values()) {
        if (response && !response.headersSent) response.setHeader('connection', 'close');
      }
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
      mayAnswer = waitUntilQuiet(graceMs * MAX_WAIT);
      await mayAnswer;
      const closed = new Promise<void>((resolve) => {
        // the close of http.Server would destroy idle connections, and stop checking slow ones
        NetServer.prototype.close.call(server, () => resolve());
      });
      mayAnswer = null;
      setTimeout(() => {
        for (const [socket, response] of responses) {
          if (response === undefined && (socket as Socket).bytesRead === 0) socket.destroy();
        }
      }, FIRST_REQUEST_MS).unref();
      await closed;
      clearTimeout(cutOff);
    },
  };
}

/** Resolves in the next turn of the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
