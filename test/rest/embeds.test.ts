import { expect, test } from 'vitest';
import { REST_FIELDS } from '../../src/domain/embed/fields.ts';
import { ParameterList } from '../../src/domain/input/parameters.ts';
import { readQuery } from '../../src/doors/rest/parameters.ts';
import { MEAL_PLANNER, openApp, shareApp } from '../open-app.ts';

const gateway = shareApp();

const ULID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

test('a created embed has every field of the specification, with its defaults', async () => {
  const ada = await gateway.as('ada');
  const { status, headers, body } = await ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER });
  expect(status).toBe(201);
  const { embed } = body;
  expect(Object.keys(embed)).toEqual(REST_FIELDS.map(({ restName }) => restName));
  expect(embed).toMatchObject({
    id: expect.stringMatching(ULID),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    embed_url: `http://${embed.id}.embeds.localhost:4000/Meal-Planner-95747105f402490eba51d52e00496c1c`,
    page_id: '95747105-f402-490e-ba51-d52e00496c1c',
    page_url: MEAL_PLANNER,
    mode: 'light',
    font: 'default',
    show_top_bar: true,
  });
  expect(headers.get('location')).toBe(`/v1/embeds/${embed.id}`);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('x-request-id')).toBeTruthy();
  expect((await ada.rest('GET', `/v1/embeds/${embed.id}`)).body).toEqual({ embed });
});

test('JSON, form and multipart bodies create the same embed', async () => {
  const ada = await gateway.as('ada');
  const settings = { page_url: MEAL_PLANNER, mode: 'dark', font: 'Inter Tight', show_top_bar: 'false' };
  const multipart = new FormData();
  for (const [name, value] of Object.entries(settings)) multipart.set(name, value);
  const bodies: RequestInit[] = [
    {
      body: JSON.stringify({ ...settings, show_top_bar: false }),
      headers: { 'content-type': 'application/json; charset=utf-8' },
    },
    { body: new URLSearchParams(settings) },
    { body: multipart },
  ];
  for (const init of bodies) {
    const response = await ada.fetch('/v1/embeds', { method: 'POST', ...init });
    expect(response.status).toBe(201);
    const { embed } = (await response.json()) as { embed: object };
    expect(embed).toMatchObject({ mode: 'dark', font: 'Inter Tight', show_top_bar: false, page_url: MEAL_PLANNER });
  }
});

test('the top bar is always on while the mode is user_defined', async () => {
  const ada = await gateway.as('ada');
  const embed = await ada.create({ mode: 'user_defined', show_top_bar: false });
  expect(embed).toMatchObject({ mode: 'user_defined', show_top_bar: true });
  const path = `/v1/embeds/${embed.id}`;
  expect((await ada.rest('PATCH', path, { show_top_bar: false })).body.embed.show_top_bar).toBe(true);
  expect((await ada.rest('PATCH', path, { mode: 'light' })).body.embed.show_top_bar).toBe(true);
  expect((await ada.rest('PATCH', path, { show_top_bar: false })).body.embed.show_top_bar).toBe(false);
  expect((await ada.rest('PATCH', path, { mode: 'user_defined' })).body.embed.show_top_bar).toBe(true);
});

test('an update changes the given fields and keeps the others', async () => {
  const ada = await gateway.as('ada');
  const embed = await ada.create({ mode: 'auto', font: 'Lora' });
  const path = `/v1/embeds/${embed.id}`;
  const { status, body } = await ada.rest('PATCH', path, { mode: 'dark' });
  expect(status).toBe(200);
  expect(body.embed).toEqual({ ...embed, mode: 'dark' });
  expect((await ada.rest('PATCH', path, {})).body.embed).toEqual({ ...embed, mode: 'dark' });
  expect((await ada.rest('GET', path)).body.embed).toEqual({ ...embed, mode: 'dark' });
});

test('an update that changes nothing writes nothing, and still checks its conditions', async () => {
  const { as, database } = await openApp();
  const [ada, bob] = [await as('ada'), await as('bob')];
  const { id } = await ada.create({ mode: 'dark' });
  const path = `/v1/embeds/${id}`;
  const etag = (await ada.rest('GET', path)).headers.get('etag');
  const patch = (body: object, ifMatch: string) =>
    ada.fetch(path, {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'if-match': ifMatch },
    });
  for (const same of [{}, { mode: 'dark' }, { page_url: MEAL_PLANNER, font: 'default', show_top_bar: true }]) {
    const { status, headers } = await ada.rest('PATCH', path, same);
    expect([status, headers.get('etag')]).toEqual([200, etag]);
    expect((await patch(same, etag ?? '')).status).toBe(200);
    expect((await patch(same, '"another"')).status).toBe(412);
  }
  expect((await database.embeds.find('ada', id))?.version).toBe(1);
  expect((await bob.rest('PATCH', path, {})).status).toBe(404);
  await ada.rest('PATCH', path, { mode: 'light' });
  expect((await database.embeds.find('ada', id))?.version).toBe(2);
});

test('an update of page_url derives the page id and the slug again', async () => {
  const ada = await gateway.as('ada');
  const embed = await ada.create();
  const page_url = 'https://example.org/Trip-0123456789abcdef0123456789ABCDEF?v=1';
  const { body } = await ada.rest('PATCH', `/v1/embeds/${embed.id}`, { page_url });
  expect(body.embed).toEqual({
    ...embed,
    page_url,
    page_id: '01234567-89ab-cdef-0123-456789abcdef',
    embed_url: `http://${embed.id}.embeds.localhost:4000/Trip-0123456789abcdef0123456789abcdef`,
  });
});

test('an update of page_id replaces the id in the URL, and is rejected if the URL contains none', async () => {
  const ada = await gateway.as('ada');
  const carrying = await ada.create();
  const page_id = '01234567-89ab-cdef-0123-456789abcdef';
  const { body } = await ada.rest('PATCH', `/v1/embeds/${carrying.id}`, { page_id });
  expect(body.embed).toMatchObject({
    page_id,
    page_url: 'https://example.com/Meal-Planner-0123456789abcdef0123456789abcdef',
    embed_url: `http://${carrying.id}.embeds.localhost:4000/Meal-Planner-0123456789abcdef0123456789abcdef`,
  });
  const bare = await ada.create({ page_url: 'https://example.com/about' });
  const refused = await ada.rest('PATCH', `/v1/embeds/${bare.id}`, { page_id });
  expect(refused.status).toBe(422);
  expect(refused.body.errors).toEqual([{ path: 'page_id', message: expect.stringContaining('contains an id') }]);
});

test('every fault of a request is reported at once, under the names of REST', async () => {
  const ada = await gateway.as('ada');
  const { status, headers, body } = await ada.rest('POST', '/v1/embeds?trace=1', {
    page_url: 'https://localhost/x',
    mode: 'pink',
    font: '-Inter',
    show_top_bar: 'yes',
    pageUrl: MEAL_PLANNER,
    colour: null,
  });
  expect(status).toBe(422);
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(body).toMatchObject({ type: 'about:blank', title: 'Unprocessable Content', status: 422, code: 'invalid' });
  expect(body.request_id).toBe(headers.get('x-request-id'));
  expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(
    ['colour', 'font', 'mode', 'pageUrl', 'page_url', 'show_top_bar', 'trace'].sort(),
  );
  expect(body.errors).toContainEqual({ path: 'mode', message: 'must be one of light, dark, auto, user_defined' });
});

test('null is an error in creates and updates, never "keep"', async () => {
  const ada = await gateway.as('ada');
  const embed = await ada.create();
  const nothing = { page_url: null, mode: null, font: null, show_top_bar: null };
  for (const [method, path] of [
    ['POST', '/v1/embeds'],
    ['PATCH', `/v1/embeds/${embed.id}`],
  ] as const) {
    const { status, body } = await ada.rest(method, path, nothing);
    expect(status).toBe(422);
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(Object.keys(nothing).sort());
  }
});

test('a list is newest first, uses ids as cursors, and links to the next page', async () => {
  const ada = await gateway.as('ada');
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) ids.unshift((await ada.create()).id);

  const first = await ada.rest('GET', '/v1/embeds');
  expect(first.body.embeds.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 10));
  expect(first.body.total_count).toBe(12);
  expect(first.body.pagination).toEqual({ end_cursor: ids[9], has_next_page: true, total_count: 12 });
  const link = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';

  const second = await ada.rest('GET', link);
  expect(second.body.embeds.map(({ id }: { id: string }) => id)).toEqual(ids.slice(10));
  expect(second.body.pagination).toEqual({ end_cursor: ids[11], has_next_page: false, total_count: 12 });
  expect(second.headers.get('link')).toBeNull();

  const beyond = await ada.rest('GET', `/v1/embeds?after=${ids[11]}`);
  expect(beyond.body).toEqual({
    embeds: [],
    total_count: 12,
    pagination: { end_cursor: null, has_next_page: false, total_count: 12 },
  });
});

test('the cursor of a deleted embed still works', async () => {
  const ada = await gateway.as('ada');
  const ids = [(await ada.create()).id, (await ada.create()).id, (await ada.create()).id];
  await ada.rest('DELETE', `/v1/embeds/${ids[1]}`);
  const { body } = await ada.rest('GET', `/v1/embeds?after=${ids[1]}`);
  expect(body.embeds.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
  expect(body.total_count).toBe(2);
});

test('first accepts 1 to 100, limit is its alias, and larger values are errors', async () => {
  const ada = await gateway.as('ada');
  await ada.create();
  await ada.create();
  for (const size of ['1', '50', '51', '100']) {
    expect((await ada.rest('GET', `/v1/embeds?first=${size}`)).status).toBe(200);
  }
  const limited = await ada.rest('GET', '/v1/embeds?limit=1');
  expect(limited.body.embeds).toHaveLength(1);
  expect(limited.headers.get('link')).toContain('limit=1');
  for (const size of ['0', '101', '-1', '1.5', 'ten', '', '1e2', '99999999999999999999']) {
    const { status, body } = await ada.rest('GET', `/v1/embeds?first=${size}`);
    expect([size, status]).toEqual([size, 422]);
    expect(body.errors).toEqual([{ path: 'first', message: 'must be a whole number from 1 to 100' }]);
  }
  expect((await ada.rest('GET', '/v1/embeds?limit=500')).body.errors[0].path).toBe('limit');
  expect((await ada.rest('GET', '/v1/embeds?limit=1&first=1')).body.errors[0].path).toBe('limit');
  const twice = await ada.rest('GET', '/v1/embeds?first=1&first=2&after=x&page=2');
  expect(twice.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(['after', 'first', 'page']);
});

test('a deleted embed cannot be retrieved, changed or deleted again', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const { status, body } = await ada.rest('DELETE', `/v1/embeds/${id}`);
  expect(status).toBe(200);
  expect(body).toEqual({ message: `The embed ${id} was deleted successfully.` });
  for (const method of ['DELETE', 'GET', 'PATCH']) {
    expect((await ada.rest(method, `/v1/embeds/${id}`)).status).toBe(404);
  }
});

test('an ETag answers If-None-Match with 304 and changes with the embed', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const path = `/v1/embeds/${id}`;
  const etag = (await ada.rest('GET', path)).headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]+"$/);
  for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const response = await ada.fetch(path, { headers: { 'if-none-match': condition } });
    expect([condition, response.status, response.headers.get('etag')]).toEqual([condition, 304, etag]);
    expect(await response.text()).toBe('');
  }
  const patched = await ada.rest('PATCH', path, { mode: 'dark' });
  expect(patched.headers.get('etag')).not.toBe(etag);
  const fresh = await ada.fetch(path, { headers: { 'if-none-match': etag } });
  expect([fresh.status, fresh.headers.get('etag')]).toEqual([200, patched.headers.get('etag')]);
});

test('If-Match rejects writes to a version that has changed', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const path = `/v1/embeds/${id}`;
  const etag = (await ada.rest('GET', path)).headers.get('etag') ?? '';
  const patch = (mode: string, condition: string) =>
    ada.fetch(path, {
      method: 'PATCH',
      body: JSON.stringify({ mode }),
      headers: { 'content-type': 'application/json', 'if-match': condition },
    });
  const racing = await Promise.all(['dark', 'auto', 'user_defined', 'dark', 'auto'].map((mode) => patch(mode, etag)));
  expect(racing.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
  const stale = await patch('light', etag);
  expect(stale.status).toBe(412);
  expect(await stale.json()).toMatchObject({ code: 'precondition_failed', status: 412 });
  expect((await ada.fetch(path, { method: 'DELETE', headers: { 'if-match': etag } })).status).toBe(412);
  expect((await patch('light', '*')).status).toBe(200);
  const now = (await ada.rest('GET', path)).headers.get('etag') ?? '';
  expect((await ada.fetch(path, { method: 'DELETE', headers: { 'if-match': now } })).status).toBe(200);
  expect((await patch('light', '*')).status).toBe(404);
});

test('a change of a setting changes the ETag of the embed', async () => {
  const ada = await gateway.as('ada');
  const created = await ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER });
  const path = `/v1/embeds/${created.body.embed.id}`;
  const send = (method: string, headers: Record<string, string>) => ada.fetch(path, { method, headers });
  const etag = created.headers.get('etag') ?? '';
  expect((await send('GET', { 'if-none-match': etag })).status).toBe(304);
  expect((await ada.rest('PATCH', `${path}/settings`, { allowed_sites: ['example.com'] })).status).toBe(200);
  expect((await send('DELETE', { 'if-match': etag })).status).toBe(412);
  const { status, headers } = await send('GET', { 'if-none-match': etag });
  expect(status).toBe(200);
  const current = headers.get('etag') ?? '';
  expect((await ada.rest('PATCH', path, {})).headers.get('etag')).toBe(current);
  expect((await send('DELETE', { 'if-match': current })).status).toBe(200);
});

test('concurrent updates all take effect', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const patches = [{ mode: 'dark' }, { font: 'Lora' }, { show_top_bar: false }];
  const responses = await Promise.all(patches.map((patch) => ada.rest('PATCH', `/v1/embeds/${id}`, patch)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { body } = await ada.rest('GET', `/v1/embeds/${id}`);
  expect(body.embed).toMatchObject({ mode: 'dark', font: 'Lora', show_top_bar: false });
});

test('HEAD returns the status and headers of GET, without the body', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  for (const path of ['/v1/embeds', `/v1/embeds/${id}`, '/livez']) {
    const get = await ada.fetch(path);
    const head = await ada.fetch(path, { method: 'HEAD' });
    expect([path, head.status, await head.text()]).toEqual([path, 200, '']);
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
  }
  const unchanged = await ada.fetch(`/v1/embeds/${id}`, { method: 'HEAD', headers: { 'if-none-match': '*' } });
  expect([unchanged.status, unchanged.headers.get('content-length')]).toEqual([304, null]);
});

test('405 and OPTIONS list the methods of a path', async () => {
  const { withAuthorization } = gateway;
  const client = withAuthorization(null);
  const allow = {
    '/v1/embeds': 'GET, POST, HEAD, OPTIONS',
    '/v1/embeds/01m7y4dcyp2ad36zr4waqryvpr': 'GET, PATCH, DELETE, HEAD, OPTIONS',
    '/graphql': 'GET, POST, HEAD, OPTIONS',
    '/livez': 'GET, HEAD, OPTIONS',
  };
  for (const [path, methods] of Object.entries(allow)) {
    const options = await client.fetch(path, { method: 'OPTIONS' });
    expect([path, options.status, options.headers.get('allow')]).toEqual([path, 204, methods]);
    const put = await client.fetch(path, { method: 'PUT' });
    expect([path, put.status, put.headers.get('allow')]).toEqual([path, 405, methods]);
    expect(await put.text()).toContain(`This path answers ${methods}.`);
  }
});

test('CORS allows the configured origins and reflects no others', async () => {
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://ada.example', 'access-control-request-method': 'PATCH' },
  };
  const open = gateway.withAuthorization(null);
  const reply = await open.fetch('/v1/embeds/x', preflight);
  expect(reply.status).toBe(204);
  expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  expect(reply.headers.get('access-control-allow-methods')).toContain('PATCH');
  expect(reply.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
  expect(reply.headers.get('access-control-allow-credentials')).toBeNull();

  const listed = (await openApp({ corsOrigins: ['https://ada.example'] })).withAuthorization(null);
  const known = await listed.fetch('/v1/embeds/x', preflight);
  expect(known.headers.get('access-control-allow-origin')).toBe('https://ada.example');
  expect(known.headers.get('vary')).toContain('Origin');
  const stranger = await listed.fetch('/v1/embeds', { headers: { origin: 'https://bob.example' } });
  expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
});

test('malformed bodies get 400, other media types 415, and large bodies 413', async () => {
  const ada = await gateway.as('ada');
  const post = async (body: BodyInit, type?: string) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const response = await ada.fetch('/v1/embeds', { method: 'POST', body, headers });
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  expect(await post('{"page_url":', 'application/json')).toEqual([400, 'malformed']);
  expect(await post('[]', 'application/json')).toEqual([400, 'malformed']);
  expect(await post('"x"', 'application/json')).toEqual([400, 'malformed']);
  expect(await post(new Uint8Array([0x7b, 0xff, 0x7d]), 'application/json')).toEqual([400, 'malformed']);
  expect(await post('--x', 'multipart/form-data; boundary=y')).toEqual([400, 'malformed']);
  expect(await post('page_url: x', 'text/yaml')).toEqual([415, 'unsupported_media_type']);
  expect(await post(new Uint8Array([1]))).toEqual([415, 'unsupported_media_type']);
  expect(await post(`{"page_url":"${'x'.repeat(100_000)}"}`, 'application/json')).toEqual([413, 'payload_too_large']);
  expect(await post('', undefined)).toEqual([415, 'unsupported_media_type']);
  const patch = await ada.fetch(`/v1/embeds/${(await ada.create()).id}`, { method: 'PATCH', body: 'mode: dark' });
  const accepted = ['accept-patch', 'accept-post'].map((name) => patch.headers.get(name));
  expect(accepted).toEqual(['application/json, application/x-www-form-urlencoded, multipart/form-data', null]);
});

test('repeated parameters are rejected in forms and in the query string', async () => {
  const ada = await gateway.as('ada');
  const send = async (path: string, init: RequestInit = {}) => {
    const { errors } = (await (await ada.fetch(path, init)).json()) as { errors: { path: string; message: string }[] };
    return errors;
  };
  const once = (path: string) => ({ path, message: 'must be sent once' });
  const body = new URLSearchParams(
    `page_url=${MEAL_PLANNER}&mode=dark&mode=light&show_top_bar=true&show_top_bar=true&x=1&x=2`,
  );
  const unknown = { path: 'x', message: 'is not a parameter of this operation' };
  expect(await send('/v1/embeds', { method: 'POST', body })).toEqual([unknown, once('mode'), once('show_top_bar')]);
  expect(await send('/v1/embeds?first=1&first=1&after=&after=')).toEqual([once('first'), once('after')]);
  const list = { method: 'POST', body: '{"page_url":["x","y"]}', headers: { 'content-type': 'application/json' } };
  expect(await send('/v1/embeds', list)).toEqual([{ path: 'page_url', message: 'must be one string' }]);
});

test('a repeated name in a JSON body is reported like one in a form, together with all other faults', async () => {
  const ada = await gateway.as('ada');
  const send = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await ada.fetch('/v1/embeds', { method: 'POST', body, headers });
    const { errors = [] } = (await response.json()) as { errors?: { path: string; message: string }[] };
    return [response.status, ...errors];
  };
  const once = (path: string) => ({ path, message: 'must be sent once' });
  const page = `"page_url": "${MEAL_PLANNER}"`;
  expect(await send(`{ ${page}, "mode": "dark", "mode": "dark" }`)).toEqual([422, once('mode')]);
  expect(await send(`{ ${page}, "mode": "dark", "mod\\u0065" : "pink", "font": "-" }`)).toEqual([
    422,
    once('mode'),
    { path: 'font', message: expect.stringContaining('font family') },
  ]);
  expect(await send(`{ "x": 1, ${page}, "x": 2 }`)).toEqual([
    422,
    { path: 'x', message: 'is not a parameter of this operation' },
  ]);
  // a string value that looks like a name is not one
  const titled = JSON.stringify({ page_url: `${MEAL_PLANNER}?{"mode":"a","mode":"b"}`, mode: 'dark' });
  expect(await send(titled)).toEqual([201]);
});

const NO_PAGE_SIZES = [
  ...[
    '05',
    '00',
    '+5',
    '%2B5',
    '-0',
    ' 5',
    '5%20',
    '%205',
    '%095',
    '5.0',
    '5.',
    '.5',
    '5e0',
    '1e1',
    '0x5',
    '0b1',
    '0o5',
  ],
  ...['5n', '5_0', '1,0', '５', '٥', '५', '5%00', '9007199254740993', '', 'Infinity', 'true', 'null', '[5]', '"5"'],
];

test('only digits are accepted as a page size', async () => {
  const ada = await gateway.as('ada');
  for (const text of NO_PAGE_SIZES) {
    for (const name of ['first', 'limit']) {
      const { status, body } = await ada.rest('GET', `/v1/embeds?${name}=${text}`);
      const errors = [{ path: name, message: 'must be a whole number from 1 to 100' }];
      expect([text, status, body.errors]).toEqual([text, 422, errors]);
    }
  }
});

test('a form accepts only true and false as show_top_bar', async () => {
  const ada = await gateway.as('ada');
  for (const text of ['TRUE', 'True', ' true', '1', 'on', 'yes', '']) {
    const body = new URLSearchParams({ page_url: MEAL_PLANNER, show_top_bar: text });
    const response = await ada.fetch('/v1/embeds', { method: 'POST', body });
    const { errors } = (await response.json()) as { errors: unknown };
    expect([text, response.status, errors]).toEqual([
      text,
      422,
      [{ path: 'show_top_bar', message: 'must be true or false' }],
    ]);
  }
});

test('the error for JSON that was sent as a form names the right content type', async () => {
  const ada = await gateway.as('ada');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await ada.fetch('/v1/embeds', { method: 'POST', body: ' {"page_url":"x"}', headers });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: 'malformed',
    detail: 'The body looks like JSON: send Content-Type: application/json.',
  });
});

test('a form with a time whose plus sign is not escaped is read like a query string', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'expires_at=2036-01-31T12:00:00+01:00';
  const response = await ada.fetch(`/v1/embeds/${id}/settings`, { method: 'PATCH', body, headers });
  expect(await response.json()).toMatchObject({ settings: { expires_at: '2036-01-31T11:00:00.000Z' } });
});

test('an object in a form must not repeat a name', async () => {
  const ada = await gateway.as('ada');
  const body = new URLSearchParams({ look: '{"radius":1,"radius":2}' });
  const response = await ada.fetch('/v1/account', { method: 'PATCH', body });
  expect([response.status, (await response.json()).errors]).toEqual([
    422,
    [{ path: 'look', message: 'must be an object, or null' }],
  ]);
});

test('a time in the query string is read in a time that grows with its length, not with its square', () => {
  const list = new ParameterList([{ name: 'at', restName: 'at', type: 'instant' }], 'rest');
  const read = (at: string) => readQuery(new URL(`http://localhost/?at=${at}`), list).values;
  expect(read('2026-01-31T12:00:00+01:00')).toEqual({ at: '2026-01-31T12:00:00+01:00' });
  const text = 'T'.repeat(400_000);
  expect(read(text)).toEqual({ at: text });
});

test('more than 100 parameters are rejected with one fault', async () => {
  const ada = await gateway.as('ada');
  const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`a${i}`, '1']));
  const tooMany = (path: string) => [{ path, message: 'must have at most 100 parameters' }];
  const form = await ada.fetch('/v1/embeds', { method: 'POST', body: new URLSearchParams(many) });
  expect([form.status, await form.json()]).toEqual([422, expect.objectContaining({ errors: tooMany('body') })]);
  const json = await ada.rest('POST', '/v1/embeds', Object.fromEntries(Object.entries(many).slice(0, 101)));
  expect([json.status, json.body.errors]).toEqual([422, tooMany('body')]);
  const query = await ada.rest(
    'GET',
    `/v1/embeds?${new URLSearchParams(Object.fromEntries(Object.entries(many).slice(0, 101)))}`,
  );
  expect([query.status, query.body.errors]).toEqual([422, tooMany('query')]);
  const hundred = Object.fromEntries(Object.entries(many).slice(0, 100));
  expect((await ada.rest('POST', '/v1/embeds', hundred)).body.detail).toBe(
    '`a0` is not a parameter of this operation. 100 more parameters are not valid.',
  );
  const input = { ...many };
  const graphql = await ada.graphql('mutation($i: CreateEmbedInput!) { createEmbed(input: $i) { embed { id } } }', {
    i: Object.fromEntries(Object.entries(input).slice(0, 101)),
  });
  expect(graphql.errors[0]?.extensions.errors).toEqual([{ path: 'i', message: 'must have at most 100 fields' }]);
  const variables = await ada.graphql('{ __typename }', Object.fromEntries(Object.entries(many).slice(0, 101)));
  expect(variables.errors[0]?.extensions.errors?.[0]?.path).toBe('variables');
  const look = Object.fromEntries(Object.entries(many).slice(0, 101));
  const inLook = await ada.rest('PATCH', '/v1/account', { look });
  expect([inLook.status, inLook.body.errors]).toEqual([422, tooMany('body')]);
  const nested = await ada.graphql('query($i: [CreateEmbedInput!]!) { checkEmbeds(inputs: $i) { faults { path } } }', {
    i: [{ look }],
  });
  expect(nested.errors[0]?.extensions.errors).toEqual([{ path: 'i', message: 'must have at most 100 fields' }]);
});

test('a mode must be in lower-case ASCII', async () => {
  const ada = await gateway.as('ada');
  for (const mode of ['lıght', 'uſer_defined', 'DARK', 'Dark', 'dar\u212a', 'dark ', 'ｄａｒｋ']) {
    const { status, body } = await ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER, mode });
    expect([mode, status, body.errors?.[0]?.path]).toEqual([mode, 422, 'mode']);
  }
});

test('JSON is read as UTF-8 regardless of its charset parameter, and any Accept gets JSON', async () => {
  const ada = await gateway.as('ada');
  const send = async (body: BodyInit) => {
    const headers = { 'content-type': 'application/json; charset=iso-8859-1', accept: 'text/plain' };
    const response = await ada.fetch('/v1/embeds', { method: 'POST', body, headers });
    return { status: response.status, type: response.headers.get('content-type') };
  };
  expect(await send(`{"page_url":"${MEAL_PLANNER}#é"}`)).toEqual({
    status: 201,
    type: 'application/json; charset=utf-8',
  });
  expect((await send(Buffer.from(`{"page_url":"${MEAL_PLANNER}#é"}`, 'latin1'))).status).toBe(400);
});
