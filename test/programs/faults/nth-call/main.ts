/**
 * Runs the service and its commands again and again. In each run the n-th system call on their files is delayed, fails,
 * or is interrupted by a signal. Afterwards the service must start, and have all acknowledged writes.
 */
import { InvalidArgumentError, Option } from 'commander';
import { createProgram, parseCount } from '../../program.ts';
import { COMMAND_SCENARIOS } from './command-scenarios.ts';
import { planSeries, type Selection, type Series } from './plan.ts';
import type { Scenario } from './scenario.ts';
import { SERVICE_SCENARIOS } from './service-scenarios.ts';
import { createStates } from './states.ts';
import { CALL_KINDS, CALLS, FAULT_KINDS, findReasonToSkip } from './strace.ts';
import { createTrials, type Trials } from './trial.ts';

const SCENARIOS = [...SERVICE_SCENARIOS, ...COMMAND_SCENARIOS];
const CALL_NAMES: readonly string[] = [...CALL_KINDS, ...Object.values(CALLS).flat()];

function parseCall(text: string): string {
  if (CALL_NAMES.includes(text)) return text;
  throw new InvalidArgumentError(`It must be one of ${CALL_NAMES.join(', ')}.`);
}

const { jobs, seconds, ...selection } = createProgram(
  'faults:nth-call',
  'Runs the service and its commands under strace. In each run the n-th system call on their files fails, is delayed, or is interrupted by a signal.',
)
  .addOption(new Option('--scenario <name>', 'only this scenario').choices(SCENARIOS.map(({ name }) => name)))
  .option('--call <name>', `only this system call, or a kind of them: ${CALL_KINDS.join(', ')}`, parseCall)
  .addOption(new Option('--fault <name>', 'only this fault').choices(FAULT_KINDS))
  .option('--from <n>', 'the first call, counted from 1', parseCount(1, 1_000_000))
  .option(
    '--max <count>',
    'runs for each call and fault; more calls are tried at even distances',
    parseCount(1, 1_000_000),
    12,
  )
  .option('--short', 'a selection of calls and faults, each tried once')
  .option('--jobs <count>', 'runs at the same time', parseCount(1, 64), 2)
  .option('--seconds <seconds>', 'time limit; fewer runs than planned are a failure', parseCount(1, 86_400), 7_200)
  .parse()
  .opts<Selection & { jobs: number; seconds: number }>();

type Row = readonly [scenario: string, call: string, fault: string, calls: unknown, runs: unknown, reached: unknown];

function printRow([scenario, call, fault, ...counts]: Row, result: string): void {
  const names = [scenario.padEnd(12), call.padEnd(10), fault.padEnd(8)];
  console.log([...names, ...counts.map((count) => String(count).padStart(7)), ` ${result}`].join(' '));
}

/** Does the work for all items, for at most `jobs` at the same time, in order. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: jobs }, worker));
}

/** @returns the failures, each with the command that repeats it */
async function runSeries(all: readonly Series[], trials: Trials, deadline: number): Promise<readonly string[]> {
  const open = new Map(all.map((series) => [series, { runs: 0, reached: 0, left: series.injections.length }]));
  const failures = new Map<Series, string[]>(all.map((series) => [series, []]));
  const runs = all.flatMap((series) => series.injections.map((injection) => ({ series, injection })));
  await forEach(runs, async ({ series, injection }) => {
    const { scenario, kind, calls } = series;
    const { call, fault, n } = injection;
    const progress = open.get(series);
    const failed = failures.get(series);
    if (!progress || !failed) return;
    if (Date.now() < deadline) {
      const { isReached, faults } = await trials.inject(scenario, kind === 'accept', injection);
      progress.runs++;
      if (isReached) progress.reached++;
      const command = `npm run faults:nth-call -- --scenario ${scenario.name} --call ${call} --fault ${fault} --from ${n} --max 1`;
      if (faults.length > 0) failed.push([command, ...faults].join('\n    '));
    } else failed.push(`call ${n} was not tried within ${seconds} s`);
    if (--progress.left > 0) return;
    const result = failed.length === 0 ? 'PASS' : `FAIL: ${failed.length}`;
    printRow([scenario.name, call, fault, calls, progress.runs, progress.reached], result);
    for (const text of failed) console.log(`  ${text}`);
  });
  return [...failures.values()].flat();
}

async function runScenarios(scenarios: readonly Scenario[]): Promise<readonly string[]> {
  const deadline = Date.now() + seconds * 1_000;
  const trials = createTrials(await createStates());
  printRow(['scenario', 'call', 'fault', 'calls', 'runs', 'reached'], '');
  const parts = scenarios.flatMap((scenario) =>
    (scenario.acceptsConnections ? [false, true] : [false]).map((isOnSockets) => ({ scenario, isOnSockets })),
  );
  const series: Series[] = [];
  const failures: string[] = [];
  await forEach(parts, async ({ scenario, isOnSockets }) => {
    const { begun, counts, faults } = await trials.count(scenario, isOnSockets);
    series.push(...planSeries(scenario, begun, counts, selection));
    if (faults.length === 0) return;
    const failure = [`${scenario.name} without a fault`, ...faults].join('\n    ');
    failures.push(failure);
    printRow([scenario.name, '', 'none', '', 1, ''], `FAIL: 1\n  ${failure}`);
  });
  return [...failures, ...(await runSeries(series, trials, deadline))];
}

const reason = findReasonToSkip();
if (reason !== null) {
  console.log(`SKIPPED: ${reason}`);
} else {
  const { scenario } = selection;
  const failures = await runScenarios(SCENARIOS.filter(({ name }) => name === (scenario ?? name)));
  // again, because the rows may be far from the end of a log
  for (const failure of failures) console.log(`FAILED: ${failure}`);
  console.log(failures.length === 0 ? 'PASS' : `FAIL: ${failures.length} runs`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
