import { readdirSync, readFileSync } from 'node:fs';
import { onTestFinished, test } from 'vitest';
import { CHROMIUM, noBrowser } from '../../../../test/browser.ts';
import { createPageFetcher } from '../../src/fetch/fetch.ts';
import { findBrowser } from '../../src/render/browser-source.ts';
import { createRenderer, type RendererEvent } from '../../src/render/renderer.ts';

/** Settings of a service that renders pages. As root, Chromium has no sandbox. */
export const RENDERER = { renderer: CHROMIUM, rendererSandbox: process.getuid?.() !== 0 };

/** Skipped where there is no Chromium; `test/browser.ts` prints why. */
export const chromiumTest = test.skipIf(noBrowser !== null);

/** A busy machine needs longer than a service should. */
const TIMEOUT_MS = 60_000;

type Options = Partial<Parameters<typeof createRenderer>[0]>;

/** Opens a renderer that is closed when the test ends. It may fetch from loopback unless it gets another fetcher. */
export function openRenderer(options: Options = {}) {
  const events: RendererEvent[] = [];
  const browser = findBrowser(RENDERER.renderer, RENDERER.rendererSandbox);
  if ('reason' in browser) throw new Error(browser.reason);
  const ownAddresses = { embedHost: 'embeds.example', host: 'gateway.example', port: 4000 };
  const renderer = createRenderer({
    source: browser,
    fetcher: createPageFetcher({ policy: { allowPrivatePages: true }, ownAddresses, userAgent: 'Test' }),
    timeoutMs: TIMEOUT_MS,
    onEvent: (event) => events.push(event),
    ...options,
  });
  onTestFinished(renderer.close);
  const ends = () => events.flatMap((event) => (event.kind === 'ended' ? [event.reason] : []));
  // earlier tests may share a browser with later ones
  const others = new Set(browserProcesses(process.pid));
  const processes = () => browserProcesses(process.pid).filter((pid) => !others.has(pid));
  return { renderer, events, ends, processes };
}

/** Returns a page that runs a script. */
export function pageWith(script: string): string {
  return `<!doctype html><html><head><title>App</title></head><body><script>${script}</script></body></html>`;
}

/** Returns a script that fills its page with a text, which must not contain quotes. */
export function writes(text: string): string {
  return `document.body.innerHTML = '<p>' + '${text} '.repeat(60) + '</p>';`;
}

/** Returns the processes of the browsers that a process has started, by their process groups, on Linux. */
export function browserProcesses(parentPid: number): readonly number[] {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '');
        const [state, parent, group] = stat.split(' ');
        return state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group) }];
      } catch {
        return [];
      }
    });
  const browsers = processes.filter(({ pid, parent, group }) => {
    if (parent !== parentPid || pid !== group) return false;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--remote-debugging-pipe');
  });
  return browsers.flatMap(({ group }) => processes.filter((other) => other.group === group).map(({ pid }) => pid));
}

/** Returns whether a process group has processes, on Linux. */
export function isGroupAlive(group: number): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /s, '');
      const [state, , pgrp] = stat.split(' ');
      return state !== 'Z' && Number(pgrp) === group;
    } catch {
      return false;
    }
  });
}
