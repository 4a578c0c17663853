import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MAX_QUEUED } from '../../src/pages/render/renderer.ts';
import { CHROMIUM, noBrowser } from '../browser.ts';
import { temporaryFolder } from '../open-app.ts';
import { browserProcesses, chromiumTest, isGroupAlive, openRenderer, pageWith, writes } from './renderer.ts';
import { openSite } from './site.ts';

// a busy machine takes seconds to start a browser
vi.setConfig({ testTimeout: 180_000 });

const WAIT = { timeout: 60_000, interval: 50 };
const NOBODY = 65_534;

chromiumTest(
  'keeps nothing from one page to the next, bounds its queue, and leaves no process when it is closed',
  async () => {
    const site = await openSite(() => {});
    const source = { url: `${site.origin}/`, robots: 'noimageindex' };
    const { renderer, ends, processes } = openRenderer();
    const visits = pageWith(
      `localStorage.visits = 1 + Number(localStorage.visits ?? 0); document.cookie += 'a=b'; ${writes("visit ' + localStorage.visits + document.cookie + '")}`,
    );
    for (let i = 0; i < 2; i++) {
      expect(await renderer.render({ ...source, html: visits })).toMatchObject({
        kind: 'page',
        html: expect.stringContaining('<p>visit 1a=b '),
        robots: 'noimageindex',
      });
    }
    const dialogs = pageWith(`if (confirm('?') || prompt('?') !== null) throw 1; alert('!'); ${writes('Salad.')}`);
    expect(await renderer.render({ ...source, html: dialogs })).toMatchObject({
      kind: 'page',
      html: expect.stringContaining('Salad.'),
    });

    const waiting = Array.from({ length: MAX_QUEUED }, () =>
      renderer.render({ ...source, html: '<!doctype html><script src="/never"></script>' }),
    );
    expect(renderer.isAvailable()).toBe(false);
    expect(await renderer.render({ ...source, html: pageWith('') })).toEqual({ kind: 'unavailable' });
    await vi.waitUntil(() => site.requests.length > 0, WAIT);
    const closed = renderer.close();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ kind: 'unavailable' })));
    await closed;
    expect(ends()).toEqual(['closed']);
    expect(processes()).toEqual([]);
  },
);

chromiumTest('says why a browser does not start, and tries again only later', async () => {
  const { renderer, events } = openRenderer({ source: { kind: 'local', path: '/bin/false', hasSandbox: true } });
  await expect(renderer.check()).rejects.toThrow('Chromium did not start.');
  expect(events).toEqual([{ kind: 'unavailable', reason: 'Chromium did not start.' }]);
  expect(renderer.isAvailable()).toBe(false);
});

chromiumTest('renders in a remote browser, which it finds by its debugging port and leaves running', async () => {
  const folder = await temporaryFolder();
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--remote-debugging-port=0',
  ];
  const remote = spawn(CHROMIUM, [...flags, `--user-data-dir=${folder}`], {
    stdio: 'ignore',
    detached: true,
  });
  onTestFinished(() => void process.kill(-(remote.pid ?? 0), 'SIGKILL'));
  const findPort = () => {
    const [port] = existsSync(`${folder}/DevToolsActivePort`)
      ? readFileSync(`${folder}/DevToolsActivePort`, 'utf8').split('\n')
      : [];
    return port;
  };
  const port = await vi.waitUntil(findPort, WAIT);
  const { renderer, events } = openRenderer({ source: { kind: 'remote', url: `ws://127.0.0.1:${port}` } });
  const source = { url: 'http://127.0.0.1:9/', html: pageWith(writes('Soup.')), robots: null };
  expect(await renderer.render(source)).toMatchObject({ kind: 'page', html: expect.stringContaining('Soup.') });
  expect(events[0]).toMatchObject({ kind: 'started', product: expect.stringContaining('Chrome/') });
  await renderer.close();
  expect(isGroupAlive(remote.pid ?? 0)).toBe(true);
});

const noSandbox =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'skipped: the test starts a process as another user, which takes root on Linux'
    : null;
if (noSandbox !== null) console.warn(`The test of the sandbox is ${noSandbox}.`);

test.skipIf(noBrowser !== null || noSandbox !== null)(
  'renders in the sandbox as an ordinary user, and ends with a killed service',
  async () => {
    const entry = fileURLToPath(new URL('./render-process.ts', import.meta.url));
    const service = spawn(process.execPath, [entry, CHROMIUM], {
      uid: NOBODY,
      gid: NOBODY,
      env: {},
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void service.kill('SIGKILL'));
    const [output] = await once(service.stdout, 'data');
    expect(String(output)).toBe('rendered\n');
    const [group = 0] = browserProcesses(service.pid ?? 0);
    expect(isGroupAlive(group)).toBe(true);
    service.kill('SIGKILL');
    await vi.waitUntil(() => !isGroupAlive(group), WAIT);
  },
);
