import { expect, test } from 'vitest';
import { findFont } from '../../src/doors/hosted/font.ts';
import { openApp, type TestApp } from '../open-app.ts';
import { openSite } from '../pages/site.ts';

const CREATE = 'mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { id font } warnings } }';
const UPDATE = 'mutation($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { font } warnings } }';
const PAGE_URL = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';

/** The style sheets of a provider, by family. It does not answer for other families. */
const RESPONSES: Readonly<Record<string, readonly [status: number, type: string, body: string]>> = {
  'Open Sans': [200, 'text/css', '@font-face { font-family: "Open Sans"; src: url(open-sans.woff2) }'],
  'Not a Font': [400, 'text/html', 'The requested font families are not available.'],
  'No Font': [404, 'text/html', 'Not found'],
  'Empty Font': [200, 'text/css; charset=utf-8', ''],
  'Broken Font': [500, 'text/plain', 'Try again later'],
};

async function openWithProvider() {
  const asked: string[] = [];
  const provider = await openSite(({ url }, response) => {
    const family = new URL(url ?? '', 'http://fonts.example').searchParams.get('family') ?? '';
    asked.push(family);
    const [status, type, body] = RESPONSES[family] ?? [];
    if (status !== undefined) response.writeHead(status, { 'content-type': type }).end(body);
  });
  const service = await openApp({ allowPrivatePages: true, fontCssUrl: `${provider.origin}/css2?family={family}` });
  return { asked, host: new URL(provider.origin).host, ada: await service.as('ada') };
}

test('a font that the provider does not know is reported by creates and updates, and stored all the same', async () => {
  const { asked, host, ada } = await openWithProvider();
  const warningOf = (font: string) =>
    `font "${font}" is unknown to ${host}, so readers see the text in their own fonts; check the spelling of the family`;
  for (const [font, warnings] of [
    ['default', []],
    ['Inter', []],
    ['Open Sans', []],
    ['Not a Font', [warningOf('Not a Font')]],
    ['No Font', [warningOf('No Font')]],
    ['Empty Font', [warningOf('Empty Font')]],
    ['Broken Font', []],
    ['Silent Font', []],
  ] as const) {
    const { data } = await ada.graphql(CREATE, { input: { pageUrl: PAGE_URL, font } });
    expect(data.createEmbed).toEqual({ embed: { id: expect.any(String), font }, warnings });
    const { id } = data.createEmbed.embed;
    const again = await ada.graphql(UPDATE, { input: { id, font } });
    expect(again.data.updateEmbed).toEqual({ embed: { font }, warnings });
    const other = await ada.graphql(UPDATE, { input: { id, mode: 'DARK' } });
    expect(other.data.updateEmbed.warnings).toEqual([]);
  }
  // once each, and not for the fonts of readers and of the service
  expect(asked).toEqual([...Object.keys(RESPONSES), 'Silent Font']);
  await ada.graphql('mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { replayed } }', {
    input: { pageUrl: PAGE_URL, font: 'Not selected' },
  });
  expect(asked).not.toContain('Not selected');
});

test('a font is also checked after the title of a slow page', async () => {
  const { host, ada } = await openWithProvider();
  const silent = await openSite(() => {});
  const { data } = await ada.graphql(CREATE, { input: { pageUrl: `${silent.origin}/about`, font: 'No Font' } });
  expect(data.createEmbed.warnings).toEqual([expect.stringContaining(`font "No Font" is unknown to ${host}`)]);
});

test('REST has warnings beside the embed, only if there are some, and the ETag of the embed alone', async () => {
  const { host, ada } = await openWithProvider();
  const plain = await ada.rest('POST', '/v1/embeds', { page_url: PAGE_URL, font: 'Open Sans' });
  expect(Object.keys(plain.body)).toEqual(['embed']);
  const { status, body, headers } = await ada.rest('POST', '/v1/embeds', { page_url: PAGE_URL, font: 'No Font' });
  expect([status, Object.keys(body)]).toEqual([201, ['embed', 'warnings']]);
  expect(body.warnings).toEqual([expect.stringContaining(`font "No Font" is unknown to ${host}`)]);
  expect(Object.keys(body.embed)).toEqual(Object.keys(plain.body.embed));
  const found = await ada.rest('GET', `/v1/embeds/${body.embed.id}`);
  expect(found.body).toEqual({ embed: body.embed });
  expect(found.headers.get('etag')).toBe(headers.get('etag'));
  const changed = await ada.rest('PATCH', `/v1/embeds/${body.embed.id}`, { font: 'Empty Font' });
  expect([changed.status, changed.body.warnings]).toEqual([200, [expect.stringContaining('"Empty Font"')]]);
});

test('without a provider, a font that the service does not have is reported', async () => {
  const ada = await (await openApp({ fontCssUrl: null })).as('ada');
  for (const [font, warnings] of [
    ['source serif 4', []],
    [
      'Open Sans',
      ['font "Open Sans" is not one of the fonts that this service has, so readers see the text in their own fonts'],
    ],
  ] as const) {
    const { data } = await ada.graphql(CREATE, { input: { pageUrl: PAGE_URL, font } });
    expect(data.createEmbed.warnings).toEqual(warnings);
  }
});

test.each([
  ['default', null],
  ['Open Sans', 'https://fonts.example/css2?family=Open+Sans&display=swap'],
  ['Inter Tight', 'https://fonts.example/css2?family=Inter+Tight&display=swap'],
  ['Inter', expect.stringMatching('^https://embeds.example/fonts/inter-')],
  ['source serif 4', expect.stringMatching('^https://embeds.example/fonts/source-serif-4-')],
  ['JETBRAINS MONO', expect.stringMatching('^https://embeds.example/fonts/jetbrains-mono-')],
])('%s has the style sheet of the service, or else of the provider', (font, cssUrl) => {
  const fontCssUrl = 'https://fonts.example/css2?family={family}&display=swap';
  const host = { embedHost: 'embeds.example', embedScheme: null };
  expect(findFont(font, { fontCssUrl, ...host })?.cssUrl ?? null).toEqual(cssUrl);
  const isOfProvider = typeof cssUrl === 'string';
  expect(findFont(font, { fontCssUrl: null, ...host })?.cssUrl ?? null).toEqual(isOfProvider ? null : cssUrl);
});

function visit({ app }: TestApp, url: string, init: RequestInit = {}): Promise<Response> {
  return app.fetch(new Request(url, init));
}

test('the service serves its own fonts to all sites, for a year, whatever CORS_ORIGIN is', async () => {
  const service = await openApp({ corsOrigins: ['https://admin.example'], fontCssUrl: null });
  const ada = await service.as('ada');
  const headers = {
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  };
  // a page in a sandbox without allow-same-origin
  const load = (url: string) => visit(service, url, { headers: { origin: 'null' } });
  for (const font of ['Inter', 'Source Serif 4', 'JetBrains Mono']) {
    const { embed_url } = await ada.create({ font });
    const html = await (await visit(service, embed_url)).text();
    const cssUrl = /<link rel="stylesheet" href="([^"]+)">/.exec(html)?.[1] ?? '';
    expect(cssUrl).toMatch(/^http:\/\/embeds\.localhost:4000\/fonts\/[a-z0-9-]+-[\w-]{8}\.css$/);
    const response = await load(cssUrl);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      ...headers,
    });
    const css = await response.text();
    const faces = css.match(/@font-face ?\{[^}]+\}/g) ?? [];
    expect(faces.filter((face) => face.includes(`font-family: "${font}"`))).toHaveLength(faces.length);
    expect(faces.filter((face) => face.includes('italic'))).toHaveLength(faces.length / 2);
    // the subsets latin and latin-ext
    for (const range of ['U+0000-00FF', 'U+0100-02BA']) expect(css).toContain(range);
    for (const [, name = ''] of css.matchAll(/url\(([^)]+)\)/g)) {
      const file = await load(new URL(name, cssUrl).href);
      expect([name, file.status]).toEqual([name, 200]);
      expect(Object.fromEntries(file.headers)).toMatchObject({ 'content-type': 'font/woff2', ...headers });
      expect(Buffer.from(await file.arrayBuffer()).toString('latin1', 0, 4)).toBe('wOF2');
    }
  }
  for (const path of ['/fonts/', '/fonts/inter.woff2', '/fonts/../package.json', '/fonts/%2e%2e%2fLICENSE']) {
    expect([path, (await visit(service, `http://embeds.localhost:4000${path}`)).status]).toEqual([path, 404]);
  }
});
