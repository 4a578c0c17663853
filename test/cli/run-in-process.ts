import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { format } from 'node:util';
import { vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { runGateway } from '../../src/gateway.ts';

/** Thrown by `process.exit` instead of ending the process. */
class Exit extends Error {}

/**
 * Runs a command in this process, which is 0.5 s faster than a child process. On SQLite, this process must not have the
 * database open. `serve` is for starts that fail before the service listens, with `LOG_LEVEL=silent`.
 */
export async function runInProcess(
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  input = '',
) {
  const output = { stdout: '', stderr: '' };
  let exit: number | undefined;
  // ignore output after the end of the process
  const write = (stream: keyof typeof output, text: string) => {
    if (exit === undefined) output[stream] += text;
  };
  const createWrite = (stream: keyof typeof output) => (text: unknown, done?: unknown) => {
    write(stream, String(text));
    if (typeof done === 'function') done();
    return true;
  };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((...line) => write('stdout', `${format(...line)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((...line) => write('stderr', `${format(...line)}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation(createWrite('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(createWrite('stderr')),
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from(input)]) as typeof process.stdin),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      exit ??= Number(code);
      throw new Exit();
    }),
  ];
  const events: readonly (readonly [EventEmitter, string])[] = [
    [process, 'SIGINT'],
    [process, 'SIGTERM'],
    [process.stdout, 'error'],
  ];
  const before = events.map(([emitter, name]) => emitter.listeners(name));
  const { env, exitCode } = process;
  process.env = { ...environment };
  process.exitCode = undefined;
  try {
    await runCommandLine([command, ...args], runGateway);
    return { code: exit ?? process.exitCode ?? 0, ...output };
  } finally {
    Object.assign(process, { env, exitCode });
    for (const spy of spies) spy.mockRestore();
    for (const [i, [emitter, name]] of events.entries()) {
      const added = emitter.listeners(name).filter((listener) => !before[i]?.includes(listener));
      for (const listener of added) emitter.off(name, listener as () => void);
    }
  }
}
