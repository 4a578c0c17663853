import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { NO_TELEMETRY } from '../../src/telemetry/telemetry.ts';
import { hasProgram, requestFrom } from '../edge/programs.ts';
import { findFreePort } from '../free-port.ts';
import { openApp, temporaryFolder } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';
import { run } from './run.ts';

const ACCESS_TOKEN = 'a-token-for-the-test';
const authorization = `Bearer ${ACCESS_TOKEN}`;
/** On a busy machine, the start of a process alone takes many seconds. */
const HTML = { accept: 'text/html' };

async function startWith(maxDescriptors: number) {
  const port = await findFreePort();
  const databaseUrl = `file:${temporaryFolder()}/embeds.db`;
  const variables = { PORT: String(port), DATABASE_URL: databaseUrl, ACCESS_TOKEN, ALLOW_PRIVATE_PAGES: 'true' };
  const service = run('src/main.ts', [], variables, onTestFinished, maxDescriptors);
  return { ...service, port, origin: `http://127.0.0.1:${port}` };
}

/** Opens connections that send nothing, and keeps those that the service keeps. */
async function openIdle(port: number, count: number): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume(),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  return sockets;
}

test('a service with 64 descriptors serves every door beside many idle connections from its start on', async () => {
  const site = await openSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Bread', '<p>Much flour.</p>'));
  });
  const { origin, port, child, waitForOutput } = await startWith(64);
  await waitForOutput('"msg":"ready"');
  await openIdle(port, 200);
  const json = { authorization, 'content-type': 'application/json' };
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(path, origin), init);
    return [path, response.status, await response.text()] as const;
  };
  const body = JSON.stringify({ page_url: `${site.origin}/bread` });
  const [, created, text] = await send('/v1/embeds', { method: 'POST', headers: json, body });
  expect([created, text]).toEqual([201, expect.any(String)]);
  const query = JSON.stringify({ query: 'query ($first: Int) { embeds(first: $first) { nodes { id html } } }' });
  for (let runs = 0; runs < 4; runs++) {
    const [, status, result] = await send('/graphql', { method: 'POST', headers: json, body: query });
    expect([status, JSON.parse(result).errors]).toEqual([200, undefined]);
  }
  for (const [path, headers] of Object.entries({
    '/graphql': HTML,
    '/': HTML,
    '/docs': HTML,
    '/openapi.json': {},
    '/embed.js': {},
  })) {
    const [, status] = await send(path, { headers });
    expect([path, status]).toEqual([path, 200]);
  }
  const view = async () => (await requestFrom(port, JSON.parse(text).embed.embed_url)).body.toString();
  await expect.poll(view).toContain('Much flour');
  expect(child.exitCode).toBe(null);
});

/** Bounds the descriptors that a running process opens from now on. */
function setSoftLimit({ pid = 0 }: ChildProcess, count: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${count}:`]);
}

test.skipIf(!hasProgram('prlimit', '--version'))(
  'while no descriptor is free, what needs one gets 503, and the same request succeeds later',
  async () => {
    const { origin, child, waitForOutput } = await startWith(1_024);
    await waitForOutput('"msg":"ready"');
    // an agent of its own keeps this one connection
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const send = (path: string, accept = 'text/html') =>
      new Promise<string>((resolve, reject) => {
        const options = { agent, headers: { accept, authorization } };
        get(new URL(path, origin), options, (response) => {
          const retryAfter = response.headers['retry-after'] ?? '';
          response.resume().on('end', () => resolve(`${response.statusCode} ${retryAfter}`.trim()));
        }).on('error', reject);
      });
    // loads the code of the APIs
    expect(await send('/v1/embeds')).toBe('200');
    expect(await send('/graphql?query={embeds{totalCount}}', 'application/json')).toBe('200');
    setSoftLimit(child, 8);
    for (const path of ['/graphql', '/docs', '/']) expect([path, await send(path)]).toEqual([path, '503 1']);
    expect(await send('/v1/embeds')).toBe('200');
    setSoftLimit(child, 1_024);
    for (const path of ['/graphql', '/docs', '/']) expect([path, await send(path)]).toEqual([path, '200']);
  },
);

test.each([24, 48])('with %i descriptors a service says that it needs more, in one line', async (count) => {
  const service = await startWith(count);
  expect(await service.ended).toBe(1);
  expect(service.stderr()).toBe(
    `The process may open ${count} files and connections. The service needs at least 64: raise the limit, such as with ulimit -n 1024.\n`,
  );
});

test('a page that could not be fetched for want of a descriptor is fetched again by the next view', async () => {
  const noDescriptors = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });
  let dials = 0;
  const dial = () => {
    dials++;
    return Promise.reject(noDescriptors);
  };
  const { app, as } = await openApp({}, NO_TELEMETRY, { resolve: async () => ['93.184.215.14'], dial });
  const { embed_url } = await (await as('ada')).create();
  for (let view = 1; view <= 2; view++) {
    const before = dials;
    const response = await app.fetch(new Request(embed_url));
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(dials).toBeGreaterThan(before);
  }
});
