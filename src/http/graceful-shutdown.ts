import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** The open connections of a server, and how they end without a request lost. */
export interface Connections {
  /** Notes a response that begins on a connection. */
  begin(response: ServerResponse): void;
  /** Whether a connection has had the head of the response that is under way on it. */
  isAnswered(socket: Duplex): boolean;
  /**
   * Set while the server stops listening. Requests and answers wait for it, so that the server has nothing else to do, and
   * who waits for an answer has no reason to connect.
   */
  readonly mayAnswer: Promise<void> | null;
  /**
   * Refuses new connections, answers what comes on the open ones with `Connection: close`, and resolves when all are closed.
   * One that is idle may bring another request for as long as `Keep-Alive` has promised, so it is closed after that.
   * @param graceMs how long this may take; after that all are cut off
   */
  close(graceMs: number): Promise<void>;
}

/**
 * The system resets who has connected but was not taken in when the server stops listening, and libuv takes in one for
 * each turn of the event loop. So it stops after a time in which nobody came, or, where somebody always comes, at the end
 * of a turn that took nobody in and was too short for anybody to come after its look.
 */
const QUIET_MS = 10;
const MAX_QUIET_WAIT_MS = 300;
const SHORT_TURN_MS = 0.2;
/** The part of the grace after which it stops in any case. */
const MAX_WAIT = 0.5;
/** Who has connected and sent nothing has a request on the way: it gets so long. */
const FIRST_REQUEST_MS = 1_000;

export function trackConnections(server: Server): Connections {
  /** Every open connection, with the response that is under way on it; undefined where none was asked for yet. */
  const responses = new Map<Duplex, ServerResponse | null | undefined>();
  let isClosing = false;
  let mayAnswer: Promise<void> | null = null;
  let taken = 0;

  server.on('connection', (socket: Socket) => {
    taken++;
    responses.set(socket, undefined);
    socket.once('close', () => responses.delete(socket));
  });

  async function nobodyComes(mostMs: number): Promise<void> {
    const began = performance.now();
    const isWithin = (ms: number) => performance.now() - began < ms;
    while (isWithin(mostMs)) {
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
      mayAnswer = nobodyComes(graceMs * MAX_WAIT);
      await mayAnswer;
      const closed = new Promise<void>((resolve) => {
        // that of http.Server would close idle connections, and look no more after slow ones
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

/** Resolves when the event loop has gone round. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
