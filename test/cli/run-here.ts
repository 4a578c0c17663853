import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { format } from 'node:util';
import { vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';

/** What a command throws here where a process would end. */
class Exit extends Error {}

/**
 * Runs a command in this process: one of its own takes half a second to load what is loaded here already. Not for what
 * happens beside it: on SQLite, a file is used by one client of a process at a time.
 */
export async function runHere(command: string, args: readonly string[], environment: NodeJS.ProcessEnv, input = '') {
  const told = { stdout: '', stderr: '' };
  let exit: number | undefined;
  // what ends a process also ends what it says
  const tell = (stream: keyof typeof told, text: string) => {
    if (exit === undefined) told[stream] += text;
  };
  const written = (stream: keyof typeof told) => (text: unknown, done?: unknown) => {
    tell(stream, String(text));
    if (typeof done === 'function') done();
    return true;
  };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((...line) => tell('stdout', `${format(...line)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((...line) => tell('stderr', `${format(...line)}\n`)),
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
    return { code: exit ?? process.exitCode ?? 0, ...told };
  } finally {
    Object.assign(process, { env, exitCode });
    for (const spy of spies) spy.mockRestore();
    for (const [i, [emitter, name]] of heard.entries()) {
      const mine = emitter.listeners(name).filter((listener) => !before[i]?.includes(listener));
      for (const listener of mine) emitter.off(name, listener as () => void);
    }
  }
}
