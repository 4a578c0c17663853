import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CHROMIUM, CHROMIUMS, noBrowser } from '../../../../test/browser.ts';
import { openSite } from '../../../../test/pages/site.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { MAX_QUEUED, MAX_QUEUED_OF_WATCHER, type PageUser } from '../../src/render/renderer.ts';
import { browserProcesses, chromiumTest, isGroupAlive, openRenderer, pageWith, RENDERER, writes } from './renderer.ts';

const WAIT = { timeout: 60_000, interval: 50 };
const NOBODY = 65_534;
const ENTRY = fileURLToPath(new URL('./render-process.ts', import.meta.url));

chromiumTest(
  'keeps nothing from one page to the next, bounds its queue, and leaves no process when it is closed',
  async () => {
    const site = await openSite(() => {});
    const source = { url: `${site.origin}/`, robots: 'noimageindex' };
    const { renderer, events, ends, processes } = openRenderer();
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
    expect(renderer.render({ ...source, html: pageWith('') })).toBeNull();
    expect(events.at(-1)).toEqual({ kind: 'rendered', result: 'unavailable', seconds: 0 });
    await vi.waitUntil(() => site.requests.length > 0, WAIT);
    const closed = renderer.close();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ kind: 'unavailable' })));
    await closed;
    expect(ends()).toEqual(['closed']);
    expect(processes()).toEqual([]);
  },
);

chromiumTest('renders three pages of readers before a watched one, and keeps half of its queue for them', async () => {
  const { renderer, events } = openRenderer();
  const order: string[] = [];
  async function render(user: PageUser, text: string): Promise<void> {
    const source = { url: 'http://127.0.0.1:9/', html: pageWith(writes(text)), robots: null };
    const rendered = await renderer.render(source, user);
    order.push(`${text} ${rendered?.kind}`);
  }
  const watched = Array.from({ length: MAX_QUEUED_OF_WATCHER + 2 }, (_, i) => render('watcher', `watched ${i}`));
  const read = Array.from({ length: 4 }, (_, i) => render('reader', `read ${i}`));
  await Promise.all([...read, watched[0]]);
  const rendered = ['watched 0', 'read 0', 'read 1', 'read 2', 'watched 1', 'read 3'].map((name) => `${name} page`);
  expect(order).toEqual(['watched 9 undefined', ...rendered]);
  await renderer.close();
  await Promise.all(watched);
  expect(events.filter(({ kind }) => kind === 'started')).toHaveLength(1);
});

chromiumTest('renders in a remote browser, which it finds by its debugging port and leaves running', async () => {
  const folder = temporaryFolder();
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

chromiumTest('starts each Chromium with files in a folder of a long name', async () => {
  const folder = join(temporaryFolder(), 'a-folder-of-a-name-that-is-long-for-sockets'.repeat(3));
  await mkdir(folder);
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const path of CHROMIUMS) {
    const { renderer } = openRenderer({ source: { kind: 'local', path, hasSandbox: RENDERER.rendererSandbox } });
    expect(await renderer.check()).toContain('Chrome/');
    await renderer.close();
    expect(readdirSync(folder)).toEqual([]);
  }
});

/** Runs a program as an ordinary user, whose folder for temporary files is its home. */
const asNobody = (folder: string) => ({ uid: NOBODY, gid: NOBODY, env: { TMPDIR: folder } });

function findObstacle(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it starts a process as another user, as root';
  const { status } = spawnSync(process.execPath, ['--check', ENTRY], { ...asNobody('/tmp'), stdio: 'ignore' });
  return status === 0 ? null : 'other users cannot read the files of the service';
}

const obstacle = findObstacle();
if (obstacle !== null) console.warn(`The test of the sandbox is skipped: ${obstacle}.`);

test.skipIf(noBrowser !== null || obstacle !== null).each(CHROMIUMS)(
  'renders in the sandbox of %s as an ordinary user, and leaves nothing of a killed service',
  async (path) => {
    const folder = temporaryFolder();
    await chown(folder, NOBODY, NOBODY);
    const service = spawn(process.execPath, [ENTRY, path], {
      ...asNobody(folder),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void service.kill('SIGKILL'));
    const [output] = await once(service.stdout, 'data');
    expect(String(output)).toBe('rendered\n');
    const group = await vi.waitUntil(() => browserProcesses(service.pid ?? 0).find(isGroupAlive), WAIT);
    expect(readdirSync(folder)).toHaveLength(1);
    service.kill('SIGKILL');
    await vi.waitUntil(() => !isGroupAlive(group) && readdirSync(folder).length === 0, WAIT);
  },
);
