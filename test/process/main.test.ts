import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { MEAL_PLANNER, missingFile, newDatabase } from '../open-app.ts';
import { run } from './run.ts';

const READY = '"msg":"ready"';

/** More than Node's default backlog of 511, and fewer than the usual limit of open files. */
const NEW_CONNECTIONS = 700;
const SOMAXCONN = '/proc/sys/net/core/somaxconn';
const backlog = existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, 'utf8')) : 0;
const backlogTooSmall =
  backlog >= NEW_CONNECTIONS ? null : `skipped: ${SOMAXCONN} does not exist, or is below ${NEW_CONNECTIONS}`;
if (backlogTooSmall !== null) console.warn(`The check of many new connections is ${backlogTooSmall}.`);

async function start(
  databaseUrl: string,
  environment: Record<string, string> = {},
  registerCleanup: (end: () => void) => void = onTestFinished,
) {
  const port = await findFreePort();
  const variables = { PORT: String(port), DATABASE_URL: databaseUrl, ...environment };
  const service = run('src/main.ts', [], variables, registerCleanup);
  await service.waitForOutput(READY);
  return { service, origin: `http://127.0.0.1:${port}`, port, variables };
}

test('the first start creates a token, and prints it once with a working curl command and the URL of the console', async () => {
  const { service, origin, variables } = await start(missingFile());
  await service.waitForOutput(`in a browser: ${origin}/\n`);
  const token = /emb_[0-9A-Za-z]{49}/.exec(service.stdout())?.[0];
  const headers = { authorization: `Bearer ${token}` };
  const curl = /curl (\S+) -H '([^:]+): ([^']+)' \\\n\s+-d (\S+)/.exec(service.stdout());
  expect(curl?.slice(1)).toEqual([
    `${origin}/v1/embeds`,
    'Authorization',
    `Bearer ${token}`,
    `page_url=${MEAL_PLANNER}`,
  ]);
  const created = await fetch(`${origin}/v1/embeds`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ page_url: MEAL_PLANNER }),
  });
  expect(created.status).toBe(201);

  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  const again = run('src/main.ts', [], variables);
  await again.waitForOutput(READY);
  const list = await fetch(`${origin}/v1/embeds`, { headers });
  expect(((await list.json()) as { total_count: number }).total_count).toBe(1);
  expect(again.stdout()).not.toContain('emb_');
});

describe('a service with ACCESS_TOKEN', () => {
  let shared: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'embed-gateway-'));
    const ends: (() => void)[] = [() => rmSync(folder, { recursive: true })];
    const environment = { ACCESS_TOKEN: 'a token of my own' };
    shared = await start(`file:${join(folder, 'embeds.db')}`, environment, (end) => void ends.unshift(end));
    return () => {
      for (const end of ends) end();
    };
  });

  test('creates no token', async () => {
    const { service, origin } = shared;
    expect(service.stdout()).not.toContain('emb_');
    const list = await fetch(`${origin}/v1/embeds`, { headers: { authorization: 'Bearer a token of my own' } });
    expect(list.status).toBe(200);
  });

  test('logs each request as one line of JSON with its id, and without the token', async () => {
    const { service, origin } = shared;
    const response = await fetch(`${origin}/v1/embeds?after=secret-query`, {
      headers: { authorization: 'Bearer a token of my own', 'x-request-id': 'given-by-a-proxy' },
    });
    expect(response.headers.get('x-request-id')).toBe('given-by-a-proxy');
    await service.waitForOutput('given-by-a-proxy');
    const line =
      service
        .stdout()
        .split('\n')
        .find((text) => text.includes('given-by-a-proxy')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      requestId: 'given-by-a-proxy',
      method: 'GET',
      path: '/v1/embeds',
      status: 422,
      accountId: 'default',
    });
    expect(service.stdout()).not.toMatch(/a token of my own|secret-query/);
  });

  test('a second service on the same port prints one message and ends with exit code 1', async () => {
    const { port, variables } = shared;
    const second = run('src/main.ts', [], variables);
    expect(await second.ended).toBe(1);
    expect(second.stderr()).toBe(`Cannot listen on 127.0.0.1:${port}: the port is in use. Set PORT or HOST.\n`);
  });
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s completes the request in flight, refuses new connections and ends with exit code 0',
  async (signal) => {
    const { service, origin, port } = await start(await newDatabase(), { ACCESS_TOKEN: 'a token of my own' });
    const socket = connect(port, '127.0.0.1');
    const body = `page_url=${encodeURIComponent(MEAL_PLANNER)}`;
    let response = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      response += text;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      `POST /v1/embeds HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a token of my own\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    service.child.kill(signal);
    await service.waitForOutput('stopping');
    const request = () =>
      fetch(`${origin}/livez`).then(
        () => 'answered',
        () => 'refused',
      );
    await expect.poll(request).toBe('refused');
    socket.write(body.slice(10));
    await closed;
    expect(response).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(response.toLowerCase()).toContain('connection: close');
    expect(await service.ended).toBe(0);
    expect(service.stdout()).toContain('"msg":"stopped"');
  },
);

test('with STOP_DELAY a stopping service reports 503 on /readyz and serves requests until the delay is over', async () => {
  const { service, origin } = await start(await newDatabase(), { STOP_DELAY: '2' });
  service.child.kill('SIGTERM');
  await service.waitForOutput('stopping');
  const ready = await fetch(`${origin}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ detail: 'The service is stopping.' });
  expect((await fetch(`${origin}/livez`)).status).toBe(200);
  expect(await service.ended).toBe(0);
});

test.skipIf(backlogTooSmall)(
  'queues more new connections than the default backlog of Node while it is busy',
  { timeout: 60_000 },
  async () => {
    const { service, port } = await start(await newDatabase(), { ACCESS_TOKEN: 'a token of my own' });
    service.child.kill('SIGSTOP');
    const sockets = Array.from({ length: NEW_CONNECTIONS }, () => connect(port, '127.0.0.1').setEncoding('utf8'));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    // connections beyond the backlog would wait until the process continues
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    service.child.kill('SIGCONT');
    for (const socket of sockets) socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
    const responses = await Promise.all(sockets.map((socket) => once(socket, 'data')));
    expect(responses.filter(([text]) => !text.startsWith('HTTP/1.1 200 OK\r\n'))).toEqual([]);
  },
);

test('an invalid configuration and an invalid database give one message each, and exit code 1', async () => {
  const misconfigured = run('src/main.ts', [], { PORT: 'x', LOG_LEVEL: 'y' });
  expect(await misconfigured.ended).toBe(1);
  expect(misconfigured.stderr()).toBe(
    'The configuration is not valid:\n  PORT must be a whole number from 1 to 65535, not "x"\n  LOG_LEVEL must be one of debug, info, warn, error, silent, not "y"\n',
  );
  expect(misconfigured.stdout()).toBe('');

  const noDatabase = run('src/main.ts', [], { PORT: String(await findFreePort()), DATABASE_URL: 'file:package.json' });
  expect(await noDatabase.ended).toBe(1);
  expect(noDatabase.stderr()).toMatch(
    /^.*package\.json is not a SQLite database\. If it was one, restore a backup: npx embed-gateway restore FILE\n$/,
  );
});
