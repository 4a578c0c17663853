import { expect, onTestFinished, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { listen } from '../../src/http/listen.ts';
import { reply } from '../../src/http/reply.ts';
import { noBrowser, openBrowser } from '../browser.ts';
import { openApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';

/** What a hostile page tries in order to run something in the embed, or to take its reader elsewhere. */
const HOSTILE = `
  <script>parent.postMessage('pwned', '*')</script><img src="x" onerror="parent.postMessage('pwned', '*')">
  <svg onload="parent.postMessage('pwned', '*')"><script>parent.postMessage('pwned', '*')</script></svg>
  <math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=parent.postMessage('pwned','*')&gt;">
  <iframe srcdoc="<script>top.postMessage('pwned','*')</script>"></iframe><base href="https://evil.example/">
  <meta http-equiv="refresh" content="0;url=https://evil.example/"><a id="bad" href="javascript:alert(1)">click</a>
  <form action="https://evil.example/"><button>Send</button></form><style>body { display: none }</style>`;

/** The whole service on a port of its own, with a site of one page. */
async function openService(html: string) {
  const site = await openSite(
    (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  );
  let answerTo: App['handle'] = async () => reply(null, { status: 503 });
  const listener = await listen({ port: 0, host: '127.0.0.1', answer: (request) => answerTo(request) });
  onTestFinished(() => listener.close(0));
  const service = await openApp({
    allowPrivatePages: true,
    embedHost: `embeds.localhost:${listener.port}`,
    port: listener.port,
  });
  answerTo = service.app.handle;
  const ada = await service.as('ada');
  const { data } = await ada.graphql(
    'mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { id html embedUrl } } }',
    { input: { pageUrl: `${site.origin}/week`, mode: 'USER_DEFINED' } },
  );
  const embed = data.createEmbed.embed as { id: string; html: string; embedUrl: string };
  // a busy machine may take longer to read the page than readers are kept waiting
  await expect.poll(async () => (await service.app.fetch(new Request(embed.embedUrl))).text()).toContain('<article');
  return { ada, embed };
}

test.skipIf(noBrowser)(
  'the pasted snippet shows the article at its full height on another site, and runs nothing of the page',
  { timeout: 60_000 },
  async () => {
    // higher than the frame is before it is fitted, whatever fonts there are
    const list = `<ol>${'<li>Rice</li>'.repeat(40)}</ol>`;
    const { embed } = await openService(articlePage('Meal Planner', list + HOSTILE));
    const host = await openSite(
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Host</title><script>
      window.heard = []; addEventListener('message', ({ data }) => heard.push(data));
    </script><p>Before</p>${embed.html}${embed.html}<p>After</p>`),
    );
    const browser = await openBrowser({ areApart: true });
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (line) => void (line.type() === 'error' && complaints.push(line.text())));
    page.on('request', (request) => void (request.url().includes('evil') && complaints.push(request.url())));
    await page.goto(host.origin);

    const frame = page.frameLocator('iframe').first();
    await frame.getByRole('heading', { name: 'Meal Planner' }).waitFor();
    expect(await frame.getByText('The pantry list starts').count()).toBeGreaterThan(0);
    const heights = () =>
      page.locator('iframe').evaluateAll((frames) => frames.map((element) => element.getBoundingClientRect().height));
    const contentHeight = () =>
      frame.locator('#embed').evaluate((root) => Math.ceil(root.getBoundingClientRect().height));
    expect(await contentHeight()).toBeGreaterThan(800);
    // the first one may have grown so much that the second, which is lazy, waits for the reader
    await page.locator('iframe').nth(1).scrollIntoViewIfNeeded();
    await expect
      .poll(async () => [await heights(), await contentHeight()], { timeout: 30_000 })
      .toSatisfy(([frames, height]) => frames.length === 2 && frames.every((one: number) => one === height));
    const overflow = await frame.locator('html').evaluate((root) => root.scrollHeight - root.clientHeight);
    expect(overflow).toBeLessThanOrEqual(1);
    expect(await page.evaluate('heard.filter((message) => message === "pwned")')).toEqual([]);
    expect(
      await frame
        .locator('script, form, iframe, svg[onload], math, base, style')
        .evaluateAll((found) => found.filter((element) => element.closest('.content')).length),
    ).toBe(0);
    expect(await frame.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);

test.skipIf(noBrowser)(
  'embed_url opens in a browser as it is, and a deleted embed says so',
  { timeout: 60_000 },
  async () => {
    const { ada, embed } = await openService(articlePage('Meal Planner'));
    const page = await (await openBrowser({ areApart: true })).newPage();
    await page.goto(new URL('/?utm_source=x', embed.embedUrl).href);
    expect(page.url()).toBe(embed.embedUrl);
    await page.getByRole('heading', { name: 'Meal Planner' }).waitFor();
    await ada.rest('DELETE', `/v1/embeds/${embed.id}`);
    const gone = await page.reload();
    expect(gone?.status()).toBe(404);
    await page.getByRole('heading', { name: 'There is no embed here' }).waitFor();
  },
);
