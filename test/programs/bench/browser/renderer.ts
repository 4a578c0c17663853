import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { SCRIPTED_PAGES } from '../../../../packages/fetcher/test/render/fixtures/scripted-pages.ts';
import { createData } from '../data/sqlite.ts';
import { medianOf } from '../median.ts';
import { type Server, startGateway } from '../server.ts';
import { formatTable } from '../table.ts';
import { send } from '../target.ts';

const CHROMIUM = '/usr/bin/chromium';
const POLL_MS = 10;
const WIDTHS = [46, 10];

interface Plan {
  readonly folder: string;
  readonly rounds: number;
}

/** Measures how long a page that scripts build takes from the first request to its article, beside playwright-core. */
export async function measureRenderer({ folder, rounds }: Plan): Promise<void> {
  const site = createServer(({ url = '' }, response) => {
    const resource = SCRIPTED_PAGES[url.replace(/\?.*/, '')];
    if (resource) response.writeHead(200, { 'content-type': resource.type }).end(resource.body);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const hasSandbox = process.getuid?.() !== 0;
  const environment = { RENDERER: CHROMIUM, RENDERER_SANDBOX: String(hasSandbox), ALLOW_PRIVATE_PAGES: 'true' };
  const gateway = await startGateway(await createData(folder, 100), [], environment);
  const plain = await chromium.launch({ executablePath: CHROMIUM, args: hasSandbox ? [] : ['--no-sandbox'] });
  try {
    const first = await timeOfArticle(gateway, `${origin}/react?first`);
    const pairs: { readonly gatewayMs: number; readonly plainMs: number }[] = [];
    let busyMb = 0;
    for (let i = 0; i < rounds; i++) {
      const watch = setInterval(() => {
        busyMb = Math.max(busyMb, browserMb(gateway.pid));
      }, 50);
      const gatewayMs = await timeOfArticle(gateway, `${origin}/react?${i}`);
      clearInterval(watch);
      const startMs = performance.now();
      const page = await plain.newPage();
      await page.goto(`${origin}/react`, { waitUntil: 'networkidle' });
      await page.content();
      await page.context().close();
      pairs.push({ gatewayMs, plainMs: performance.now() - startMs });
    }
    const idleMb = browserMb(gateway.pid);
    const startMs = performance.now();
    const many = Array.from({ length: 12 }, (_, i) => timeOfArticle(gateway, `${origin}/react?many-${i}`));
    await Promise.all(many);
    const perMinute = (many.length * 60_000) / (performance.now() - startMs);
    const gatewayMs = medianOf(pairs.map((pair) => pair.gatewayMs));
    const plainMs = medianOf(pairs.map((pair) => pair.plainMs));
    const ratio = medianOf(pairs.map((pair) => pair.gatewayMs / pair.plainMs));
    const lines = [
      ['first article, with the start of the browser', `${first.toFixed(0)} ms`],
      ['article, from request to content', `${gatewayMs.toFixed(0)} ms`],
      ['playwright-core, page.content() at networkidle', `${plainMs.toFixed(0)} ms`],
      ['ratio', ratio.toFixed(2)],
      ['pages a minute', perMinute.toFixed(0)],
      ['memory of the browser, idle (PSS)', `${idleMb.toFixed(0)} MB`],
      ['memory of the browser, with a page', `${busyMb.toFixed(0)} MB`],
    ];
    console.log(`${formatTable(lines, WIDTHS)}\nMedians of ${rounds} rounds; one page at a time.`);
  } finally {
    await plain.close();
    await gateway.stop();
    site.close();
  }
}

/** Creates an embed, and loads it like its first reader until its page is no longer pending. */
async function timeOfArticle(gateway: Server, pageUrl: string): Promise<number> {
  const headers = { authorization: `Bearer ${gateway.data.token}`, 'content-type': 'application/json' };
  const create = { method: 'POST', path: '/v1/embeds', headers, body: JSON.stringify({ page_url: pageUrl }) } as const;
  const { body } = await send(gateway.origin, create);
  const { host, pathname: path } = new URL(JSON.parse(body).embed.embed_url);
  const startMs = performance.now();
  for (;;) {
    const page = await send(gateway.origin, { method: 'GET', path, headers: { host } });
    if (page.headers['cache-control'] !== 'no-store') {
      if (!page.body.includes('Wash the lentils')) throw new Error('The page was not rendered.');
      return performance.now() - startMs;
    }
    await pause(POLL_MS);
  }
}

/** Returns the proportional memory of all processes that a process has started. */
function browserMb(gatewayPid: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      parents.set(Number(name), Number(parent));
    } catch {
      // it has ended
    }
  }
  const isChild = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0;
    return parent === gatewayPid || (parent > 1 && isChild(parent));
  };
  let kB = 0;
  for (const pid of parents.keys()) {
    if (!isChild(pid)) continue;
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('chrom')) continue;
      kB += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // it has ended, or belongs to another user
    }
  }
  return kB / 1_024;
}
