import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { TOKEN } from '../harness/service.ts';

export interface Received {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface Sending {
  /** GET unless given. */
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client with connections that it keeps. */
export interface Client {
  /** Sends a request with the token of the service, unless the headers have another one. */
  send(sending: Sending): Promise<Received>;
  /** Opens an event stream on a connection of its own. `onText` gets what arrives; the caller destroys the request. */
  follow(sending: Sending, onText: (text: string) => void): ClientRequest;
  /** Returns the durations since the last call, in ms and in ascending order. */
  takeDurations(): readonly number[];
  close(): void;
}

/** Idle connections are closed after this time, before the service closes them. */
const IDLE_MS = 3_000;

export function createClient(origin: string, maxSockets: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets, timeout: IDLE_MS });
  const { hostname, port } = new URL(origin);
  let durationsMs: number[] = [];

  function begin({ method, path, body, headers }: Sending, own: Agent | false): ClientRequest {
    const outgoing = request({
      agent: own,
      hostname,
      port,
      method: method ?? (body ? 'POST' : 'GET'),
      path,
      headers: { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    });
    return outgoing.end(body ? JSON.stringify(body) : undefined);
  }

  return {
    send(sending) {
      const startedAt = performance.now();
      return new Promise((resolve, reject) => {
        const outgoing = begin(sending, agent).once('response', (response: IncomingMessage) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          response.once('end', () => {
            durationsMs.push(performance.now() - startedAt);
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
          });
          response.once('error', reject);
        });
        outgoing.once('error', reject);
      });
    },
    follow(sending, onText) {
      const outgoing = begin(sending, false);
      outgoing.on('response', (response: IncomingMessage) => response.setEncoding('utf8').on('data', onText));
      return outgoing;
    },
    takeDurations() {
      const sorted = durationsMs.sort((left, right) => left - right);
      durationsMs = [];
      return sorted;
    },
    close: () => agent.destroy(),
  };
}
