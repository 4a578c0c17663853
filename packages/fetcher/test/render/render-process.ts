import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPageFetcher } from '../../src/fetch/fetch.ts';
import { createRenderer } from '../../src/render/renderer.ts';

/** Renders a page with the sandbox of Chromium, prints the result, and then renders a page that never ends. */
const server = createServer(({ url }, response) => {
  if (url === '/text.js') response.end(`document.body.innerHTML = '<p>${'Soup. '.repeat(60)}</p>';`);
}).listen(0, '127.0.0.1', async () => {
  const ownAddresses = { embedHost: 'embeds.example', host: 'gateway.example', port: 4000 };
  const renderer = createRenderer({
    source: { kind: 'local', path: process.argv[2] ?? '', hasSandbox: true },
    fetcher: createPageFetcher({ policy: { allowPrivatePages: true }, ownAddresses, userAgent: 'Test' }),
    timeoutMs: 60_000,
    onEvent: () => {},
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const html = (script: string) => `<!doctype html><script defer src="/${script}"></script><body></body>`;
  const rendered = await renderer.render({ url, html: html('text.js'), robots: null });
  console.log(rendered?.kind === 'page' && rendered.html.includes('Soup.') ? 'rendered' : rendered?.kind);
  await renderer.render({ url, html: html('endless.js'), robots: null });
});
