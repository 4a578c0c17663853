import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostedPage } from '../../../src/doors/hosted/render/document.ts';

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
  /** Pauses for {@link PAUSE_MS} before this part of the body. */
  readonly pauseBefore?: string;
}

const PAUSE_MS = 600;

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

export function servedPage({ html, contentSecurityPolicy }: HostedPage, pauseBefore?: string): ServedContent {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    // as the service sends a pending page, which reloads once it may be stored
    'cache-control': 'no-store',
  };
  return { body: html, headers, ...(pauseBefore === undefined ? {} : { pauseBefore }) };
}

export function servedHtml(body: string): ServedContent {
  return {
    body: `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,">${body}`,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  };
}

async function send(
  { body, headers, status, after, pauseBefore }: ServedContent,
  response: ServerResponse,
): Promise<void> {
  await after;
  response.writeHead(status ?? 200, { ...headers });
  if (pauseBefore !== undefined) {
    const at = body.indexOf(pauseBefore);
    response.write(body.slice(0, at));
    await pause(PAUSE_MS);
    response.end(body.slice(at));
  } else {
    response.end(body);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
