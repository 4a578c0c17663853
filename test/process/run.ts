import { type ChildProcess, spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Run {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The exit code, once the process has ended. */
  readonly ended: Promise<number | null>;
  /** Resolves when standard output has the text. */
  readonly says: (text: string) => Promise<void>;
}

/**
 * Runs a file of the project as a process of its own, with only these variables.
 * @param whenOver when it is to be ended: with the test, if nothing else is said
 */
export function run(
  file: string,
  args: readonly string[],
  environment: Record<string, string>,
  whenOver: (end: () => void) => void = onTestFinished,
): Run {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [file, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...environment } });
  whenOver(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => stdout.includes(text) && resolve();
        child.stdout.on('data', look);
        void ended.then((code) => reject(new Error(`ended with ${code} before it said ${text}: ${stdout}${stderr}`)));
        look();
      }),
  };
}

/** A port that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
