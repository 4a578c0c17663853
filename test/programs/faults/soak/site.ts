import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Site {
  readonly origin: string;
  close(): void;
}

const SENTENCE = 'Lentils want rinsing, and then half an hour at the lowest heat with a bay leaf and some salt. ';
const PICTURES_PER_PAGE = 6;
const PICTURES = 400;
const MAX_PICTURE_BYTES = 300_000;
const MAX_PARAGRAPHS = 250;
/** Pages have another text after this time. */
const VERSION_MS = 60_000;
const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex');

/**
 * Serves the source pages: articles of 1 kB to 100 kB with pictures, and below `/app/` pages whose text a script builds.
 * The digits at the end of a path decide the length of the page.
 */
export async function openSite(): Promise<Site> {
  const server = createServer(({ url = '/' }, response) => {
    const number = Number.parseInt(/([0-9a-f]+)(?:\.png)?$/.exec(url)?.[1]?.slice(-6) ?? '0', 16);
    if (url.startsWith('/picture/')) sendPicture(response, number);
    else if (url.startsWith('/app.js')) send(response, 'text/javascript', SCRIPT);
    else if (url.startsWith('/text/')) send(response, 'text/html', articleOf(number));
    else if (url.startsWith('/app/')) send(response, 'text/html', appOf(number));
    else send(response, 'text/html', `<!doctype html><title>Lentils ${number}</title>${articleOf(number)}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A page without text, whose script loads an article. */
function appOf(number: number): string {
  return `<!doctype html><title>Loading</title><link rel="icon" href="data:,"><div id="root"></div>
    <script src="/app.js" data-text="/text/${number.toString(16)}"></script>`;
}

const SCRIPT = `const { text } = document.currentScript.dataset;
  fetch(text).then((response) => response.text()).then((html) => { document.getElementById('root').innerHTML = html; });`;

function articleOf(number: number): string {
  const version = Math.floor(Date.now() / VERSION_MS);
  const paragraphs = Array.from(
    { length: 5 + (number % MAX_PARAGRAPHS) },
    (_, i) => `<p>${i}: ${SENTENCE.repeat(4)}${(number * (i + 1)).toString(36)}</p>`,
  );
  const pictures = Array.from(
    { length: PICTURES_PER_PAGE },
    (_, i) =>
      `<img src="/picture/${((number * 7 + i) % PICTURES).toString(16)}.png" alt="A pot" width="640" height="480">`,
  );
  return `<article><h1>Lentils ${number}</h1><p>Version ${version}</p>${pictures.join('')}${paragraphs.join('')}</article>`;
}

function sendPicture(response: ServerResponse, number: number): void {
  response.writeHead(200, { 'content-type': 'image/png' });
  response.end(Buffer.concat([PNG_HEAD, Buffer.alloc((number * 7_919) % MAX_PICTURE_BYTES, number)]));
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
}
