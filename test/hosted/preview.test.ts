import { expect, test } from 'vitest';
import { type Client, openApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';

async function openPreviews() {
  const site = await openSite(
    (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Week')),
  );
  const service = await openApp({ allowPrivatePages: true, console: true });
  return { ...service, site, ada: await service.as('ada'), anyone: service.withAuthorization(null) };
}

/** Sends the form as the console does. */
function preview(client: Client, fields: Record<string, string>, token?: string): Promise<Response> {
  const body = new URLSearchParams({ ...fields, ...(token !== undefined && { access_token: token }) });
  return client.fetch('/preview', { method: 'POST', body });
}

const tokenOf = ({ authorization }: Client) => authorization.replace('Bearer ', '');

test('renders the page of a draft, and fetches its source once', async () => {
  const { ada, anyone, site } = await openPreviews();
  const pageUrl = `${site.origin}/week`;
  const dark = await preview(anyone, { pageUrl, mode: 'DARK', showTopBar: 'false' }, tokenOf(ada));
  expect(dark.status).toBe(200);
  const html = await dark.text();
  expect(html).toContain('data-mode="dark"');
  expect(html).toContain('The pantry list starts');
  expect(html).not.toContain('<header class="bar">');
  expect(await (await preview(anyone, { pageUrl }, tokenOf(ada))).text()).toContain('<header class="bar">');
  expect(site.requests).toHaveLength(1);
  expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(0);
});

test('allows framing by its own origin only, and has an opaque origin itself', async () => {
  const { ada, anyone, site } = await openPreviews();
  const { headers } = await preview(anyone, { pageUrl: `${site.origin}/week` }, tokenOf(ada));
  const policy = headers.get('content-security-policy')?.split('; ') ?? [];
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).toContain('sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads');
  expect(policy).toContain("default-src 'none'");
  expect(headers.get('cache-control')).toBe('no-store');
});

test('fetches nothing without a token that may create embeds', async () => {
  const { as, anyone, site } = await openPreviews();
  const pageUrl = `${site.origin}/week`;
  expect((await preview(anyone, { pageUrl })).status).toBe(401);
  expect((await preview(anyone, { pageUrl }, 'emb_wrong')).status).toBe(401);
  const reader = await as('ada', ['read']);
  expect((await preview(anyone, { pageUrl }, tokenOf(reader))).status).toBe(403);
  expect(site.requests).toHaveLength(0);
});

test('takes the token of a form, a header, or the session of the console', async () => {
  const { ada, anyone, site } = await openPreviews();
  const pageUrl = `${site.origin}/week`;
  expect((await preview(ada, { pageUrl })).status).toBe(200);
  const own = { origin: 'http://localhost:4000' };
  const signedIn = await anyone.fetch('/session', {
    method: 'POST',
    headers: { ...own, 'content-type': 'application/json' },
    body: JSON.stringify({ token: tokenOf(ada) }),
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const form = { method: 'POST', body: new URLSearchParams({ pageUrl }) };
  expect((await anyone.fetch('/preview', { ...form, headers: { ...own, cookie } })).status).toBe(200);
  expect((await anyone.fetch('/preview', { ...form, headers: { origin: 'null', cookie } })).status).toBe(401);
  const ended = await anyone.fetch('/preview', { ...form, headers: own });
  expect([ended.status, await ended.text()]).toEqual([401, expect.stringContaining('The session has ended')]);
});

test('refuses a repeated field and a repeated token', async () => {
  const { ada, anyone, site } = await openPreviews();
  const send = async (...fields: [string, string][]) => {
    const response = await anyone.fetch('/preview', { method: 'POST', body: new URLSearchParams(fields) });
    return [response.status, await response.text()];
  };
  const page: [string, string] = ['pageUrl', `${site.origin}/week`];
  const token: [string, string] = ['access_token', tokenOf(ada)];
  expect(await send(token, page, ['mode', 'DARK'], ['mode', 'LIGHT'])).toEqual([
    422,
    expect.stringContaining('The mode must be sent once.'),
  ]);
  expect(await send(['access_token', 'emb_wrong'], token, page)).toEqual([
    400,
    expect.stringContaining('The field access_token must be sent once.'),
  ]);
  expect(site.requests).toHaveLength(0);
});

test('lists the faults of a draft in a page', async () => {
  const { ada, anyone } = await openPreviews();
  const answer = await preview(anyone, { pageUrl: 'ftp://x/<b>', mode: 'PINK', showTopBar: 'perhaps' }, tokenOf(ada));
  expect(answer.status).toBe(422);
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
  const html = await answer.text();
  for (const text of ['The URL must', 'The mode must be one of LIGHT', 'The top bar must be true or false']) {
    expect(html).toContain(text);
  }
  const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  expect((await ada.fetch('/preview', json)).status).toBe(415);
});

test('has the look that the form sends, and otherwise that of the account', async () => {
  const { ada, anyone } = await openPreviews();
  await ada.rest('PATCH', '/v1/account', { look: { radius: 7, base_size: 20 }, allowed_sites: ['example.com'] });
  const fields = { pageUrl: 'http://127.0.0.1:9/x', look: JSON.stringify({ baseSize: 15 }) };
  const response = await preview(anyone, fields, tokenOf(ada));
  expect(response.status).toBe(200);
  const html = await response.text();
  for (const style of ['border-radius:7px', 'calc(0.9375rem*']) expect(html).toContain(style);
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
});
