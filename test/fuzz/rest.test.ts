import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REST_SELECTION, toRestEmbed } from '../contracts/parity.ts';
import { MEAL_PLANNER } from '../open-app.ts';
import { readDocument } from '../rest/conformance.ts';
import { anyJson, anyText, check, openUnlimitedApp, runsOf } from './check.ts';

const DRAFTS = runsOf(80);
const STATUSES = [200, 201, 204, 304, 400, 404, 405, 409, 412, 413, 415, 422];

const NAMES = ['page_url', 'page_id', 'mode', 'font', 'show_top_bar', 'first', 'limit', 'after', 'id'];
const anyName = fc.oneof(fc.constantFrom(...NAMES), anyText);
const anyParameters = fc.array(fc.tuple(anyName, anyText), { maxLength: 6 });

const formBody = anyParameters.map((entries) => ({
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(entries.map(([name, text]) => [name.toWellFormed(), text.toWellFormed()])).toString(),
}));
const jsonBody = fc.oneof(fc.dictionary(anyName, anyJson, { maxKeys: 6 }), anyJson).map((value) => ({
  type: 'application/json',
  body: JSON.stringify(value) ?? '',
}));
const multipartBody = fc
  .tuple(anyParameters, fc.constantFrom('x', '', ' "x"', 'x; boundary=y'))
  .map(([entries, boundary]) => ({
    type: `multipart/form-data; boundary=${boundary}`,
    body: `${entries.map(([name, text]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`).join('')}--x--`,
  }));
const rawBody = fc.record({
  type: fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    '?',
  ),
  body: fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
    anyText,
  ),
});
const anyBody = fc.oneof(formBody, jsonBody, multipartBody, rawBody);

const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
});
const anyHeaders = fc.dictionary(
  fc.constantFrom(
    'accept',
    'if-match',
    'if-none-match',
    'idempotency-key',
    'content-encoding',
    'x-request-id',
    'origin',
    'range',
    'expect',
  ),
  headerText,
  { maxKeys: 4 },
);

test('REST answers any request as OpenAPI describes, without an internal error', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  const { expectConforming } = await readDocument(ada);
  const { id } = await ada.create();
  const anyPath = fc.oneof(
    fc.constantFrom('/v1/embeds', `/v1/embeds/${id}`),
    anyText.map((text) => `/v1/embeds/${encodeURIComponent(text.toWellFormed())}`),
    anyText.map((text) => `/v1/embeds/${text.toWellFormed()}`),
  );
  const anyQuery = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    anyParameters.map(
      (entries) => `?${new URLSearchParams(entries.map(([n, t]) => [n.toWellFormed(), t.toWellFormed()]))}`,
    ),
    anyText.map((text) => `?${text.toWellFormed()}`),
  );
  const anyRequest = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'),
    path: anyPath,
    query: anyQuery,
    headers: anyHeaders,
    sent: anyBody,
  });
  await check(runsOf(400), anyRequest, async ({ method, path, query, headers, sent }) => {
    const isBodiless = method === 'GET' || method === 'HEAD';
    const init = isBodiless ? { headers } : { body: sent.body, headers: { ...headers, 'content-type': sent.type } };
    const response = await ada.fetch(path + query, { method, ...init });
    const text = await response.text();
    expectConforming(method, new URL(path + query, 'http://x').pathname, response, text);
    expect(STATUSES).toContain(response.status);
    expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]{8,64}$/);
    if (method === 'HEAD' || response.status < 400) return;
    const problem = JSON.parse(text);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(problem).toMatchObject({ status: response.status, code: expect.any(String), detail: expect.any(String) });
    if (response.status === 422) expect(problem.errors.length).toBeGreaterThan(0);
    for (const { path, message } of problem.errors) expect([typeof path, typeof message]).toEqual(['string', 'string']);
    expect(text.length).toBeLessThan(30_000);
  });
  expectNoBugs();
});

test('both APIs return the values that REST accepted unchanged', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  const anyDraft = fc.record(
    {
      page_url: fc.oneof(
        fc.constant(MEAL_PLANNER),
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        anyText.map((text) => `https://example.com/${text}-95747105f402490eba51d52e00496c1c`),
        anyText.map((text) => `${MEAL_PLANNER}?q=${encodeURIComponent(text.toWellFormed())}`),
      ),
      mode: fc.constantFrom('light', 'dark', 'auto', 'user_defined'),
      font: fc.oneof(
        fc.constantFrom('default', 'Default', 'Inter Tight ', 'A  B', '3'),
        fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 -]{0,63}$/),
      ),
      show_top_bar: fc.boolean(),
    },
    { requiredKeys: ['page_url'] },
  );
  let accepted = 0;
  await check(DRAFTS, anyDraft, async (draft) => {
    const created = await ada.rest('POST', '/v1/embeds', draft);
    if (created.status === 422) {
      for (const { path } of created.body.errors) expect(path).toBe('page_url');
      return;
    }
    expect(created.status).toBe(201);
    accepted += 1;
    const { embed } = created.body;
    const { mode = 'light', font = 'default', show_top_bar = true, page_url } = draft;
    const isPlain = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/.test(page_url);
    expect(embed).toMatchObject({
      mode,
      font,
      show_top_bar: show_top_bar || mode === 'user_defined',
      page_url: isPlain ? page_url : new URL(page_url).href,
    });
    expect(URL.canParse(embed.embed_url)).toBe(true);
    expect((await ada.rest('GET', `/v1/embeds/${embed.id}`)).body.embed).toEqual(embed);
    const { data } = await ada.graphql(`query($id: ID!) { embed(id: $id) { ${REST_SELECTION} } }`, { id: embed.id });
    expect(toRestEmbed(data.embed)).toEqual(embed);
    const changed = await ada.rest('PATCH', `/v1/embeds/${embed.id}`, { page_url: embed.page_url });
    expect(changed.body.embed.page_id).toBe(embed.page_id);
  });
  expect(accepted).toBeGreaterThan(DRAFTS / 2);
  expectNoBugs();
});
