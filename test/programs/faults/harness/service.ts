import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '../../../../src/store/database.ts';
import { SILENT_LOG } from '../../../databases/server.ts';
import { findFreePort } from '../../../free-port.ts';

/** `ACCESS_TOKEN` of every service that a fault script starts. */
export const TOKEN = 'a token for the faults';

const START_TIMEOUT_MS = 120_000;

/** The end of a process: its exit code, or the signal that ended it. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A gateway in its own process. */
export interface Service {
  readonly origin: string;
  readonly ended: Promise<Ending>;
  /** Sends SIGKILL, and waits for the end of the process. */
  kill(): Promise<void>;
  /** Sends SIGTERM, and returns the exit code. */
  stop(): Promise<number | null>;
  readonly isRunning: () => boolean;
  readonly pid: number;
  /** Its output without the lines of requests. */
  readonly log: () => string;
}

/** A gateway that is not ready yet. */
export interface StartingService extends Omit<Service, 'origin'> {
  /** Rejects with the output if the process ends first. */
  readonly ready: Promise<Service>;
}

/** @param folder the checkout of another version; this one when omitted */
export async function startService(
  file: string,
  variables: Record<string, string> = {},
  folder = process.cwd(),
): Promise<Service> {
  return (await beginService(file, variables, [], [], folder)).ready;
}

/**
 * @param options arguments of Node
 * @param launcher a command that runs the command after it, with the same process id
 */
export async function beginService(
  file: string,
  variables: Record<string, string> = {},
  options: readonly string[] = [],
  launcher: readonly string[] = [],
  folder = process.cwd(),
): Promise<StartingService> {
  const port = variables.PORT ?? String(await findFreePort());
  const { DATABASE_URL: url = '' } = variables;
  if (url.startsWith('postgresql:') && folder === process.cwd()) await migrateDatabase(url, SILENT_LOG);
  const [command = '', ...args] = [...launcher, process.execPath, ...options, 'src/main.ts'];
  const child = spawn(command, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      PORT: port,
      DATABASE_URL: `file:${file}`,
      ACCESS_TOKEN: TOKEN,
      RATE_LIMIT: '0',
      ...variables,
    },
  });
  let log = '';
  const append = (text: string) => {
    log = (log + text).replace(/^.*"msg":"request".*\n/gm, '');
  };
  child.stdout.setEncoding('utf8').on('data', append);
  child.stderr.setEncoding('utf8').on('data', append);
  const control = createControl(child, () => log);
  return { ...control, ready: waitUntilReady(child, { ...control, origin: `http://127.0.0.1:${port}` }) };
}

function createControl(child: ChildProcess, log: () => string): Omit<Service, 'origin'> {
  const ended = new Promise<Ending>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return {
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      return (await ended).code;
    },
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    log,
  };
}

async function waitUntilReady(child: ChildProcess, service: Service): Promise<Service> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && service.isRunning()) {
    if (service.log().includes('"msg":"ready"')) return service;
    await pause(10);
  }
  child.kill('SIGKILL');
  throw new Error(`the service did not start: ${service.log().slice(-2_000)}`);
}

/** Creates a folder that is removed when the process exits. */
export function createScratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'embed-gateway-faults-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
