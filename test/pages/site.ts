import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Site {
  readonly origin: string;
  /** Received requests, oldest first. */
  readonly requests: readonly IncomingMessage[];
}

/** Opens a site on loopback, closed at the end of the test. */
export async function openSite(respond: (request: IncomingMessage, response: ServerResponse) => void): Promise<Site> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const PARAGRAPH = `<p>${'The pantry list starts with what is already there, and ends with what the week still needs. '.repeat(6)}</p>`;

/** Returns a page with an article of about 2,200 characters. */
export function articlePage(title: string, inside = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
    <body><nav><a href="/">Home</a></nav><main><article><h1>${title}</h1>${PARAGRAPH.repeat(4)}${inside}</article></main></body></html>`;
}

/** Returns a page of 5 MB that takes seconds and hundreds of megabytes to read. */
export function hardPage(): string {
  return articlePage('Hard', `<p>${'&amp;'.repeat(200)}</p>`.repeat(4_900));
}
