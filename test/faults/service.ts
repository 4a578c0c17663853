import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../free-port.ts';

/** `ACCESS_TOKEN` of every service that a fault script starts. */
export const TOKEN = 'a token for the faults';

const START_TIMEOUT_MS = 60_000;

/** A gateway in its own process. */
export interface Service {
  readonly origin: string;
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

export async function startService(file: string, variables: Record<string, string> = {}): Promise<Service> {
  return (await beginService(file, variables)).ready;
}

/** @param options arguments of Node */
export async function beginService(
  file: string,
  variables: Record<string, string> = {},
  options: readonly string[] = [],
): Promise<StartingService> {
  const port = variables.PORT ?? String(await findFreePort());
  const child = spawn(process.execPath, [...options, 'src/main.ts'], {
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
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    stop() {
      child.kill('SIGTERM');
      return ended;
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
