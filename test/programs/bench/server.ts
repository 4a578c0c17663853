import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../free-port.ts';
import type { Data } from './data/sqlite.ts';
import { findHostedTarget, send } from './target.ts';

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 2;

/** Positions of the processor time in `/proc/<pid>/stat`, counted from the state of the process. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const MS_PER_TICK = 10;

/** A server in its own process with its own data. */
export interface Server {
  readonly data: Data;
  readonly origin: string;
  /** Time from the start of the process until it is ready. */
  readonly startMs: number;
  readonly pid: number;
  /** Returns the current resident memory in MB. */
  rssMb(): number;
  /** Returns the processor time that the process has used, in ms; NaN on systems other than Linux. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** The same for both servers, so that their responses are equal although their ports differ. */
const EMBED_HOST = 'localhost:4000';

/**
 * Starts the gateway as `npm start` does, with its log in a file. The rate limit stays on, but is too high to be reached.
 * The renderer is off unless the environment has one. All other settings are defaults.
 * @param program the start script of the clone by default
 */
export async function startGateway(
  data: Data,
  nodeOptions: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
  program = pathOf('../../../bin/embed-gateway.js'),
): Promise<Server> {
  const port = await findFreePort();
  const log = openSync(`${data.file}.log`, 'a');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, program, 'serve'], {
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
  return { data, origin, startMs: performance.now() - startedAt, ...createControls(child) };
}

/** Starts the reference. It serves a copy of the hosted page of the gateway. */
export async function startReference(data: Data, gateway: Server): Promise<Server> {
  const { headers, body } = await send(gateway.origin, await findHostedTarget(gateway));
  const perResponse = ['date', 'connection', 'keep-alive', 'x-request-id'];
  const pageHeaders = Object.fromEntries(Object.entries(headers).filter(([name]) => !perResponse.includes(name)));
  const pageFile = `${data.file}.page.json`;
  writeFileSync(pageFile, JSON.stringify({ headers: pageHeaders, html: body }));
  const startedAt = performance.now();
  const reference = data.url.startsWith('file:') ? 'reference/sqlite.ts' : 'reference/postgresql.ts';
  const child = fork(pathOf(reference), [data.url.replace(/^file:/, ''), EMBED_HOST, pageFile]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { data, origin: `http://127.0.0.1:${port}`, startMs: performance.now() - startedAt, ...createControls(child) };
}

function createControls(child: ChildProcess): Pick<Server, 'pid' | 'rssMb' | 'cpuMs' | 'stop'> {
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  return {
    pid: child.pid ?? 0,
    rssMb: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1_024,
    cpuMs() {
      if (process.platform !== 'linux') return Number.NaN;
      // after the name of the program, which may contain spaces
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK;
    },
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

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
