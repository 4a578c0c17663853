import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CHROMIUMS } from '../../../../test/browser.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { type BrowserSource, openBrowser } from '../../src/render/browser-source.ts';
import { openInternet, openRawHost, openWebHost, type WebHost } from '../fetch/internet.ts';
import { openRenderer, RENDERER } from './renderer.ts';

const WAYS_OUT = readFileSync(new URL('./fixtures/ways-out.js', import.meta.url), 'utf8');
const INTERFACES = readFileSync(new URL('./fixtures/interfaces.js', import.meta.url), 'utf8');
const SITE = 'http://site.example';

const OWN_NAMESPACE = readlinkOrNull('/proc/self/ns/net');
const canCreateNamespaces = spawnSync('unshare', ['--user', '--map-current-user', '--net', 'true']).status === 0;
if (!canCreateNamespaces) console.warn('Browsers in a network namespace are not tested: this user can create none.');

function readlinkOrNull(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

const local = (path: string): BrowserSource => ({ kind: 'local', path, hasSandbox: RENDERER.rendererSandbox });

/** Returns a program that runs Chromium, but not in a network namespace, as on a machine that allows none. */
function withoutNamespace(path: string): string {
  const program = join(temporaryFolder(), 'chromium');
  writeFileSync(
    program,
    `#!/bin/sh\n[ "$(readlink /proc/self/ns/net)" = "${OWN_NAMESPACE ?? ''}" ] || exit 1\nexec ${path} "$@"\n`,
  );
  chmodSync(program, 0o755);
  return program;
}

const MODES = CHROMIUMS.flatMap((path) => [
  ...(canCreateNamespaces ? [{ name: `${path} in a network namespace`, path: () => path }] : []),
  { name: `${path} in the network of the service`, path: () => withoutNamespace(path) },
]);

/** Opens a renderer with the rules of production. All names lead to one host on loopback, if the rules let them. */
async function openIsolatedRenderer(source: BrowserSource) {
  const host = await openWebHost();
  onTestFinished(host.close);
  const { fetcher, calls } = openInternet(host);
  const { renderer, events } = openRenderer({ fetcher, source });
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

test.each(MODES)(
  'lets a page reach nothing that the fetcher refuses, whichever way it tries: $name',
  async ({ path: getPath }) => {
    const { host, calls, renderer, events } = await openIsolatedRenderer(local(getPath()));
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
    expect(rendered?.kind === 'page' && /data-attempts="(\d+)"/.exec(rendered.html)?.[1]).toBe('53');
    for (const page of ['/refreshing', '/moving', '/submitting']) {
      const start = `<!doctype html><script>location = '${page}'</script>`;
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
  },
);

test.each(CHROMIUMS)('%s gives no frame, window or worker an interface that leads out', async (path) => {
  const { renderer } = openRenderer({ source: local(path) });
  const html = `<!doctype html><p>Soup.</p><pre></pre><script>${INTERFACES.replaceAll('</script>', '<\\/script>')}</script>`;
  // which frame starts first, and in which process, is left to chance
  for (let i = 0; i < 3; i++) {
    const rendered = await renderer.render({ url: 'http://127.0.0.1:9/', html, robots: null });
    const found = rendered?.kind === 'page' && /data-reports="([^"]*)"/.exec(rendered.html)?.[1];
    if (!found) throw new Error('The page did not report.');
    const reports = Object.entries(JSON.parse(found.replaceAll('&quot;', '"')) as Record<string, readonly string[]>);
    expect(reports.filter(([, interfaces]) => interfaces.length > 0)).toEqual([]);
    expect(reports).toHaveLength(38);
  }
});

/** Gathers addresses with servers at the traps, and resolves when all have been tried. */
const gather = (tcpPort: number, udpPort: number) => `(async () => {
  const urls = ['stun:127.0.0.1:${udpPort}', 'turn:127.0.0.1:${udpPort}', 'turn:127.0.0.1:${tcpPort}?transport=tcp'];
  const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] });
  peer.createDataChannel('x');
  const gathered = new Promise((resolve) => {
    peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve();
  });
  await peer.setLocalDescription(await peer.createOffer());
  await gathered;
  return peer.localDescription.sdp.split('a=candidate').length - 1;
})()`;

test.each(CHROMIUMS)('%s lets no packet of WebRTC out, even in the network of the service', async (path) => {
  const traps = await openTraps();
  const browser = await openBrowser(local(withoutNamespace(path)));
  onTestFinished(browser.close);
  const { targetId } = await browser.devtools.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await browser.devtools.send('Target.attachToTarget', { targetId, flatten: true });
  const run = { expression: gather(traps.tcpPort, traps.udpPort), awaitPromise: true, returnByValue: true };
  const { result } = await browser.devtools.send('Runtime.evaluate', run, String(sessionId));
  expect({ result, ...traps.reached() }).toMatchObject({ result: { value: 0 }, connections: 0, datagrams: 0 });
});

test.skipIf(!canCreateNamespaces).each(CHROMIUMS)('%s has no network where namespaces are allowed', async (path) => {
  const { renderer, processes } = openRenderer({ source: local(path) });
  await renderer.render({ url: 'http://127.0.0.1:9/', html: '<p>Soup.</p>', robots: null });
  const networks = processes().map((pid) => readlinkOrNull(`/proc/${pid}/ns/net`));
  // the launcher, a shell that waits, and the browser
  expect(networks.filter((network) => network === OWN_NAMESPACE)).toHaveLength(1);
  expect(networks.length).toBeGreaterThan(3);
});
