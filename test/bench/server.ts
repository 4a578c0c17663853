import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Data } from './data.ts';
import { hostedTarget, send } from './target.ts';

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 2;

/** A server in a process of its own, on data of its own. */
export interface Server {
  readonly data: Data;
  readonly origin: string;
  /** From the start of the process until it answered. */
  readonly startMs: number;
  readonly pid: number;
  /** Resident memory at this moment, in MB. */
  rssMb(): number;
  stop(): Promise<void>;
}

/** Where both servers say that embeds are: their answers are to be the same, whatever their ports. */
const EMBED_HOST = 'localhost:4000';

/**
 * The gateway as `npm start` runs it, with its log in a file. Of its defaults two are changed: the limit of requests a
 * minute, which stays on but is too high to be met, and the renderer, which is off unless the environment has one.
 */
export async function startGateway(
  data: Data,
  nodeOptions: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const port = await freePort();
  const log = openSync(`${data.file}.log`, 'a');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, pathOf('../../src/main.ts')], {
    stdio: ['ignore', log, 'inherit'],
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      DATABASE_URL: data.url,
      EMBED_HOST,
      RATE_LIMIT: '999999999',
      // the start would try a browser while it is measured
      RENDERER: 'off',
      ...environment,
    },
  });
  closeSync(log);
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isReady(origin))) {
    if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}: see ${data.file}.log`);
    if (performance.now() - startedAt > START_TIMEOUT_MS) throw new Error('the gateway was not ready in time');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return { data, origin, startMs: performance.now() - startedAt, ...controlsOf(child) };
}

/** The reference, which sends the very bytes of the hosted page that the gateway sends. */
export async function startReference(data: Data, gateway: Server): Promise<Server> {
  const { headers, body } = await send(gateway.origin, await hostedTarget(gateway));
  const ofOneAnswer = ['date', 'connection', 'keep-alive', 'x-request-id'];
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneAnswer.includes(name)));
  const pageFile = `${data.file}.page.json`;
  writeFileSync(pageFile, JSON.stringify({ headers: kept, html: body }));
  const startedAt = performance.now();
  const reference = data.url.startsWith('file:') ? 'reference.ts' : 'reference-postgresql.ts';
  const child = fork(pathOf(reference), [data.url.replace(/^file:/, ''), EMBED_HOST, pageFile]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { data, origin: `http://127.0.0.1:${port}`, startMs: performance.now() - startedAt, ...controlsOf(child) };
}

function controlsOf(child: ChildProcess): Pick<Server, 'pid' | 'rssMb' | 'stop'> {
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  return {
    pid: child.pid ?? 0,
    rssMb: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1_024,
    async stop() {
      process.removeListener('exit', end);
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/readyz`)).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
