import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beginService, type Ending, type Service } from '../harness/service.ts';

/** A command that runs the program under a fault. */
export type Launcher = readonly string[];

export interface Result extends Ending {
  readonly pid: number;
  readonly output: string;
  readonly isTimedOut: boolean;
}

/** Environment variables of each program. One thread of the pool makes the order of calls repeatable. A browser would be traced too. */
export const VARIABLES = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../../node_modules/.cache/compiled'),
  UV_THREADPOOL_SIZE: '1',
  RENDERER: 'off',
};

const TIMEOUT_MS = 120_000;

/** Starts the service under a fault, calls `use` once it is ready, and stops it. */
export async function runService(
  file: string,
  launcher: Launcher,
  use: (service: Service) => Promise<void> = async () => {},
): Promise<Result> {
  const service = await beginService(file, VARIABLES, [], launcher);
  const timer = createTimer(() => void service.kill());
  const ready = await service.ready.catch(() => null);
  if (ready) await use(ready);
  if (service.isRunning()) void service.stop();
  const { code, signal } = await service.ended;
  return { code, signal, pid: service.pid, output: service.log(), isTimedOut: timer.end() };
}

/** Runs a command of `embed-gateway` on a database. */
export async function runCommand(file: string, args: readonly string[], launcher: Launcher = []): Promise<Result> {
  const [command = '', ...rest] = [...launcher, process.execPath, 'src/main.ts', ...args];
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: `file:${file}`, ...VARIABLES },
  });
  const timer = createTimer(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const { code, signal } = await new Promise<Ending>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  return { code, signal, pid: child.pid ?? 0, output, isTimedOut: timer.end() };
}

/** @returns a timer whose `end` tells if the time limit was exceeded */
function createTimer(kill: () => void): { end(): boolean } {
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    kill();
  }, TIMEOUT_MS);
  return {
    end() {
      clearTimeout(timer);
      return isTimedOut;
    },
  };
}
