import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  CreateEmbedDocument,
  DeleteEmbedDocument,
  EmbedDocument,
  EmbedsDocument,
  UpdateEmbedDocument,
} from '../../packages/client/src/graphql.ts';
import {
  type ClientOptions,
  ConflictError,
  EmbedGateway,
  EmbedGatewayError,
  GoneError,
  InsufficientScopeError,
  InvalidRequestError,
  NetworkError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitedError,
  UnauthenticatedError,
  UnavailableError,
} from '../../packages/client/src/index.ts';
import { SCOPES, type Scope } from '../../src/domain/identity/token.ts';
import { MEAL_PLANNER, openApp } from '../open-app.ts';

type Fetch = typeof fetch;
/** A fault of the network between client and app: returns a response or throws, or calls `next` to reach the app. */
type Fault = (next: () => Promise<Response>) => Promise<Response>;

interface Opened {
  readonly client: EmbedGateway;
  readonly sent: readonly Request[];
  /** Faults of the next requests, in order. */
  readonly faults: Fault[];
}

/** Opens the app and a client of a new account. Between them is a network with the given faults. */
async function openClient(options: Partial<ClientOptions> = {}, scopes: readonly Scope[] = SCOPES): Promise<Opened> {
  const { app, as } = await openApp();
  const { authorization } = await as('ada', scopes);
  const sent: Request[] = [];
  const faults: Fault[] = [];
  const network: Fetch = async (input, init) => {
    const request = new Request(input, init);
    sent.push(request.clone());
    const fault = faults.shift() ?? ((next) => next());
    return fault(() => app.fetch(request));
  };
  const token = authorization.replace('Bearer ', '');
  const client = new EmbedGateway({ baseUrl: 'http://localhost:4000/', token, fetch: network, ...options });
  return { client, sent, faults };
}

const lostResponse: Fault = async (next) => {
  await next();
  throw new TypeError('the connection was reset');
};
const noConnection: Fault = async () => {
  throw new TypeError('connection refused');
};
const status =
  (code: number, headers: Record<string, string> = { 'retry-after': '0' }, body = ''): Fault =>
  async () =>
    new Response(body, { status: code, headers });

async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const keysOf = (sent: readonly Request[]) => sent.map(({ headers }) => headers.get('idempotency-key'));

test('creates, reads, changes, refreshes and deletes embeds', async () => {
  const { client } = await openClient();
  const { embed, etag, replayed } = await client.createEmbed({ page_url: MEAL_PLANNER, mode: 'dark' });
  expect([embed.mode, replayed, etag]).toEqual(['dark', false, expect.stringMatching(/^"/)]);
  expect(await client.retrieveEmbed(embed.id)).toEqual({ embed, etag });
  const changed = await client.updateEmbed(embed.id, { mode: 'light', font: undefined }, { ifMatch: etag });
  expect(changed.embed).toEqual({ ...embed, mode: 'light' });
  await expect(client.updateEmbed(embed.id, { mode: 'auto' }, { ifMatch: etag })).rejects.toThrow(
    PreconditionFailedError,
  );
  await expect(client.deleteEmbed(embed.id, { ifMatch: etag })).rejects.toThrow(PreconditionFailedError);
  expect((await client.retrievePage(embed.id)).page.state).toBe('pending');
  expect((await client.refreshPage(embed.id)).page.state).toBe('unreachable');
  expect((await client.deleteEmbed(embed.id)).message).toContain(embed.id);
  await expect(client.retrieveEmbed(embed.id)).rejects.toThrow(NotFoundError);
});

test('creates, lists and revokes tokens', async () => {
  const { client, sent } = await openClient();
  const { token, secret } = await client.createToken({ name: 'ci', scopes: ['read'] });
  expect(secret).toMatch(/^emb_/);
  expect((await client.listTokens({ first: 1 })).tokens).toEqual([token]);
  expect((await client.revokeToken(token.id)).token.revoked_at).not.toBeNull();
  expect((await collect(client.tokens({ first: 1 }))).map(({ name }) => name)).toEqual(['ci', 'test']);
  expect(keysOf(sent)).toEqual(sent.map(() => null));
});

test('iterates over all pages of a list, and reads no page that is not needed', async () => {
  const { client, sent } = await openClient();
  const created: string[] = [];
  for (let i = 0; i < 5; i++) {
    const mode = i === 2 ? 'dark' : 'light';
    created.unshift((await client.createEmbed({ page_url: MEAL_PLANNER, mode })).embed.id);
  }
  const idsOf = async (embeds: ReturnType<EmbedGateway['embeds']>) => (await collect(embeds)).map(({ id }) => id);
  expect(await idsOf(client.embeds({ first: 2 }))).toEqual(created);
  expect(await idsOf(client.embeds({ limit: 3, direction: 'asc' }))).toEqual([...created].reverse());
  expect(await idsOf(client.embeds({ mode: 'dark' }))).toEqual([created[2]]);
  expect(await idsOf(client.embeds({ after: created[3] }))).toEqual([created[4]]);
  const before = sent.length;
  for await (const { id } of client.embeds({ first: 2 })) if (id === created[1]) break;
  expect(sent.slice(before).map(({ url }) => new URL(url).search)).toEqual(['?first=2']);
  expect((await client.listEmbeds()).total_count).toBe(5);
});

test('runs GraphQL documents with typed results', async () => {
  const { client } = await openClient();
  const { createEmbed } = await client.graphql(CreateEmbedDocument, { input: { pageUrl: MEAL_PLANNER } });
  const { id, html, version } = createEmbed.embed;
  expect(html).toContain(createEmbed.embed.embedUrl);
  const changed = await client.graphql(UpdateEmbedDocument, { input: { id, mode: 'DARK', expectedVersion: version } });
  expect(changed.updateEmbed.embed.mode).toBe('DARK');
  expect((await client.graphql(EmbedDocument, { id })).embed?.page.state).toBe('PENDING');
  expect((await client.graphql(EmbedsDocument)).embeds.nodes.map((node) => node.id)).toEqual([id]);
  expect(await client.graphql('{ embeds { totalCount } }')).toEqual({ embeds: { totalCount: 1 } });
  const stale = client.graphql(DeleteEmbedDocument, { input: { id, expectedVersion: version } });
  await expect(stale).rejects.toThrow(ConflictError);
  // biome-ignore lint/suspicious/noExplicitAny: the variables are wrong on purpose
  const wrong = client.graphql(CreateEmbedDocument, { input: { pageUrl: 'http://localhost/', mode: 'PINK' } as any });
  const error = await wrong.catch((thrown) => thrown);
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.errors.map(({ path }: { path: string }) => path)).toEqual(['pageUrl', 'mode']);
});

test('refuses a URL and a token that cannot be used', () => {
  const create = (options: object) => () => new EmbedGateway(options as ClientOptions);
  for (const baseUrl of [undefined, '', '/', 'localhost:4000', 'ftp://example.com'])
    expect(create({ baseUrl, token: 'a' })).toThrow('baseUrl must be the absolute URL of the service');
  for (const token of [undefined, '', null, 'emb_…', 'emb_a\nb', '\u2003emb_a'])
    expect(create({ baseUrl: 'http://localhost:4000', token })).toThrow('token must be an access token');
  for (const token of ['sixteen chars ok', '\nemb_a\n'])
    expect(create({ baseUrl: 'http://localhost:4000', token })).not.toThrow();
});

test('names the service and the reason if there is no response, and a response of another server', async () => {
  const closed = new EmbedGateway({ baseUrl: 'http://127.0.0.1:1', token: 'a', maxRetries: 0 });
  await expect(closed.listEmbeds()).rejects.toThrow(
    /^No response from http:\/\/127\.0\.0\.1:1 \(.*(refused|bad port).*\)\.$/,
  );
  const { client, faults } = await openClient({ maxRetries: 0 });
  faults.push(status(404, {}, '<h1>Not Found</h1>'));
  await expect(client.listEmbeds()).rejects.toThrow('(404) is not from an Embed Gateway. Check baseUrl, and proxies.');
});

test('a loop over a list stops at the signal, also within a page', async () => {
  const { client } = await openClient();
  for (let i = 0; i < 3; i++) await client.createEmbed({ page_url: MEAL_PLANNER });
  const controller = new AbortController();
  const reason = new Error('enough');
  let seen = 0;
  const loop = async () => {
    for await (const _ of client.embeds({}, { signal: controller.signal })) {
      seen++;
      controller.abort(reason);
    }
  };
  await expect(loop()).rejects.toBe(reason);
  expect(seen).toBe(1);
});

test('iterates over the changes after a cursor, and throws GoneError for one that is too old', async () => {
  const { client } = await openClient();
  const { embed } = await client.createEmbed({ page_url: MEAL_PLANNER, external_id: 'a' });
  const { pagination } = await client.listChanges();
  await client.createEmbed({ page_url: MEAL_PLANNER, font: 'Lora', external_id: 'a', on_conflict: 'update' });
  await client.deleteEmbed(embed.id);
  const kinds: string[] = [];
  for await (const { kind } of client.changes({ first: 1, after: pagination.end_cursor })) kinds.push(kind);
  expect(kinds).toEqual(['updated', 'deleted']);
  await expect(client.listChanges({ after: `${'0'.repeat(16)}-1` })).rejects.toThrow(GoneError);
});

test('throws errors by code, with status, request id and all invalid parameters', async () => {
  const { client, sent } = await openClient({}, ['read']);
  const error = await client.listEmbeds({ first: 101, mode: 'pink' as 'dark' }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ name: 'InvalidRequestError', code: 'invalid', status: 422, retryAfterMs: null });
  expect(error.requestId).toMatch(/^[\w.-]{8,64}$/);
  expect(error.errors).toEqual([
    { path: 'first', message: expect.stringContaining('100') },
    { path: 'mode', message: 'must be one of light, dark, auto, user_defined' },
  ]);
  expect(error.message).toContain('`first`');
  await expect(client.createEmbed({ page_url: MEAL_PLANNER })).rejects.toThrow(InsufficientScopeError);
  await expect(client.retrieveEmbed('../tokens?x')).rejects.toThrow(NotFoundError);
  const stranger = await openClient({ token: 'not-a-token' });
  await expect(stranger.client.listEmbeds()).rejects.toThrow(UnauthenticatedError);
  await expect(stranger.client.graphql(EmbedsDocument)).rejects.toThrow(UnauthenticatedError);
  // none of them is repeated
  expect([sent.length, stranger.sent.length]).toEqual([3, 2]);
});

describe('after a failure', () => {
  test('a create is repeated with its key, and creates one embed', async () => {
    const { client, sent, faults } = await openClient();
    faults.push(noConnection, lostResponse, status(503), status(502));
    const patient = await client.createEmbed({ page_url: MEAL_PLANNER }).catch((error) => error);
    expect(patient).toBeInstanceOf(EmbedGatewayError);
    const { embed, replayed } = await client.createEmbed({ page_url: MEAL_PLANNER }, { idempotencyKey: 'mine' });
    expect(replayed).toBe(false);
    const { replayed: isReplayed, ...again } = await client.createEmbed(
      { page_url: MEAL_PLANNER },
      { idempotencyKey: 'mine' },
    );
    expect([isReplayed, again.embed]).toEqual([true, embed]);
    const [first, ...others] = keysOf(sent);
    expect(first).toMatch(/^\d+(-\d+){15}$/);
    expect(others).toEqual([first, first, first, 'mine', 'mine']);
    // the lost response had created the first one
    expect((await client.listEmbeds()).total_count).toBe(2);
  });

  test('a create whose response was lost returns the embed that it created', async () => {
    const { client, faults } = await openClient();
    faults.push(lostResponse);
    const { embed, replayed } = await client.createEmbed({ page_url: MEAL_PLANNER });
    expect(replayed).toBe(true);
    expect((await client.listEmbeds()).embeds).toEqual([embed]);
    faults.push(lostResponse);
    const options = { idempotencyKey: 'mine' };
    const { createEmbed } = await client.graphql(CreateEmbedDocument, { input: { pageUrl: MEAL_PLANNER } }, options);
    expect(createEmbed.replayed).toBe(true);
    expect((await client.listEmbeds()).total_count).toBe(2);
  });

  test('reads are repeated, and other writes only if they were rejected with 429', async () => {
    const { client, sent, faults } = await openClient();
    const { embed } = await client.createEmbed({ page_url: MEAL_PLANNER });
    const attemptsOf = async (fault: Fault, call: () => Promise<unknown>) => {
      const before = sent.length;
      faults.splice(0, faults.length, fault);
      const error = await call().then(
        () => null,
        (thrown) => thrown,
      );
      return [sent.length - before, error?.name ?? null];
    };
    const rateLimited = status(429, { 'retry-after': '0' }, JSON.stringify({ code: 'rate_limited', detail: 'Wait.' }));
    expect(await attemptsOf(lostResponse, () => client.retrieveEmbed(embed.id))).toEqual([2, null]);
    expect(await attemptsOf(status(503), () => client.graphql(EmbedsDocument))).toEqual([2, null]);
    expect(await attemptsOf(lostResponse, () => client.updateEmbed(embed.id, { mode: 'dark' }))).toEqual([
      1,
      'NetworkError',
    ]);
    const input = { id: embed.id, mode: 'AUTO' as const };
    expect(await attemptsOf(status(503), () => client.graphql(UpdateEmbedDocument, { input }))).toEqual([
      1,
      'EmbedGatewayError',
    ]);
    expect(await attemptsOf(rateLimited, () => client.updateEmbed(embed.id, { mode: 'auto' }))).toEqual([2, null]);
    // of a proxy
    expect(await attemptsOf(status(429), () => client.updateEmbed(embed.id, { mode: 'dark' }))).toEqual([2, null]);
    expect(await attemptsOf(lostResponse, () => client.createToken({ name: 'ci', scopes: ['read'] }))).toEqual([
      1,
      'NetworkError',
    ]);
    const [token] = (await client.listTokens()).tokens;
    expect(await attemptsOf(lostResponse, () => client.revokeToken(token?.id ?? ''))).toEqual([2, null]);
  });

  test('a document is not repeated if its first mutations ran', async () => {
    const { client, sent } = await openClient();
    const { embed } = await client.createEmbed({ page_url: MEAL_PLANNER });
    const refresh = `refreshPage(input: { embedId: "${embed.id}" }) { embed { id } }`;
    await client.graphql(`mutation { ${refresh} }`);
    const before = sent.length;
    const token = 'createToken(input: { name: "ci", scopes: [READ] }) { secret }';
    const failed = client.graphql(`mutation { ${token} ${refresh} }`);
    const error = await failed.then(
      () => null,
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error.completed).toEqual({ createToken: { secret: expect.stringMatching(/^emb_/) } });
    expect(sent.length - before).toBe(1);

    const body = JSON.stringify({
      data: null,
      errors: [{ message: 'Try again.', extensions: { code: 'SERVICE_UNAVAILABLE' } }],
      extensions: { completed: { createToken: { secret: 'emb_' } } },
    });
    const other = await openClient();
    other.faults.push(status(200, {}, body));
    const create = `createEmbed(input: { pageUrl: "${MEAL_PLANNER}" }) { replayed }`;
    const options = { idempotencyKey: 'mine' };
    await expect(other.client.graphql(`mutation { ${token} ${create} }`, {}, options)).rejects.toThrow(
      UnavailableError,
    );
    expect(other.sent).toHaveLength(1);
  });

  test('repetitions wait for Retry-After, and end after the limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const waits: number[] = [];
    let last = Date.now();
    const problem = JSON.stringify({ code: 'unavailable', detail: 'The database is away.', errors: [] });
    const network: Fetch = async () => {
      waits.push(Date.now() - last);
      last = Date.now();
      const date = new Date(Date.now() + 9_000).toUTCString();
      return new Response(problem, { status: 503, headers: { 'retry-after': waits.length === 1 ? '7' : date } });
    };
    const client = new EmbedGateway({ baseUrl: 'http://localhost:4000', token: 'a', maxRetries: 2, fetch: network });
    const failed = expect(client.listEmbeds()).rejects.toThrow(UnavailableError);
    await vi.runAllTimersAsync();
    await failed;
    expect(waits.slice(0, 2)).toEqual([0, 7_000]);
    // a date has no milliseconds
    expect(Math.ceil((waits[2] ?? 0) / 1_000)).toBe(9);
    const long = new EmbedGateway({
      baseUrl: 'http://localhost:4000',
      token: 'a',
      fetch: async () => new Response('{"code":"rate_limited"}', { status: 429, headers: { 'retry-after': '61' } }),
    });
    await expect(long.listEmbeds()).rejects.toThrow(RateLimitedError);
  });

  test('a signal stops the request and the pause before its repetition', async () => {
    const { client, sent, faults } = await openClient();
    const reason = new Error('the user left');
    await expect(client.listEmbeds({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(sent).toEqual([]);
    const controller = new AbortController();
    faults.push(async () => {
      queueMicrotask(() => setImmediate(() => controller.abort(reason)));
      return new Response('', { status: 503, headers: { 'retry-after': '60' } });
    });
    await expect(client.listEmbeds({}, { signal: controller.signal })).rejects.toBe(reason);
    expect(sent).toHaveLength(1);
    const stopped = new AbortController();
    const hanging: Fetch = (_, init) => {
      const ended = new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
      stopped.abort(reason);
      return ended;
    };
    const { client: waiting } = await openClient({ fetch: hanging });
    await expect(waiting.createEmbed({ page_url: MEAL_PLANNER }, { signal: stopped.signal })).rejects.toBe(reason);
  });

  test('an attempt without a response ends after the time limit', async () => {
    const hanging: Fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const { client } = await openClient({ fetch: hanging, timeoutMs: 1, maxRetries: 0 });
    const error = await client.listEmbeds().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ code: 'network', status: 0, requestId: null, errors: [] });
  });

  test('a response that is not from the service is an error without a code of the service', async () => {
    const { client, faults } = await openClient({ maxRetries: 0 });
    faults.push(status(502, { 'x-request-id': 'from-proxy' }, '<h1>Bad Gateway</h1>'));
    const error = await client.listEmbeds().catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'EmbedGatewayError', code: 'unknown', status: 502, requestId: 'from-proxy' });
    faults.push(status(200, {}, '<h1>Sign in</h1>'));
    await expect(client.listEmbeds()).rejects.toMatchObject({ code: 'unknown', status: 200 });
    faults.push(status(418, {}, '{"code":"later","detail":"A code of a newer version."}'));
    await expect(client.listEmbeds()).rejects.toMatchObject({ name: 'EmbedGatewayError', code: 'later' });
  });
});
