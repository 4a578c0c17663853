import { expect, onTestFinished, test } from 'vitest';
import { CHROMIUMS } from '../../../../test/browser.ts';
import { openSite } from '../../../../test/pages/site.ts';
import type { PageFetcher } from '../../src/fetch/fetch.ts';
import { createMemoryMeter } from '../../src/render/memory.ts';
import { chromiumTest, openRenderer, pageWith, RENDERER, writes } from './renderer.ts';

chromiumTest('renders a page again whose browser was killed, and replaces browsers that fail or are old', async () => {
  let killOnce = () => {
    for (const pid of processes()) process.kill(pid, 'SIGKILL');
    killOnce = () => {};
  };
  const site = await openSite((_request, response) => {
    killOnce();
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(writes('Soup.'));
  });
  const { renderer, ends, processes } = openRenderer({ maxPages: 2 });
  const render = (html: string) => renderer.render({ url: `${site.origin}/`, html, robots: null });
  const script = '<!doctype html><title>App</title><body><script src="/app.js"></script></body>';
  expect(await render(script)).toMatchObject({
    kind: 'page',
    html: expect.stringContaining('Soup.'),
  });
  expect(ends()).toEqual(['crash']);
  expect(await render(pageWith(writes('Bread.')))).toMatchObject({
    kind: 'page',
    html: expect.stringContaining('Bread.'),
  });
  expect(ends()).toEqual(['crash', 'pages']);
  // a page that blocks its thread is given up
  expect(await render(pageWith('setTimeout(() => { for (;;); })'))).toEqual({ kind: 'failed' });
  expect(ends()).toEqual(['crash', 'pages', 'blocked']);
  expect(processes()).toEqual([]);
});

chromiumTest('shows the document of a route as it was sent, and ends the requests of a page with it', async () => {
  const requests: [url: string, signal: AbortSignal][] = [];
  const fetchResource: PageFetcher['fetchResource'] = ({ url }, signal) => {
    requests.push([url, signal]);
    return new Promise(() => {});
  };
  const { renderer } = openRenderer({ fetcher: { fetchResource }, timeoutMs: 10_000 });
  const url = 'http://site.example/#/route';
  const html = pageWith(`${writes('Soup.')}; fetch('/slow')`);
  const soup = { url, html: expect.stringContaining('Soup.') };
  expect(await renderer.render({ url, html, robots: null })).toMatchObject(soup);
  expect(requests).toEqual([['http://site.example/slow', expect.objectContaining({ aborted: true })]]);
});

chromiumTest('sends headers of a page with the bytes that the page gave them', async () => {
  const site = await openSite(({ headers }, response) => response.end(Buffer.from(`${headers['x-b']}`, 'latin1')));
  const { renderer } = openRenderer();
  // the bytes of an ellipsis in UTF-8, which `fetch` takes as Latin-1
  const script = `fetch('/b', { headers: { 'x-b': '\\u00e2\\u0080\\u00a6' } }).then((b) => b.text()).then((b) => { ${writes("Soup' + b + '")} });`;
  const url = `${site.origin}/`;
  expect(await renderer.render({ url, html: pageWith(script), robots: null })).toMatchObject({
    html: expect.stringContaining('Soup…'),
  });
});

chromiumTest('gives a page the status of each response, also one without a name', async () => {
  const site = await openSite(({ url }, response) => response.writeHead(Number(url?.slice(1))).end());
  const { renderer } = openRenderer();
  const script = `Promise.all([200, 522, 999].map((status) => fetch('/' + status))).then((all) => { ${writes("' + all.map(({ status }) => status) + '")} });`;
  expect(await renderer.render({ url: `${site.origin}/`, html: pageWith(script), robots: null })).toMatchObject({
    html: expect.stringContaining('200,522,999'),
  });
});

chromiumTest('ends a browser that exceeds its bound on memory', async () => {
  const { renderer, ends } = openRenderer({ maxBytes: 1_000_000 });
  expect(await renderer.render({ url: 'http://127.0.0.1:9/', html: pageWith(''), robots: null })).toEqual({
    kind: 'failed',
  });
  expect(ends()).toEqual(['memory']);
});

test.skipIf(process.platform !== 'linux').each(CHROMIUMS)(
  'ends %s before a page that fills its memory takes 1 GB',
  async (path) => {
    const source = { kind: 'local', path, hasSandbox: RENDERER.rendererSandbox } as const;
    const { renderer, ends, processes } = openRenderer({ source });
    const render = (script: string) =>
      renderer.render({ url: 'http://127.0.0.1:9/', html: pageWith(script), robots: null });
    expect(await render(writes('Soup.'))).toMatchObject({ kind: 'page' });
    const [launcher = 0] = processes();
    const measure = createMemoryMeter(launcher);
    let peakBytes = 0;
    const watch = setInterval(() => {
      peakBytes = Math.max(peakBytes, measure() ?? 0);
    }, 5);
    onTestFinished(() => clearInterval(watch));
    // the thread of the page stays free, however long the machine takes for the memory, and its text changes
    const worker = "new Worker(URL.createObjectURL(new Blob(['new Uint8Array(1.9 * 2 ** 30).fill(1)'])))";
    const page = `window.worker = ${worker}; setInterval(() => document.body.append('Soup.'), 50);`;
    expect(await render(page)).toEqual({ kind: 'failed' });
    expect(ends()).toEqual(['memory']);
    expect(peakBytes).toBeGreaterThan(2 ** 29);
    expect(peakBytes).toBeLessThan(2 ** 30);
  },
);
