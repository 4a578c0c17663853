import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Kinds of system calls, and the calls of each on all architectures of Linux. */
export const CALLS = {
  sync: ['fsync', 'fdatasync'],
  write: ['pwrite64', 'write', 'writev', 'ftruncate'],
  open: ['openat', 'open', 'mkdir', 'mkdirat'],
  rename: ['rename', 'renameat', 'renameat2', 'link', 'linkat'],
  unlink: ['unlink', 'unlinkat', 'rmdir'],
  accept: ['accept4', 'accept'],
} as const;
export type CallKind = keyof typeof CALLS;
export const CALL_KINDS = Object.keys(CALLS) as CallKind[];

const DELAY_US = 700_000;

/** The fault at the n-th call, in the syntax of `strace --inject`. A signal arrives before the call is made. */
export const FAULTS = {
  SIGKILL: 'signal=SIGKILL',
  SIGTERM: 'signal=SIGTERM',
  EIO: 'error=EIO',
  ENOSPC: 'error=ENOSPC',
  EMFILE: 'error=EMFILE',
  delay: `delay_enter=${DELAY_US}`,
} as const;
export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];

export interface Injection {
  readonly call: string;
  readonly fault: FaultKind;
  /** Counted for each thread. SQLite and Node's synchronous calls run on the main thread. */
  readonly n: number;
}

/** Stands for the id of the traced process in a path. */
export const PROCESS_ID = '<pid>';

/** @returns why faults cannot be injected on this machine; null if they can */
export function findReasonToSkip(): string | null {
  try {
    execFileSync('strace', ['-f', '-o', '/dev/null', '-e', 'inject=fsync:error=EIO:when=1', 'true'], { stdio: 'pipe' });
    return null;
  } catch (error) {
    return `strace cannot trace a process here: ${(error as Error).message.split('\n')[0]}`;
  }
}

/**
 * Returns a command that runs the command after it under strace, with the same process id, and writes the calls to a file.
 * @param paths the files and folders whose calls are counted; null counts the calls on sockets
 * @param injection null only counts
 */
export function createLauncher(trace: string, paths: readonly string[] | null, injection: Injection | null): string[] {
  const kinds = CALL_KINDS.filter((kind) => (kind === 'accept') === (paths === null));
  const options = ['-D', '-f', '-q', '-o', quote(trace)];
  // strace loses signals that it injects into calls that the kernel has filtered
  if (!injection || !FAULTS[injection.fault].startsWith('signal')) options.push('--seccomp-bpf');
  options.push('-e', quote(`trace=${kinds.flatMap((kind) => CALLS[kind].map((call) => `?${call}`))}`));
  for (const path of paths ?? []) options.push('-P', quote(path));
  if (injection) {
    const { call, fault, n } = injection;
    options.push('-e', quote(`inject=${call}:${FAULTS[fault]}:when=${n}`));
  }
  return ['sh', '-c', `exec strace ${options.join(' ')} "$@"`, 'sh'];
}

function quote(text: string): string {
  const escaped = text.replaceAll("'", () => "'\\''");
  // the shell that becomes strace, and then the program
  return `'${escaped.replaceAll(PROCESS_ID, () => "'$$'")}'`;
}

/** The number of calls by name, of the thread that made most of them. */
export type CallCounts = ReadonlyMap<string, number>;

export interface Trace {
  readonly counts: CallCounts;
  readonly isReached: boolean;
}

const TRACE_TIMEOUT_MS = 60_000;

/**
 * Waits until strace, which may end after the process, has written the end of the process.
 * @throws if it does not: then nothing is known about the fault
 */
export async function readTrace(trace: string, pid: number): Promise<Trace> {
  const end = new RegExp(`^${pid} +\\+\\+\\+ `, 'm');
  for (const deadline = Date.now() + TRACE_TIMEOUT_MS; ; await pause(5)) {
    const text = readFileSync(trace, 'utf8');
    if (!end.test(text)) {
      if (Date.now() < deadline) continue;
      throw new Error(`strace has not written the end of process ${pid}`);
    }
    return {
      counts: countCalls(text),
      isReached: /\((INJECTED|DELAYED)\)|--- SIGTERM .*SI_KERNEL|killed by SIGKILL/.test(text),
    };
  }
}

export function readCounts(trace: string): CallCounts {
  return countCalls(readFileSync(trace, 'utf8'));
}

function countCalls(text: string): CallCounts {
  const byThread = new Map<string, number>();
  for (const [, thread, call] of text.matchAll(/^(\d+) +(\w+)\(/gm)) {
    const key = `${thread} ${call}`;
    byThread.set(key, (byThread.get(key) ?? 0) + 1);
  }
  const counts = new Map<string, number>();
  for (const [key, count] of byThread) {
    const call = key.split(' ')[1] ?? '';
    counts.set(call, Math.max(counts.get(call) ?? 0, count));
  }
  return counts;
}
