import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, vi } from 'vitest';
import { openInternet, openRawHost, openWebHost, type WebHost } from './internet.ts';
import { chromiumTest, openRenderer } from './renderer.ts';

// a busy machine takes seconds to start a browser
vi.setConfig({ testTimeout: 180_000 });

const WAYS_OUT = readFileSync(new URL('./fixtures/ways-out.js', import.meta.url), 'utf8');
const SITE = 'http://site.example';

/** Opens a renderer with the rules of production. All names lead to one host on loopback, if the rules let them. */
async function openIsolatedRenderer() {
  const host = await openWebHost();
  onTestFinished(host.close);
  const { fetcher, calls } = openInternet(host);
  const { renderer, events } = openRenderer({ fetcher });
  return { host, calls, renderer, events };
}

/** Opens listeners on loopback that must not see anything. */
async function openTraps() {
  let connections = 0;
  let datagrams = 0;
  const tcp = await openRawHost((socket) => {
    connections++;
    socket.destroy();
  });
  onTestFinished(tcp.close);
  const udp = createSocket('udp4').on('message', () => datagrams++);
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  onTestFinished(() => void udp.close());
  return { tcpPort: tcp.port, udpPort: udp.address().port, reached: () => ({ connections, datagrams }) };
}

function servePage(host: WebHost, path: string, body: string, headers: Record<string, string> = {}): void {
  host.serve(path, (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body),
  );
}

chromiumTest('lets a page reach nothing that the fetcher refuses, whichever way it tries', async () => {
  const { host, calls, renderer, events } = await openIsolatedRenderer();
  const traps = await openTraps();
  const hosts = [
    `127.0.0.1:${traps.tcpPort}`,
    `localhost:${traps.tcpPort}`,
    `[::ffff:7f00:1]:${traps.tcpPort}`,
    'private.example',
    'unknown.example',
  ];
  const trap = `http://${hosts[0]}`;
  const reporting = {
    'reporting-endpoints': `default="${trap}/report"`,
    nel: '{"report_to":"default","max_age":60,"success_fraction":1}',
    link: `<${trap}/early>; rel=preload; as=fetch, <${trap}>; rel=preconnect`,
    'content-security-policy-report-only': `img-src 'none'; report-uri ${trap}/report`,
  };
  host.serve('/ways-out.js', (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(WAYS_OUT),
  );
  host.serve('/service-worker.js', (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end(`fetch("${trap}/from-service-worker", { mode: "no-cors" })`),
  );
  for (const target of hosts) {
    const location = `http://${target}/redirected`;
    const redirect = encodeURIComponent(`http://${target}/fetch-redirected`);
    for (let i = 0; i < 400; i++) {
      host.serve(`/redirect?${redirect}%3F${i}`, (_request, response) => response.writeHead(302, { location }).end());
    }
  }
  const text = '<p>The pantry list starts with what is already there.</p>'.repeat(10);
  const settings = `const TARGETS = ${JSON.stringify(hosts)}, UDP_PORT = ${traps.udpPort};`;
  const html = `<!doctype html><title>Ways out</title>${text}<iframe></iframe><script>${settings}</script><script src="/ways-out.js"></script>`;
  servePage(host, '/', html, reporting);
  servePage(host, '/refreshing', `${text}<meta http-equiv="refresh" content="0;url=${trap}/refreshed">`);
  servePage(host, '/moving', `${text}<script>location = '${trap}/moved'</script>`);
  servePage(
    host,
    '/submitting',
    `${text}<form method="post" action="${trap}/submitted"></form><script>document.forms[0].submit()</script>`,
  );

  const rendered = await renderer.render({ url: `${SITE}/`, html, robots: null });
  expect(rendered.kind === 'page' && /data-attempts="(\d+)"/.exec(rendered.html)?.[1]).toBe('53');
  for (const path of ['/refreshing', '/moving', '/submitting']) {
    const start = `<!doctype html><script>location = '${path}'</script>`;
    await renderer.render({ url: `${SITE}/start`, html: start, robots: null });
  }
  const ended = await renderer.close();
  expect({ ended, ...traps.reached() }).toEqual({ ended: undefined, connections: 0, datagrams: 0 });
  // through the fetcher, only public addresses on public ports were dialled
  expect([...new Set(calls.map(({ addresses, port }) => `${addresses} ${port}`))]).toEqual(['93.184.215.14 80']);
  expect(host.requests.map(({ url }) => url?.split('?')[0])).toEqual(
    expect.arrayContaining(['/ways-out.js', '/redirect', '/refreshing', '/moving']),
  );
  expect(host.requests.filter(({ headers }) => headers.cookie || headers.referer)).toEqual([]);
  const reasons = new Set(events.flatMap((event) => (event.kind === 'refused' ? [event.reason] : [])));
  expect([...reasons].sort()).toEqual(['address', 'type']);
});
