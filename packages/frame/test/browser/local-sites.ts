import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FramePage } from '../../src/render/document.ts';

/** Sites on any number of origins: Chromium resolves every name below `localhost` to loopback. */
export interface LocalSites {
  /** Returns the origin `<name>.localhost`. */
  origin(name: string): string;
  serve(url: string, content: ServedContent): void;
  close(): Promise<void>;
}

interface ServedContent {
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** Delays the response. */
  readonly after?: Promise<unknown>;
  readonly pause?: Pause;
}

/** Sends the rest of a body later. */
export interface Pause {
  /** The first text of the rest. */
  readonly before: string;
  /** Is called once for each response. */
  readonly until: () => Promise<unknown>;
}

export async function openLocalSites(): Promise<LocalSites> {
  const contents = new Map<string, ServedContent>();
  const server = createServer(async ({ headers, url }, response) => {
    const content = contents.get(`http://${headers.host}${url}`);
    if (!content) response.writeHead(404).end();
    else await send(content, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: (name) => `http://${name}.localhost:${port}`,
    serve: (url, content) => void contents.set(url, content),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function servedPage({ html, contentSecurityPolicy }: FramePage, pause?: Pause): ServedContent {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    // as the service sends a pending page, which reloads once it may be stored
    'cache-control': 'no-store',
  };
  return { body: html, headers, ...(pause && { pause }) };
}

export function servedHtml(body: string): ServedContent {
  return {
    body: `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,">${body}`,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  };
}

async function send({ body, headers, status, after, pause }: ServedContent, response: ServerResponse): Promise<void> {
  await after;
  response.writeHead(status ?? 200, { ...headers });
  if (!pause) return void response.end(body);
  const at = body.indexOf(pause.before);
  response.write(body.slice(0, at));
  await pause.until();
  response.end(body.slice(at));
}
