import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../../errors.ts';
import type { IncomingRequest, RequestHeaders } from '../exchange.ts';
import { TransportRefusal } from '../problem.ts';

/** A request of `node:http`. Its parts are read when they are needed: most requests need few. */
export class NodeRequest implements IncomingRequest {
  readonly message: IncomingMessage;
  readonly headers: RequestHeaders;
  readonly response: ServerResponse;
  /** False if the client waits for `100 Continue`: it may send the body all the same, or never. */
  isBodyComing: boolean;

  /** @param isExpecting true if the client waits for `100 Continue` before it sends the body */
  constructor(message: IncomingMessage, response: ServerResponse, isExpecting: boolean) {
    this.message = message;
    this.headers = new NodeHeaders(message);
    this.response = response;
    this.isBodyComing = !isExpecting;
  }

  get method(): string {
    return this.message.method ?? '';
  }

  /** Empty if the target has a form of RFC 9112 section 3.2 that is not for this service. The absolute form replaces Host. */
  get url(): string {
    const target = this.message.url ?? '';
    const host = this.message.headers.host ?? 'localhost';
    if (target.startsWith('/')) return `http://${host}${target}`;
    if (target === '*') return `http://${host}/*`;
    return /^https?:/i.test(target) ? target : '';
  }

  get body(): IncomingMessage {
    return this.message;
  }

  get ip(): string | undefined {
    return this.message.socket.remoteAddress;
  }

  get fault(): Error | null {
    return faultOfHost(this.message) ?? faultOfCoding(this.message);
  }

  askForBody(): void {
    if (!this.isBodyComing) this.response.writeContinue();
    this.isBodyComing = true;
  }
}

class NodeHeaders implements RequestHeaders {
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.#message = message;
  }

  get(name: Lowercase<string>): string | null {
    const value = this.#message.headers[name] ?? null;
    return Array.isArray(value) ? value.join(', ') : value;
  }
}

const HOST = /^(?:\[[\da-f:.]+\]|[\w.~-]+)(?::\d{0,5})?$/i;

/** Requires exactly one Host (RFC 9112 section 3.2): with two, which Node.js joins by a comma, a proxy could use the other one. */
function faultOfHost({ headers: { host }, httpVersion }: IncomingMessage): Refusal | null {
  if (host === undefined && httpVersion === '1.0') return null;
  return HOST.test(host ?? '')
    ? null
    : new Refusal('malformed', 'Send exactly one Host header, with a host and perhaps a port.');
}

/** Rejects bodies that are not only in chunks, because nothing decodes them (RFC 9112 section 6.1). */
function faultOfCoding({ headers }: IncomingMessage): TransportRefusal | null {
  const coding = headers['transfer-encoding'] ?? 'chunked';
  if (coding.toLowerCase() === 'chunked') return null;
  return new TransportRefusal('not_implemented', 'The only transfer coding is chunked.');
}
