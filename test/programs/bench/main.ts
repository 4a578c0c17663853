import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { createProgram, parseCount } from '../program.ts';
import { measureArticles } from './articles/measure.ts';
import { measureLoading } from './browser/loading.ts';
import { measureRenderer } from './browser/renderer.ts';
import { CASE_NAMES, type CaseName, compare, type Measurement } from './compare.ts';
import { withPostgresqlData } from './data/postgresql.ts';
import { createData } from './data/sqlite.ts';
import { measureSync } from './disk.ts';
import { measureMemory, measureStart } from './endurance.ts';
import { measureGateways } from './gateways.ts';
import { measureGrowth } from './growth.ts';
import { COMPARISON_HEAD, formatComparison, formatMachine } from './table.ts';
import { measureCitus, measureDebian } from './turns.ts';

/** Largest acceptable ratio of the gateway's 99th percentile to the reference's. */
const MAX_P99_RATIO = 3;

function parseCases(text: string): readonly CaseName[] {
  const names = text.split(/ *, */);
  const isKnown = (name: string): name is CaseName => CASE_NAMES.some((known) => known === name);
  if (names.every(isKnown)) return names;
  throw new InvalidArgumentError(`Allowed: ${CASE_NAMES.join(', ')}.`);
}

const program = createProgram('bench', 'Compares the gateway with a hand-written server on the same data.')
  .option('--cases <names>', 'cases to run, separated by commas', parseCases, CASE_NAMES)
  .option('--seconds <count>', 'duration of one measurement', parseCount(1, 60), 4)
  .option('--rounds <count>', 'measurements of each case, after the warm-up', parseCount(1, 25), 5)
  .option('--embeds <count>', 'number of embeds of the account', parseCount(100, 10_000_000), 100_000)
  .option('--quick', 'one round of 1 s: checks that the benchmark works; its figures mean nothing')
  .option('--postgresql', 'use a new PostgreSQL server, and a hand-written server with pg')
  .option('--growth', 'measure the duration of requests for accounts of different sizes')
  .option(
    '--to <count>',
    'with --growth: number of embeds of the largest account',
    parseCount(1_000, 10_000_000),
    1_000_000,
  )
  .option('--gateways', 'measure the total throughput of up to three gateways on one PostgreSQL')
  .option('--debian', 'measure the duration of creates on the PostgreSQL of Debian')
  .option('--citus', 'compare a Citus cluster of three nodes with one PostgreSQL')
  .option('--start', 'measure the duration of a start')
  .option('--renderer', 'measure the duration of rendering a page that scripts build, beside playwright-core')
  .option('--loading', 'measure how soon a slow phone shows an embed, and how far embeds shift their host')
  .option('--memory', 'measure the resident memory after a million requests')
  .option('--articles <folder>', 'compare the articles of saved pages with their expected texts')
  .option('--worst <count>', 'with --articles: number of worst pages to print', parseCount(0, 1_000), 20);

interface Options {
  readonly cases: readonly CaseName[];
  readonly seconds: number;
  readonly rounds: number;
  readonly embeds: number;
  readonly quick?: true;
  readonly postgresql?: true;
  readonly growth?: true;
  readonly gateways?: true;
  readonly debian?: true;
  readonly citus?: true;
  readonly to: number;
  readonly start?: true;
  readonly memory?: true;
  readonly renderer?: true;
  readonly loading?: true;
  readonly articles?: string;
  readonly worst: number;
}

const options = program.parse().opts<Options>();
const plan = options.quick ? { ...options, seconds: 1, rounds: 1 } : options;

// on the disk of the default database, so that writes cost the same
mkdirSync('data', { recursive: true });
const folder = mkdtempSync(join(resolve('data'), 'bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

console.log(formatMachine());
if (plan.articles !== undefined) measureArticles({ folder: plan.articles, worst: plan.worst });
else if (plan.growth) await measureGrowth({ ...plan, folder });
else if (plan.gateways) await measureGateways({ ...plan, folder });
else if (plan.debian) await measureDebian();
else if (plan.citus) await measureCitus();
else if (plan.renderer) await measureRenderer({ ...plan, folder });
else if (plan.loading) await measureLoading({ ...plan, folder });
else if (plan.start) await measureStart({ ...plan, folder, starts: plan.rounds });
else if (plan.memory) await measureMemory({ ...plan, folder, requests: plan.quick ? 10_000 : 1_000_000 });
else {
  console.log(`${plan.embeds.toLocaleString('en')} embeds in one of many accounts\n\n${COMPARISON_HEAD}`);
  const onCase = (rows: readonly Measurement[]) => console.log(`${formatComparison(rows, MAX_P99_RATIO)}\n`);
  const syncMs = measureSync(folder);
  const seed = await createData(folder, plan.embeds);
  if (plan.postgresql) {
    await withPostgresqlData(seed, (data) => compare({ ...plan, folder, data, hasTargets: false, syncMs, onCase }));
  } else await compare({ ...plan, folder, data: seed, hasTargets: true, syncMs, onCase });
  console.log(`Medians of ${plan.rounds} rounds of ${plan.seconds} s; "!" marks a missed target. A ratio compares requests per second in the same round.
The CPU ratio compares the processor time of a request instead: other programs on the machine change it less.
GraphQL is compared with the REST request of the reference that returns the same embeds.
One sync of the disk takes ${syncMs.toFixed(2)} ms.`);
}
