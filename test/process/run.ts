import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

export interface Run {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The exit code, once the process has ended. */
  readonly ended: Promise<number | null>;
  /** Resolves when standard output contains the text. Rejects if the process ends first. */
  readonly waitForOutput: (text: string) => Promise<void>;
}

/**
 * Runs a file of the project in a new process with only these environment variables.
 * @param registerCleanup receives the function that kills the process; by default it runs when the test finishes
 * @param maxDescriptors limit of open files; without it, that of the tests
 */
export function run(
  file: string,
  args: readonly string[],
  environment: Record<string, string>,
  registerCleanup: (end: () => void) => void = onTestFinished,
  maxDescriptors: number | null = null,
): Run {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const limit = maxDescriptors === null ? [] : ['sh', '-c', `ulimit -n ${maxDescriptors}; exec "$0" "$@"`];
  const [program = '', ...all] = [...limit, process.execPath, file, ...args];
  const child = spawn(program, all, { env: { PATH, NODE_COMPILE_CACHE, ...environment } });
  registerCleanup(() => void child.kill('SIGKILL'));
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
    waitForOutput: (text) =>
      new Promise((resolve, reject) => {
        const check = () => stdout.includes(text) && resolve();
        child.stdout.on('data', check);
        void ended.then((code) =>
          reject(new Error(`ended with ${code} before it printed ${text}: ${stdout}${stderr}`)),
        );
        check();
      }),
  };
}
