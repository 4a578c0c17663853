import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { createProgram, parseCount } from '../../src/cli/program.ts';
import { CASE_NAMES, type CaseName, compare, type Measured } from './compare.ts';
import { makeData } from './data.ts';
import { withPostgresqlData } from './data-postgresql.ts';
import { measureMemory, measureStart } from './endurance.ts';
import { measureGateways } from './gateways.ts';
import { measureGrowth } from './growth.ts';
import { measureRenderer } from './renderer.ts';
import { COMPARISON_HEAD, formatComparison, formatMachine } from './table.ts';

/** The gateway's 99th percentile is to be within this many times of the reference's. */
const MAX_P99_RATIO = 5;

function parseCases(text: string): readonly CaseName[] {
  const names = text.split(/ *, */);
  const isKnown = (name: string): name is CaseName => CASE_NAMES.some((known) => known === name);
  if (names.every(isKnown)) return names;
  throw new InvalidArgumentError(`They must be of: ${CASE_NAMES.join(', ')}.`);
}

const program = createProgram('bench', 'Measures the gateway against a hand-written server on the same data.')
  .option('--cases <names>', 'only these, separated by commas', parseCases, CASE_NAMES)
  .option('--seconds <count>', 'how long one measurement takes', parseCount(1, 60), 4)
  .option('--rounds <count>', 'how often each is measured, after the warm-up', parseCount(1, 25), 5)
  .option('--embeds <count>', 'how many embeds the account has', parseCount(100, 10_000_000), 100_000)
  .option('--quick', 'one round of a second: shows that it works, and measures nothing')
  .option('--postgresql', 'on a PostgreSQL of its own, against a hand-written server with pg')
  .option('--growth', 'how the time of a request grows with its account')
  .option('--to <count>', 'with --growth: the largest account', parseCount(1_000, 10_000_000), 1_000_000)
  .option('--gateways', 'what up to three gateways on one PostgreSQL do together')
  .option('--start', 'how long a start takes')
  .option('--renderer', 'how long a page that scripts build takes, beside playwright-core')
  .option('--memory', 'what a million requests leave of memory in use');

interface Options {
  readonly cases: readonly CaseName[];
  readonly seconds: number;
  readonly rounds: number;
  readonly embeds: number;
  readonly quick?: true;
  readonly postgresql?: true;
  readonly growth?: true;
  readonly gateways?: true;
  readonly to: number;
  readonly start?: true;
  readonly memory?: true;
  readonly renderer?: true;
}

const options = program.parse().opts<Options>();
const plan = options.quick ? { ...options, seconds: 1, rounds: 1 } : options;

// beside the database of a default start, so that a write costs here what it costs there
mkdirSync('data', { recursive: true });
const folder = mkdtempSync(join(resolve('data'), 'bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

console.log(formatMachine());
if (plan.growth) await measureGrowth({ ...plan, folder });
else if (plan.gateways) await measureGateways({ ...plan, folder });
else if (plan.renderer) await measureRenderer({ ...plan, folder });
else if (plan.start) await measureStart({ ...plan, folder, starts: plan.rounds });
else if (plan.memory) await measureMemory({ ...plan, folder, requests: plan.quick ? 10_000 : 1_000_000 });
else {
  console.log(`${plan.embeds.toLocaleString('en')} embeds in one account of many\n\n${COMPARISON_HEAD}`);
  const onCase = (rows: readonly Measured[]) => console.log(`${formatComparison(rows, MAX_P99_RATIO)}\n`);
  const seed = await makeData(folder, plan.embeds);
  if (plan.postgresql) {
    await withPostgresqlData(seed, (data) => compare({ ...plan, folder, data, hasTargets: false, onCase }));
  } else await compare({ ...plan, folder, data: seed, hasTargets: true, onCase });
  console.log(`Medians of ${plan.rounds} rounds of ${plan.seconds} s; a "!" misses its target. Ratios are of requests a second in the same round.
GraphQL is held against the reference's answer to the same REST request: the same embeds, found and written as JSON.`);
}
