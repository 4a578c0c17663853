import { expect, test } from 'vitest';
import { noBrowser, openPage } from '../browser.ts';
import { openService } from '../open-service.ts';
import { articlePage, openSite } from '../pages/site.ts';

const CARD = 'The owner shows this embed on other sites only.';
/** The URL of a frame that Chromium does not show. */
const BLOCKED = /^chrome-error:/;

/** Opens a service with an embed that two sites may show, and sites on all hosts below `localhost` that show it. */
async function openHosts() {
  const service = await openService((port) => ({ allowPrivatePages: true, embedHost: `embeds.localhost:${port}` }));
  const site = await openSite(({ url = '', headers }, response) => {
    const query = new URLSearchParams(url.split('?')[1]);
    const frame = `<iframe src="${query.get('src')}" referrerpolicy="${query.get('policy')}"></iframe>`;
    const isHost = headers.host?.includes('localhost');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      isHost ? `<!doctype html><title>Host</title>${frame}` : articlePage('Bread', '<p>Flour and water.</p>'),
    );
  });
  const ada = await service.as('ada');
  const { id, embed_url: embedUrl } = await ada.create({ page_url: `${site.origin}/bread` });
  const allow = (sites: readonly string[] | null) =>
    ada.rest('PATCH', `/v1/embeds/${id}/settings`, { allowed_sites: sites });
  await allow(['blog.localhost', '*.shop.localhost']);
  const view = () => service.app.fetch(new Request(embedUrl));
  await expect.poll(async () => (await view()).headers.get('cache-control')).toBe('no-cache');
  const { port } = new URL(site.origin);
  return {
    embedUrl,
    allow,
    /** Returns a page on a host that shows another one in a frame. */
    hostOf: (name: string, src: string, policy = 'no-referrer') =>
      `http://${name}.localhost:${port}/?${new URLSearchParams({ src, policy })}`,
  };
}

test.skipIf(noBrowser)('browsers show an embed on its sites only, also if the host page hides its name', async () => {
  const { embedUrl, hostOf } = await openHosts();
  const page = await openPage();
  const innermost = () => page.frames().at(-1);
  for (const url of [
    hostOf('blog', embedUrl),
    hostOf('a.shop', embedUrl),
    hostOf('a.b.shop', embedUrl),
    hostOf('blog', hostOf('a.shop', embedUrl)),
  ]) {
    await page.goto(url);
    await expect.poll(() => innermost()?.getByText('Flour and water').count(), { message: url }).toBe(1);
  }
  for (const url of [
    hostOf('other', embedUrl),
    hostOf('shop', embedUrl),
    hostOf('evilblog', embedUrl),
    // all ancestors count
    hostOf('other', hostOf('blog', embedUrl)),
  ]) {
    await page.goto(url);
    await expect.poll(() => innermost()?.url(), { message: url }).toMatch(BLOCKED);
    expect(await innermost()?.getByText('Flour and water').count(), url).toBe(0);
  }
});

/** A page without an origin, in a frame. */
const inSandbox = (html: string) => `<!doctype html><iframe sandbox="allow-scripts" srcdoc='${html}'></iframe>`;
const inDataUrl = (html: string) => `<!doctype html><iframe src="data:text/html,${encodeURIComponent(html)}"></iframe>`;

test.skipIf(noBrowser)(
  'an embed without a list of sites stands on all pages, also those without an origin',
  async () => {
    const { embedUrl, allow } = await openHosts();
    // a page that was blocked before may not open addresses of this machine in frames without an origin
    const page = await openPage({ isShared: false });
    const innermost = () => page.frames().at(-1);
    for (const within of [inSandbox, inDataUrl]) {
      await allow(null);
      await page.setContent(within(`<iframe src="${embedUrl}"></iframe>`));
      await expect.poll(() => innermost()?.getByText('Flour and water').count()).toBe(1);
      await allow(['blog.localhost']);
      await page.setContent(within(`<iframe src="${embedUrl}"></iframe>`));
      await expect.poll(() => innermost()?.url()).toMatch(BLOCKED);
    }
  },
);

test.skipIf(noBrowser)('a host page that sends its name gets a card in place of nothing', async () => {
  const { embedUrl, hostOf } = await openHosts();
  const page = await openPage();
  for (const [name, isShown] of [
    ['blog', true],
    ['other', false],
    ['a.shop', true],
    ['shop', false],
  ] as const) {
    await page.goto(hostOf(name, embedUrl, 'origin'));
    const frame = page.frameLocator('iframe');
    await frame.getByText(isShown ? 'Flour and water' : CARD).waitFor();
    expect(await frame.getByText(isShown ? CARD : 'Flour and water').count(), name).toBe(0);
  }
});
