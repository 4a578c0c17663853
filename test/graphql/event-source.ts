import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';

export const WATCH = 'subscription { embedChanged { kind embedId embed { id font } } }';

export interface Event {
  /** Undefined if the event leaves the last id of the client as it is. */
  readonly id: string | undefined;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly data: any;
}

/** A client of one event stream, over a connection of its own. */
export interface EventSource {
  readonly response: IncomingMessage;
  readonly events: readonly Event[];
  /** Returns the received text. */
  readonly text: () => string;
  /** Resolves when this number of events was received. */
  readonly count: (events: number) => Promise<readonly Event[]>;
  /** Resolves when the connection is closed. */
  readonly ended: Promise<void>;
  readonly leave: () => ClientRequest;
}

interface FollowOptions {
  readonly authorization: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Resolves when the headers of the response were received, whatever its status. */
export function follow(
  port: number,
  { authorization, query = WATCH, headers = {} }: FollowOptions,
): Promise<EventSource> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/graphql',
      agent: false,
      headers: { authorization, accept: 'text/event-stream', 'content-type': 'application/json', ...headers },
    });
    onTestFinished(() => void outgoing.destroy());
    outgoing.on('error', reject).on('response', (response) => resolve(read(outgoing, response)));
    outgoing.end(JSON.stringify({ query }));
  });
}

function read(outgoing: ClientRequest, response: IncomingMessage): EventSource {
  const events: Event[] = [];
  const checks = new Set<() => void>();
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    const from = text.lastIndexOf('\n\n') + 2;
    text += part;
    const end = text.lastIndexOf('\n\n') + 2;
    for (const block of text.slice(from === 1 ? 0 : from, end).split('\n\n')) {
      const [, id, event, data = ''] = /^(?:id: (.*)\n)?event: (.*)\ndata: ?(.*)$/.exec(block) ?? [];
      if (event !== undefined) events.push({ id, event, data: data === '' ? null : JSON.parse(data) });
    }
    for (const check of checks) check();
  });
  const ended = new Promise<void>((resolve) => {
    response.once('close', resolve).on('error', () => {});
  });
  return {
    response,
    events,
    text: () => text,
    count: (number) =>
      new Promise((resolve, reject) => {
        const check = () => events.length >= number && resolve(events);
        checks.add(check);
        void ended.then(() => reject(new Error(`ended after ${JSON.stringify(events)}`)));
        check();
      }),
    ended,
    leave: () => outgoing.destroy(),
  };
}
