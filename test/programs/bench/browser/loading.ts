import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { createData } from '../data/sqlite.ts';
import { medianOf } from '../median.ts';
import { type Server, startGateway } from '../server.ts';
import { formatTable } from '../table.ts';
import { send } from '../target.ts';

const CHROMIUM = '/usr/bin/chromium';
/** Lighthouse's slow 4G, as its own throttling by the DevTools protocol sets it: 1.6 Mbit/s, and 150 ms for a round trip. */
const SLOW_4G = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: (1_638.4 * 1_024 * 0.9) / 8,
  uploadThroughput: (750 * 1_024 * 0.9) / 8,
};
const CPU_SLOWDOWN = 4;
const EMBEDS_OF_HOST = 5;
const MAX_LCP_MS = 1_300;
const MAX_CLS = 0.06;
/** The network and the processor are slow for frames of the same process only. */
const ONE_PROCESS = ['--disable-site-isolation-trials', '--disable-features=IsolateOrigins,site-per-process'];
const PHONE = { width: 390, height: 844 };
const WIDTHS = [52, 10];
const POLL_MS = 50;
const LOAD_TIMEOUT_MS = 60_000;
/** For what happens after the load, such as heights that frames report. */
const SETTLE_MS = 3_000;
const HTML = 'query($id: ID!) { embed(id: $id) { html } }';

const PARAGRAPH = `<p>${'The pantry list starts with what is already there, and ends with what the week still needs. '.repeat(6)}</p>`;
const ARTICLE = `<!doctype html><html lang="en"><title>Pantry</title><article><h1>Pantry</h1>${`<h2>Part</h2>${PARAGRAPH.repeat(3)}`.repeat(8)}</article>`;

interface Plan {
  readonly folder: string;
  readonly rounds: number;
}

interface Embed {
  readonly url: string;
  /** The snippet, with the height of the article. */
  readonly html: string;
}

interface Load {
  readonly lcpMs: number;
  readonly shift: number;
  readonly bytes: number;
}

/** Measures how soon a slow phone shows an embed for the first time, and how far five embeds shift the page around them. */
export async function measureLoading({ folder, rounds }: Plan): Promise<void> {
  let host = '';
  const site = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(url === '/host' ? host : ARTICLE);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const gateway = await startGateway(await createData(folder, 100), [], { ALLOW_PRIVATE_PAGES: 'true' });
  // the gateway listens on another port than its URLs say
  const { host: address } = new URL(gateway.origin);
  const rules = `MAP *.localhost:4000 ${address}, MAP localhost:4000 ${address}`;
  const args = [
    '--no-sandbox',
    '--disable-quic',
    '--disable-background-networking',
    ...ONE_PROCESS,
    `--host-resolver-rules=${rules}`,
  ];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  try {
    const embeds: Embed[] = [];
    for (let i = 0; i < EMBEDS_OF_HOST; i++) embeds.push(await createEmbed(gateway, `${origin}/${i}`));
    const snippets = embeds.map(({ html }) => html);
    host = `<!doctype html><meta name="viewport" content="width=device-width"><h1>Host</h1>${snippets.join('<p>Between</p>')}<p>End</p>`;
    const loads: Load[] = [];
    const shifts: number[] = [];
    for (let i = 0; i < rounds; i++) {
      loads.push(await load(browser, embeds[0]?.url ?? ''));
      shifts.push((await load(browser, `${origin}/host`)).shift);
    }
    const lcpMs = medianOf(loads.map((one) => one.lcpMs));
    const shift = medianOf(shifts);
    const mark = (isMissed: boolean) => (isMissed ? '!' : ' ');
    const lines = [
      ['largest contentful paint of an article, cold', `${lcpMs.toFixed(0)} ms${mark(lcpMs > MAX_LCP_MS)}`],
      ['bytes of its one response', `${medianOf(loads.map((one) => one.bytes)).toFixed(0)}  `],
      [`layout shift of a page with ${EMBEDS_OF_HOST} embeds`, `${shift.toFixed(3)}${mark(shift > MAX_CLS)}`],
    ];
    console.log(
      `${formatTable(lines, WIDTHS)}\nMedians of ${rounds} rounds on slow 4G with a processor ${CPU_SLOWDOWN} times slower; "!" marks a missed target.`,
    );
  } finally {
    await browser.close();
    await gateway.stop();
    site.close();
  }
}

/** Creates an embed, and waits until the gateway has read its page. */
async function createEmbed({ origin, data }: Server, pageUrl: string): Promise<Embed> {
  const headers = { authorization: `Bearer ${data.token}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) =>
    JSON.parse((await send(origin, { method: 'POST', path, headers, body: JSON.stringify(body) })).body);
  const { id, embed_url: url } = (await post('/v1/embeds', { page_url: pageUrl })).embed;
  const { host, pathname } = new URL(url);
  const read = () => send(origin, { method: 'GET', path: pathname, headers: { host } });
  while ((await read()).headers['cache-control'] === 'no-store') await pause(POLL_MS);
  return { url, html: (await post('/graphql', { query: HTML, variables: { id } })).data.embed.html };
}

/** Loads a page in a new context, without anything in its caches. */
async function load(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ viewport: PHONE, deviceScaleFactor: 2 });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(url, { waitUntil: 'load', timeout: LOAD_TIMEOUT_MS });
  await pause(SETTLE_MS);
  const measured = await page.evaluate(MEASURE);
  await context.close();
  return { ...(measured as Pick<Load, 'lcpMs' | 'shift'>), bytes };
}

/** Runs in the page: scrolls through it, as frames are loaded when they come near, and then measures. */
const MEASURE = `(async () => {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 250));
  for (let top = 0; top < document.documentElement.scrollHeight; top += 400) {
    scrollTo(0, top);
    await pause();
  }
  const measured = { lcpMs: NaN, shift: 0 };
  const observe = (type, add) => new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => { measured.lcpMs = startTime; });
  observe('layout-shift', ({ value }) => { measured.shift += value; });
  await pause();
  return measured;
})()`;
