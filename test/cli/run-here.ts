import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { format } from 'node:util';
import { vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';

/** Thrown in place of the end of the process. */
class Exit extends Error {}

/**
 * Runs a command in this process, which saves half a second of loading modules. On SQLite, this process must not have the
 * database open.
 */
export async function runHere(command: string, args: readonly string[], environment: NodeJS.ProcessEnv, input = '') {
  const output = { stdout: '', stderr: '' };
  let exit: number | undefined;
  // ignore output after the end of the process
  const write = (stream: keyof typeof output, text: string) => {
    if (exit === undefined) output[stream] += text;
  };
  const written = (stream: keyof typeof output) => (text: unknown, done?: unknown) => {
    write(stream, String(text));
    if (typeof done === 'function') done();
    return true;
  };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((...line) => write('stdout', `${format(...line)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((...line) => write('stderr', `${format(...line)}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation(written('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(written('stderr')),
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from(input)]) as typeof process.stdin),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      exit ??= Number(code);
      throw new Exit();
    }),
  ];
  const heard: readonly (readonly [EventEmitter, string])[] = [
    [process, 'SIGINT'],
    [process, 'SIGTERM'],
    [process.stdout, 'error'],
  ];
  const before = heard.map(([emitter, name]) => emitter.listeners(name));
  const { env, exitCode } = process;
  process.env = { ...environment };
  process.exitCode = undefined;
  try {
    await runCommandLine([command, ...args], async () => {});
    return { code: exit ?? process.exitCode ?? 0, ...output };
  } finally {
    Object.assign(process, { env, exitCode });
    for (const spy of spies) spy.mockRestore();
    for (const [i, [emitter, name]] of heard.entries()) {
      const mine = emitter.listeners(name).filter((listener) => !before[i]?.includes(listener));
      for (const listener of mine) emitter.off(name, listener as () => void);
    }
  }
}
