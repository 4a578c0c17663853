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

/** More than the 511 of Node's default, and fewer than the files that a process may commonly open. */
const NEW_CONNECTIONS = 700;
const SOMAXCONN = '/proc/sys/net/core/somaxconn';
const room = existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, 'utf8')) : 0;
const noRoom = room >= NEW_CONNECTIONS ? null : `skipped: ${SOMAXCONN} is not there, or below ${NEW_CONNECTIONS}`;
if (noRoom !== null) console.warn(`The check of many new connections is ${noRoom}.`);

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

test('the first start makes a token and shows it once, with a curl line that works and the way to the console', async () => {
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

  test('no token is made where ACCESS_TOKEN is set', async () => {
    const { service, origin } = shared;
    expect(service.stdout()).not.toContain('emb_');
    const list = await fetch(`${origin}/v1/embeds`, { headers: { authorization: 'Bearer a token of my own' } });
    expect(list.status).toBe(200);
  });

  test('each request is one line of JSON with its id, and never the token', async () => {
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

  test('a second one on its port writes one clear message and ends with exit code 1', async () => {
    const { port, variables } = shared;
    const second = run('src/main.ts', [], variables);
    expect(await second.ended).toBe(1);
    expect(second.stderr()).toBe(`Cannot listen on 127.0.0.1:${port}: the port is in use. Set PORT or HOST.\n`);
  });
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s finishes the request in flight, refuses new ones and ends with 0',
  async (signal) => {
    const { service, origin, port } = await start(await newDatabase(), { ACCESS_TOKEN: 'a token of my own' });
    const socket = connect(port, '127.0.0.1');
    const body = `page_url=${encodeURIComponent(MEAL_PLANNER)}`;
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      `POST /v1/embeds HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a token of my own\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    service.child.kill(signal);
    await service.waitForOutput('stopping');
    const ask = () =>
      fetch(`${origin}/livez`).then(
        () => 'answered',
        () => 'refused',
      );
    await expect.poll(ask).toBe('refused');
    socket.write(body.slice(10));
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(await service.ended).toBe(0);
    expect(service.stdout()).toContain('"msg":"stopped"');
  },
);

test('with STOP_DELAY a service that stops is not ready, and answers until those who distribute requests know', async () => {
  const { service, origin } = await start(await newDatabase(), { STOP_DELAY: '2' });
  service.child.kill('SIGTERM');
  await service.waitForOutput('stopping');
  const ready = await fetch(`${origin}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ detail: 'The service is stopping.' });
  expect((await fetch(`${origin}/livez`)).status).toBe(200);
  expect(await service.ended).toBe(0);
});

test.skipIf(noRoom)(
  'takes more new connections at once than Node queues by itself, while it is busy',
  { timeout: 60_000 },
  async () => {
    const { service, port } = await start(await newDatabase(), { ACCESS_TOKEN: 'a token of my own' });
    service.child.kill('SIGSTOP');
    const sockets = Array.from({ length: NEW_CONNECTIONS }, () => connect(port, '127.0.0.1').setEncoding('utf8'));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    // those past the queue of a process that accepts none would wait for as long as it does
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    service.child.kill('SIGCONT');
    for (const socket of sockets) socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
    const answers = await Promise.all(sockets.map((socket) => once(socket, 'data')));
    expect(answers.filter(([text]) => !text.startsWith('HTTP/1.1 200 OK\r\n'))).toEqual([]);
  },
);

test('a bad configuration and a bad database are one clear message each, and exit code 1', async () => {
  const misconfigured = run('src/main.ts', [], { PORT: 'x', LOG_LEVEL: 'y' });
  expect(await misconfigured.ended).toBe(1);
  expect(misconfigured.stderr()).toBe(
    'The configuration is not valid:\n  PORT must be a whole number from 1 to 65535, not "x"\n  LOG_LEVEL must be one of debug, info, warn, error, silent, not "y"\n',
  );
  expect(misconfigured.stdout()).toBe('');

  const noDatabase = run('src/main.ts', [], { PORT: String(await findFreePort()), DATABASE_URL: 'file:package.json' });
  expect(await noDatabase.ended).toBe(1);
  expect(noDatabase.stderr()).toMatch(
    /^.*package\.json is not a SQLite database\. If it was one, restore a backup: npm run restore -- FILE\n$/,
  );
});
