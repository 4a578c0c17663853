import { basename, dirname, join } from 'node:path';
import type { Launcher, Result } from './run.ts';
import type { States } from './states.ts';
import { PROCESS_ID } from './strace.ts';

/** One run of a program under a fault, in a folder of its own. */
export interface Case {
  /** The files and folders whose calls are counted. */
  readonly paths: readonly string[];
  /** @param begin call it when the calls that the scenario is about begin; without it, all calls are counted */
  run(launcher: Launcher, begin: () => void): Promise<Result>;
  /** Checks what the program left behind, repeats it if that is how an operator continues, and returns the differences. */
  verify(result: Result): Promise<readonly string[]>;
}

export interface Scenario {
  readonly name: string;
  /** Exit code of a run without a fault. */
  readonly exitCode: number;
  readonly acceptsConnections?: true;
  open(folder: string, states: States): Case;
}

export function filesBeside(file: string): readonly string[] {
  const suffixes = ['', '-wal', '-shm', '-journal', '.lock', '.lock-journal', '.audit.jsonl', ...BEFORE_UPDATE];
  return [dirname(file), ...suffixes.map((suffix) => file + suffix)];
}

/** The copy that an update makes first, and the same unfinished. */
const BEFORE_UPDATE = ['.before-update', '.before-update.part', '.before-update.part-journal'];

/** The unfinished file of a backup or a restore. */
export function partsOf(file: string): readonly string[] {
  const part = join(dirname(file), `.${basename(file)}.${PROCESS_ID}.part`);
  return ['', '-wal', '-shm', '-journal'].map((suffix) => part + suffix);
}
