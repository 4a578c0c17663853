import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createScratchFolder } from '../harness/service.ts';
import type { Result } from './run.ts';
import type { Case, Scenario } from './scenario.ts';
import type { States } from './states.ts';
import { type CallCounts, createLauncher, type Injection, readCounts, readTrace } from './strace.ts';

export interface Trial {
  /** False if the run made fewer calls than the number of the injection. */
  readonly isReached: boolean;
  readonly faults: readonly string[];
}

export interface Counted extends Trial {
  /** The calls before the part that the scenario is about. */
  readonly begun: CallCounts;
  readonly counts: CallCounts;
}

export interface Trials {
  /** Counts the calls of a run without a fault, which must succeed. */
  count(scenario: Scenario, isOnSockets: boolean): Promise<Counted>;
  inject(scenario: Scenario, isOnSockets: boolean, injection: Injection): Promise<Trial>;
}

/** Characters of the output of a program that a failure shows. */
const MAX_OUTPUT = 2_000;

export function createTrials(states: States): Trials {
  const folder = createScratchFolder();
  let trials = 0;

  async function run(scenario: Scenario, isOnSockets: boolean, injection: Injection | null): Promise<Counted> {
    const place = join(folder, String(trials++));
    const trace = `${place}.trace`;
    let begun: CallCounts = new Map();
    mkdirSync(place);
    try {
      const program = scenario.open(place, states);
      const launcher = createLauncher(trace, isOnSockets ? null : program.paths, injection);
      const result = await program.run(launcher, () => {
        begun = readCounts(trace);
      });
      const { counts, isReached } = await readTrace(trace, result.pid);
      const faults = [
        ...findFaults(scenario, result, isReached ? injection : null),
        ...(await verify(program, result)),
      ];
      if (faults.length > 0) faults.push(`its output: ${result.output.slice(-MAX_OUTPUT)}`);
      return { isReached, faults, begun, counts };
    } catch (error) {
      return {
        isReached: false,
        faults: [`the run is unclear: ${(error as Error).message}`],
        begun,
        counts: new Map(),
      };
    } finally {
      rmSync(place, { recursive: true, force: true });
      rmSync(trace, { force: true });
    }
  }

  return { count: (scenario, isOnSockets) => run(scenario, isOnSockets, null), inject: run };
}

async function verify(program: Case, result: Result): Promise<readonly string[]> {
  try {
    return await program.verify(result);
  } catch (error) {
    return [`the files cannot be read: ${(error as Error).message}`];
  }
}

/** @param injection null if the program ran without a fault */
function findFaults(scenario: Scenario, result: Result, injection: Injection | null): string[] {
  const faults: string[] = [];
  const { code, signal, output } = result;
  if (result.isTimedOut) faults.push('the program did not end');
  else if (signal !== null && signal !== injection?.fault) faults.push(`the program ended with ${signal}`);
  const mustSucceed = injection === null || injection.fault === 'delay';
  if (mustSucceed && code !== scenario.exitCode) faults.push(`the exit code was ${code}`);
  if (/^ {4}at /m.test(output)) faults.push('the program printed a stack instead of one line');
  if (output.includes('"msg":"bug"')) faults.push('the fault was logged as a bug');
  return faults;
}
