import { describe, expect, onTestFinished, test } from 'vitest';
import { openLocalSites, servedHtml } from '../../../packages/frame/test/browser/local-sites.ts';
import { listen } from '../../../src/http/server/listen.ts';
import { noBrowser, openPage } from '../../browser.ts';
import { hasProgram, openNginx } from '../../edge/programs.ts';
import { findFreePort } from '../../free-port.ts';
import { type Client, openApp, type RestEmbed } from '../../open-app.ts';
import { articlePage, openSite } from '../../pages/site.ts';

/** The headless browser calls itself a bot: also in the report of a read, which ignores this user agent. */
const READER = {
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  viewport: { width: 800, height: 600 },
};
const LONG = '<p>A line of the article that a reader scrolls through.</p>'.repeat(80);

async function viewsOf(client: Client, { id }: RestEmbed) {
  const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
  return (await client.rest('GET', `/v1/embeds/${id}/views?from=${from}&to=${to}&by=site`)).body.views;
}

/** Opens a gateway on a port, behind nginx if asked, with rendered embeds of one source, and a site for pages around them. */
async function openGateway(isBehindNginx: boolean) {
  const edge = isBehindNginx ? await openNginx() : null;
  const port = edge?.port ?? (await findFreePort());
  const { app, as } = await openApp({ allowPrivatePages: true, embedHost: `embeds.localhost:${port}` });
  const listener = await listen({ port: edge ? 0 : port, host: '127.0.0.1', handle: app.handle });
  onTestFinished(() => listener.close(0));
  await edge?.start(listener.port);
  const source = await openSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Bread', LONG));
  });
  const ada = await as('ada');
  const sites = await openLocalSites();
  onTestFinished(sites.close);
  return {
    ada,
    async createShown() {
      const embed = await ada.create({ page_url: `${source.origin}/bread` });
      await ada.rest('POST', `/v1/embeds/${embed.id}/refresh`);
      return embed;
    },
    /** Serves a page of a blog, and returns its URL. */
    servePage(html: string, path = '/private/path?user=ada') {
      const url = `${sites.origin('blog')}${path}`;
      sites.serve(url, servedHtml(html));
      return url;
    },
  };
}

const frameOf = ({ embed_url }: RestEmbed, attributes = '') =>
  `<iframe src="${embed_url}" width="700" height="400" ${attributes}></iframe>`;

describe.skipIf(noBrowser)('in a browser', () => {
  const canRunNginx = hasProgram('nginx', '-v');
  test.for([
    ['directly', false],
    ['behind nginx', true],
  ] as const)(
    '%s, a frame on the screen is one view, and half of its article is a read',
    async ([, isBehindNginx], { skip }) => {
      skip(isBehindNginx && !canRunNginx, 'nginx is not installed');
      const { ada, createShown, servePage } = await openGateway(isBehindNginx);
      const [seen, below, uncounted, sandboxed] = [
        await createShown(),
        await createShown(),
        await createShown(),
        await createShown(),
      ];
      const page = await openPage(READER);
      const html = [
        frameOf(seen),
        frameOf(sandboxed, 'sandbox="allow-scripts" style="position:absolute;top:450px"'),
        frameOf(uncounted, 'name="uncounted" style="position:absolute;top:500px"'),
        frameOf(below, 'style="position:absolute;top:5000px"'),
      ];
      await page.goto(servePage(`<!doctype html>${html.join('')}`));
      const one = (reads: number) => ({ views: 1, reads, groups: [{ key: 'blog.localhost', views: 1, reads }] });
      const none = { views: 0, reads: 0, groups: [] };
      await expect.poll(() => viewsOf(ada, seen)).toEqual(one(0));
      await expect.poll(() => viewsOf(ada, sandboxed)).toEqual(one(0));
      expect([await viewsOf(ada, below), await viewsOf(ada, uncounted)]).toEqual([none, none]);

      // the reader scrolls within the frame, and leaves the page
      const frame = page.frames().find((each) => each.url() === seen.embed_url);
      await frame?.evaluate(
        () =>
          new Promise((resolve) => {
            const half = document.querySelector('article > i') as Element;
            new IntersectionObserver(([entry]) => entry?.isIntersecting && resolve(null)).observe(half);
            scrollTo(0, document.body.scrollHeight / 2);
          }),
      );
      await page.goto('about:blank');
      await expect.poll(() => viewsOf(ada, seen)).toEqual(one(1));
      expect(await viewsOf(ada, sandboxed)).toEqual(one(0));
      expect(await viewsOf(ada, below)).toEqual(none);
    },
  );

  test('an embed that is open by itself is a view without a site', async () => {
    const { ada, createShown, servePage } = await openGateway(false);
    const embed = await createShown();
    const page = await openPage(READER);
    await page.goto(servePage(`<a href="${embed.embed_url}">Read it</a>`));
    await page.click('a');
    await expect
      .poll(() => viewsOf(ada, embed))
      .toEqual({ views: 1, reads: 0, groups: [{ key: 'direct', views: 1, reads: 0 }] });
  });

  test('a browser that objects sends nothing', async () => {
    const { ada, createShown, servePage } = await openGateway(false);
    const [objecting, embed] = [await createShown(), await createShown()];
    const page = await openPage({ ...READER, isShared: false });
    const { host } = new URL(objecting.embed_url);
    await page.addInitScript((name) => {
      if (location.host === name) Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
    }, host);
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).host));
    await page.goto(servePage(`<!doctype html>${frameOf(objecting, 'height="100"')}${frameOf(embed)}`));
    await expect.poll(async () => (await viewsOf(ada, embed)).views).toBe(1);
    expect(sent).toEqual([new URL(embed.embed_url).host]);
    expect((await viewsOf(ada, objecting)).views).toBe(0);
  });
});
