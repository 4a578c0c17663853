import { expect, test } from 'vitest';
import { noBrowser, openPage } from '../../browser.ts';
import { openService } from '../../open-service.ts';
import { articlePage, openSite } from '../../pages/site.ts';

/** Markup that tries to run code in the embed, or to redirect its reader. */
const HOSTILE = `
  <script>parent.postMessage('pwned', '*')</script><img src="x" onerror="parent.postMessage('pwned', '*')">
  <svg onload="parent.postMessage('pwned', '*')"><script>parent.postMessage('pwned', '*')</script></svg>
  <math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=parent.postMessage('pwned','*')&gt;">
  <iframe srcdoc="<script>top.postMessage('pwned','*')</script>"></iframe><base href="https://evil.example/">
  <meta http-equiv="refresh" content="0;url=https://evil.example/"><a id="bad" href="javascript:alert(1)">click</a>
  <form action="https://evil.example/"><button>Send</button></form><style>body { display: none }</style>`;

/** Opens the service, and a site of one page. */
async function openWithSite(html: string) {
  const site = await openSite(
    (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  );
  const service = await openService((port) => {
    return { allowPrivatePages: true, embedHost: `embeds.localhost:${port}`, port };
  });
  const ada = await service.as('ada');
  const { data } = await ada.graphql(
    'mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { id html embedUrl } } }',
    { input: { pageUrl: `${site.origin}/week`, mode: 'USER_DEFINED' } },
  );
  const embed = data.createEmbed.embed as { id: string; html: string; embedUrl: string };
  // on a busy machine, reading the page may exceed the timeout for readers
  await expect.poll(async () => (await service.app.fetch(new Request(embed.embedUrl))).text()).toContain('<article');
  return { ada, embed };
}

test.skipIf(noBrowser)(
  'the pasted snippet shows the article at its full height on another site, and runs no code of the source',
  async () => {
    // higher than the initial height of the iframe, with any font
    const list = `<ol>${'<li>Rice</li>'.repeat(40)}</ol>`;
    const { embed } = await openWithSite(articlePage('Meal Planner', list + HOSTILE));
    const host = await openSite(
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Host</title><script>
      window.heard = []; addEventListener('message', ({ data }) => heard.push(data));
    </script><p>Before</p>${embed.html}${embed.html}<p>After</p>`),
    );
    const page = await openPage({ isolateSites: true });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (line) => void (line.type() === 'error' && problems.push(line.text())));
    page.on('request', (request) => void (request.url().includes('evil') && problems.push(request.url())));
    await page.goto(host.origin);

    const frame = page.frameLocator('iframe').first();
    await frame.getByRole('heading', { name: 'Meal Planner' }).waitFor();
    expect(await frame.getByText('The pantry list starts').count()).toBeGreaterThan(0);
    const heights = () =>
      page.locator('iframe').evaluateAll((frames) => frames.map((element) => element.getBoundingClientRect().height));
    const contentHeight = () =>
      frame.locator('#embed').evaluate((root) => Math.ceil(root.getBoundingClientRect().height));
    expect(await contentHeight()).toBeGreaterThan(800);
    // the second iframe is lazy and may be off-screen
    await page.locator('iframe').nth(1).scrollIntoViewIfNeeded();
    await expect
      .poll(async () => [await heights(), await contentHeight()])
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
    expect(problems).toEqual([]);
  },
);

test.skipIf(noBrowser)('embed_url opens in a browser, and shows an error page once the embed is deleted', async () => {
  const { ada, embed } = await openWithSite(articlePage('Meal Planner'));
  const page = await openPage();
  await page.goto(new URL('/?utm_source=x', embed.embedUrl).href);
  expect(page.url()).toBe(embed.embedUrl);
  await page.getByRole('heading', { name: 'Meal Planner' }).waitFor();
  await ada.rest('DELETE', `/v1/embeds/${embed.id}`);
  const gone = await page.reload();
  expect(gone?.status()).toBe(404);
  await page.getByRole('heading', { name: 'Embed not found' }).waitFor();
});
