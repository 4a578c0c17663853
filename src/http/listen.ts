import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeRequest, sendNodeResponse } from 'srvx/node';

/** Slow senders are cut off: headers within 5 s, the whole request within 8 s, looked after every second. */
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 8_000;
const CHECK_INTERVAL_MS = 1_000;

interface Options {
  readonly port: number;
  readonly host: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** A listening server. */
export interface Listener {
  readonly port: number;
  /**
   * Refuses new requests and waits for those in flight.
   * @param graceMs how long they may take; after that they are cut off
   */
  close(graceMs: number): Promise<void>;
}

/** Serves a fetch function over HTTP/1.1. Rejects with the error of `listen`, such as EADDRINUSE. */
export async function listen({ port, host, fetch }: Options): Promise<Listener> {
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    if (isAmbiguous(req)) {
      res.writeHead(400, { connection: 'close' }).end();
      return;
    }
    try {
      await sendNodeResponse(res, await fetch(new NodeRequest({ req, res })));
    } catch {
      // nothing that a request brings may end the process
      if (res.headersSent) res.destroy();
      else res.writeHead(400, { connection: 'close' }).end();
    }
  };
  const inFlight = new Set<ServerResponse>();
  let isClosing = false;

  const server = createServer({ connectionsCheckingInterval: CHECK_INTERVAL_MS }, (request, response) => {
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
    if (isClosing) response.setHeader('connection', 'close');
    void serve(request, response);
  });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    close(graceMs) {
      isClosing = true;
      for (const response of inFlight) if (!response.headersSent) response.setHeader('connection', 'close');
      return new Promise((resolve) => {
        const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(deadline);
          resolve();
        });
      });
    },
  };
}

/** More than one Host header (RFC 9112 section 3.2): a proxy and this service might each believe another one. */
function isAmbiguous({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length > 1;
}
