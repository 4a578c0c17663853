import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { BrowserSource } from '../../src/render/browser-source.ts';
import { createBrowserFolder, LAUNCHER, removeBrowserFolder } from '../../src/render/folder.ts';
import { connectToBrowser } from '../../src/render/remote.ts';
import { createRenderer, type RendererEvent } from '../../src/render/renderer.ts';
import { startFrozenBrowser } from './frozen-browser.ts';

/** Uses an empty folder for all temporary files of the test. */
async function useTemporaryFolder(): Promise<void> {
  vi.stubEnv('TMPDIR', temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** Starts a program that ends with its input, in place of a browser. */
async function startProgram(folder: string): Promise<ChildProcess> {
  const program = spawn('/bin/sh', ['-c', LAUNCHER, folder, 'cat'], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  onTestFinished(() => void program.stdin?.end());
  await vi.waitUntil(() => existsSync(join(folder, 'running')), { timeout: 60_000, interval: 5 });
  return program;
}

function killGroup({ pid = 0 }: ChildProcess): void {
  process.kill(-pid, 'SIGKILL');
}

function openRendererOf(source: BrowserSource) {
  const events: RendererEvent[] = [];
  const renderer = createRenderer({
    source,
    fetcher: { fetchResource: () => Promise.reject(new Error('nothing is fetched')) },
    onEvent: (event) => events.push(event),
  });
  onTestFinished(renderer.close);
  return { renderer, events };
}

test('removes the folders of browsers that no longer run, and no others', async () => {
  await useTemporaryFolder();
  const ended = await createBrowserFolder();
  const program = await startProgram(ended);
  program.stdin?.end();
  await vi.waitUntil(() => !existsSync(ended), { timeout: 60_000, interval: 5 });

  const killed = await createBrowserFolder();
  const running = await createBrowserFolder();
  await startProgram(running);
  const atStart = await createBrowserFolder();
  const neverStarted = await createBrowserFolder();
  const hourAgo = Date.now() / 1_000 - 3_600;
  await utimes(neverStarted, hourAgo, hourAgo);
  const other = join(dirname(killed), 'other-program');
  await mkdir(other);
  const kept = [running, atStart, other];
  if (process.getuid?.() === 0) {
    const ofOtherUser = `${neverStarted}x`;
    await mkdir(ofOtherUser);
    await utimes(ofOtherUser, hourAgo, hourAgo);
    await chown(ofOtherUser, 65_534, 65_534);
    kept.push(ofOtherUser);
  }
  killGroup(await startProgram(killed));
  // the kernel closes the files of a killed process after a moment
  await vi.waitUntil(
    async () => {
      await removeBrowserFolder(await createBrowserFolder());
      return !existsSync(killed);
    },
    { timeout: 60_000, interval: 20 },
  );
  expect(existsSync(neverStarted)).toBe(false);
  expect(kept.filter((folder) => !existsSync(folder))).toEqual([]);
});

test.each([
  [
    'the fatal line',
    'echo "[1:1:FATAL:a.cc:3] No usable sandbox!" >&2; echo "#0 0x1" >&2; exit 133',
    'exit code 133',
    ': No usable sandbox!',
  ],
  [
    'the last lines that are not about the crash handler',
    'for i in 1 2 3 4; do echo "[1:ERROR:a.cc:$i] line $i" >&2; done; echo "[1:ERROR:a/crashpad/b.cc:1] open" >&2; exit 1',
    'exit code 1',
    ': line 2 line 3 line 4',
  ],
  ['the end alone', 'exit 3', 'exit code 3', '.'],
])('says why a browser does not start with %s, and tries again only later', async (_what, script, how, why) => {
  await useTemporaryFolder();
  const path = join(temporaryFolder(), 'chromium');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  const { renderer, events } = openRendererOf({ kind: 'local', path, hasSandbox: true });
  const reason = `Chromium did not start (${how})${why}`;
  await expect(renderer.check()).rejects.toThrow(reason);
  expect(events).toEqual([{ kind: 'unavailable', reason }]);
  expect(renderer.render({ url: 'https://site.example/', html: '', robots: null })).toBeNull();
});

test('starts a browser that does not start once for all pages in the queue', async () => {
  await useTemporaryFolder();
  const { renderer, events } = openRendererOf({ kind: 'local', path: '/bin/false', hasSandbox: true });
  const source = { url: 'https://site.example/', html: '', robots: null };
  const results = await Promise.all([1, 2, 3].map(() => renderer.render(source)));
  expect(results).toEqual(results.map(() => ({ kind: 'unavailable' })));
  expect(events.filter(({ kind }) => kind === 'unavailable')).toHaveLength(1);
});

test('gives up a remote browser that is frozen, and does not wait for it to close its end', async () => {
  // what is not of the protocol is skipped
  const host = await startFrozenBrowser('Welcome!', 'null', '7');
  const browser = await connectToBrowser(`ws://${host}/devtools/browser/1`);
  const command = expect(browser.devtools.send('Target.createBrowserContext')).rejects.toThrow('The browser ended.');
  await browser.close();
  await browser.ended;
  await command;
});
