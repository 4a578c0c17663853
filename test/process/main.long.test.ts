import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { hasProgram } from '../edge/programs.ts';
import { findFreePort } from '../free-port.ts';
import { MEAL_PLANNER, newDatabase } from '../open-app.ts';
import { run } from './run.ts';
import { startService } from './start-service.ts';

const ACCESS_TOKEN = 'a token of my own';

describe('on a database that does not exist', () => {
  let databaseUrl: string;
  let service: Awaited<ReturnType<typeof startService>>;
  let firstToken: string;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'embed-gateway-'));
    databaseUrl = `file:${join(folder, 'embeds.db')}`;
    const ends: (() => void)[] = [() => rmSync(folder, { recursive: true })];
    service = await startService(databaseUrl, { ACCESS_TOKEN }, (end) => void ends.unshift(end));
    return () => {
      for (const end of ends) end();
    };
  });

  test.skipIf(!hasProgram('pgrep', '--version'))('a service starts the process that reads pages with it', () => {
    const children = execFileSync('pgrep', ['-f', '-P', String(service.child.pid), 'article-worker'], {
      encoding: 'utf8',
    });
    expect(children.trim().split('\n')).toHaveLength(1);
  });

  test('a service with ACCESS_TOKEN creates no token', async () => {
    expect(service.stdout()).not.toContain('emb_');
    const list = await fetch(`${service.origin}/v1/embeds`, { headers: { authorization: `Bearer ${ACCESS_TOKEN}` } });
    expect(list.status).toBe(200);
  });

  test('a service logs each request as one line of JSON with its id, and without the token', async () => {
    const response = await fetch(`${service.origin}/v1/embeds?after=secret-query`, {
      headers: { authorization: `Bearer ${ACCESS_TOKEN}`, 'x-request-id': 'given-by-a-proxy' },
    });
    expect(response.headers.get('x-request-id')).toBe('given-by-a-proxy');
    await service.waitForOutput('given-by-a-proxy');
    const lines = service.stdout().split('\n');
    expect(JSON.parse(lines.find((text) => text.includes('given-by-a-proxy')) ?? '')).toMatchObject({
      requestId: 'given-by-a-proxy',
      method: 'GET',
      path: '/v1/embeds',
      status: 422,
      accountId: 'default',
    });
    expect(service.stdout()).not.toMatch(/a token of my own|secret-query/);
  });

  test('a second service on the same port prints one message and ends with exit code 1', async () => {
    const second = run('src/main.ts', [], service.variables);
    expect(await second.ended).toBe(1);
    expect(second.stderr()).toBe(`Cannot listen on 127.0.0.1:${service.port}: the port is in use. Set PORT or HOST.\n`);
  });

  test('SIGTERM completes the request in flight, refuses new connections and ends with exit code 0', async () => {
    const socket = connect(service.port, '127.0.0.1').setEncoding('utf8');
    let response = '';
    socket.on('data', (text: string) => {
      response += text;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const body = `page_url=${encodeURIComponent(MEAL_PLANNER)}`;
    const headers = [
      'POST /v1/embeds HTTP/1.1',
      `Authorization: Bearer ${ACCESS_TOKEN}`,
      'Host: x',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ];
    socket.write(`${headers.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
    // the service has received the headers
    await expect.poll(() => response).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    service.child.kill('SIGTERM');
    await service.waitForOutput('stopping');
    const request = () =>
      fetch(`${service.origin}/livez`).then(
        () => 'answered',
        () => 'refused',
      );
    await expect.poll(request).toBe('refused');
    socket.write(body.slice(10));
    await closed;
    expect(response).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/);
    expect(response.toLowerCase()).toContain('connection: close');
    expect(await service.ended).toBe(0);
    expect(service.stdout()).toContain('"msg":"stopped"');
  });

  test('the first start without ACCESS_TOKEN creates a token, and prints it with a working curl command and the URL of the console', async () => {
    const first = await startService(databaseUrl);
    await first.waitForOutput(`in a browser: ${first.origin}/\n`);
    firstToken = /emb_[0-9A-Za-z]{49}/.exec(first.stdout())?.[0] ?? '';
    const curl = /curl (\S+) -H '([^:]+): ([^']+)' \\\n\s+-d (\S+)/.exec(first.stdout());
    expect(curl?.slice(1)).toEqual([
      `${first.origin}/v1/embeds`,
      'Authorization',
      `Bearer ${firstToken}`,
      `page_url=${MEAL_PLANNER}`,
    ]);
    const created = await fetch(`${first.origin}/v1/embeds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${firstToken}` },
      body: new URLSearchParams({ page_url: MEAL_PLANNER }),
    });
    expect(created.status).toBe(201);
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
  });

  test('a service that is stopped as soon as it is ready ends with exit code 0', async () => {
    const idle = await startService(databaseUrl);
    idle.child.kill('SIGTERM');
    expect(await idle.ended).toBe(0);
  });

  test('the next start prints no token; with STOP_DELAY it reports 503 on /readyz and serves requests until the delay is over', async () => {
    const next = await startService(databaseUrl, { STOP_DELAY: '1' });
    next.child.kill('SIGTERM');
    await next.waitForOutput('stopping');
    const ready = await fetch(`${next.origin}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ detail: 'The service is stopping.' });
    const list = await fetch(`${next.origin}/v1/embeds`, { headers: { authorization: `Bearer ${firstToken}` } });
    expect(((await list.json()) as { total_count: number }).total_count).toBe(2);
    expect(await next.ended).toBe(0);
    expect(next.stdout()).not.toContain('emb_');
  });
});

test('an invalid configuration gives one message and exit code 2, an invalid database one message and exit code 1', async () => {
  expect(await runInProcess('serve', [], { PORT: 'x', LOG_LEVEL: 'y' })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'The configuration is not valid:\n  PORT must be a whole number from 1 to 65535, not "x"\n  LOG_LEVEL must be one of debug, info, warn, error, silent, not "y"\n',
  });
  const noDatabase = { LOG_LEVEL: 'silent', DATABASE_URL: 'file:package.json' };
  expect(await runInProcess('serve', [], noDatabase)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^.*package\.json is not a SQLite database\. If it was one, restore a backup: npx embed-gateway restore FILE\n$/,
    ),
  });
});

test.skipIf(process.platform !== 'linux')('bounds its young generation, and the memory that glibc keeps', async () => {
  const service = run('bin/embed-gateway.js', ['serve'], {
    PORT: String(await findFreePort()),
    DATABASE_URL: await newDatabase(),
  });
  await service.waitForOutput('"msg":"ready"');
  const read = (name: string) => readFileSync(`/proc/${service.child.pid}/${name}`, 'utf8').split('\0');
  expect(read('cmdline')).toContain('--max-semi-space-size=16');
  expect(read('environ')).toContain('MALLOC_ARENA_MAX=2');
});

/** More than Node's default backlog of 511, and fewer than the usual limit of open files. */
const NEW_CONNECTIONS = 700;
const SOMAXCONN = '/proc/sys/net/core/somaxconn';
const backlog = existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, 'utf8')) : 0;
const backlogTooSmall =
  backlog >= NEW_CONNECTIONS ? null : `skipped: ${SOMAXCONN} does not exist, or is below ${NEW_CONNECTIONS}`;
if (backlogTooSmall !== null) console.warn(`The check of many new connections is ${backlogTooSmall}.`);

test.skipIf(backlogTooSmall)(
  'queues more new connections than the default backlog of Node while it is busy',
  async () => {
    const { child, port } = await startService(await newDatabase(), { ACCESS_TOKEN: 'a token of my own' });
    child.kill('SIGSTOP');
    const sockets = Array.from({ length: NEW_CONNECTIONS }, () => connect(port, '127.0.0.1').setEncoding('utf8'));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    // connections beyond the backlog would wait until the process continues
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    child.kill('SIGCONT');
    for (const socket of sockets) socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
    const responses = await Promise.all(sockets.map((socket) => once(socket, 'data')));
    expect(responses.filter(([text]) => !text.startsWith('HTTP/1.1 200 OK\r\n'))).toEqual([]);
  },
);
