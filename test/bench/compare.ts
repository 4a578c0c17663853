import { strict as assert } from 'node:assert';
import { checkAnswers, checkHostedPage } from './check.ts';
import type { Data } from './data.ts';
import { type Load, load } from './load.ts';
import { medianOf } from './median.ts';
import { type Server, startGateway, startReference } from './server.ts';
import { hostedTarget, type Operation, type Target, targetsOf } from './target.ts';

/** What one server did in a case: medians of its rounds. */
export interface Measured extends Omit<Load, 'requests'> {
  readonly name: string;
  /** Right after the last round. */
  readonly rssMb: number;
  /** Requests a second as a part of the reference's in the same round; null for the reference itself. */
  readonly ratio: number | null;
  /** What the ratio is to be at least. */
  readonly target: number | null;
  /** 99th percentile as a multiple of the reference's in the same round. */
  readonly p99Ratio: number | null;
}

export interface Plan {
  readonly folder: string;
  /** What both servers get a copy of. */
  readonly data: Data;
  /** Whether ratios have targets. */
  readonly hasTargets: boolean;
  readonly cases: readonly CaseName[];
  readonly seconds: number;
  readonly rounds: number;
  readonly onCase: (rows: readonly Measured[]) => void;
}

interface Contestant {
  readonly name: string;
  readonly server: Server;
  readonly targets: readonly Target[];
  readonly target: number | null;
}

interface Targets {
  readonly REST: number;
  readonly GraphQL: number;
}

const OPERATIONS: Readonly<Record<Operation, Targets>> = {
  'first page': { REST: 0.8, GraphQL: 0.5 },
  'random page': { REST: 0.28, GraphQL: 0.22 },
  retrieve: { REST: 0.4, GraphQL: 0.3 },
  create: { REST: 0.8, GraphQL: 0.5 },
};
const HOSTED_TARGET = 0.6;

/** Creates come last: what they write would stand in the way of comparing lists. */
export const CASE_NAMES = ['first page', 'random page', 'retrieve', 'hosted page', 'create'] as const;
export type CaseName = (typeof CASE_NAMES)[number];

/** Measures the gateway against the reference, on copies of the same data, one case after the other. */
export async function compare(plan: Plan): Promise<void> {
  const gateway = await startGateway(await plan.data.copy('gateway'));
  const reference = await startReference(await plan.data.copy('reference'), gateway);
  for (const name of CASE_NAMES.filter((name) => plan.cases.includes(name))) {
    const check = name === 'hosted page' ? checkHostedPage : checkAnswers.bind(null, name);
    await check(reference, gateway);
    const before = [await reference.data.countRows(), await gateway.data.countRows()];
    const { rows, requests } = await measure(await contestantsOf(name, reference, gateway), plan);
    await check(reference, gateway);
    if (name === 'create') {
      // whatever was answered is there; what was under way at the end of a round may be there too
      assert((await reference.data.countRows()) - (before[0] ?? 0) >= requests[0]);
      assert((await gateway.data.countRows()) - (before[1] ?? 0) >= requests[1]);
    }
    plan.onCase(plan.hasTargets ? rows : rows.map((row) => ({ ...row, target: null })));
  }
  await reference.stop();
  await gateway.stop();
}

async function contestantsOf(name: CaseName, reference: Server, gateway: Server): Promise<readonly Contestant[]> {
  if (name === 'hosted page') {
    const targets = [await hostedTarget(gateway)];
    return [
      { name: 'hosted page, reference', server: reference, targets, target: null },
      { name: 'hosted page', server: gateway, targets, target: HOSTED_TARGET },
    ];
  }
  const contestant = (label: string, server: Server, door: 'REST' | 'GraphQL', target: number | null) => ({
    name: `${name}, ${label}`,
    server,
    targets: targetsOf(name, door, server),
    target,
  });
  return [
    contestant('reference', reference, 'REST', null),
    contestant('REST', gateway, 'REST', OPERATIONS[name].REST),
    contestant('GraphQL', gateway, 'GraphQL', OPERATIONS[name].GraphQL),
  ];
}

/** Warms everybody up, then lets them take turns. The first contestant is the reference. */
async function measure(contestants: readonly Contestant[], { rounds, seconds, folder }: Plan) {
  const run = ({ server, targets }: Contestant) => load(server.origin, targets, seconds, folder);
  const taken = { reference: 0, gateway: 0 };
  const results = contestants.map((): Load[] => []);
  const rss = contestants.map(() => 0);
  for (let round = 0; round <= rounds; round++) {
    for (const [i, contestant] of contestants.entries()) {
      const result = await run(contestant);
      taken[i === 0 ? 'reference' : 'gateway'] += result.requests;
      rss[i] = contestant.server.rssMb();
      // the first one is the warm-up
      if (round > 0) results[i]?.push(result);
    }
  }
  const [reference = []] = results;
  const rows = contestants.map(({ name, target }, i): Measured => {
    const own = results[i] ?? [];
    const median = (read: (result: Load, round: number) => number) => medianOf(own.map(read));
    return {
      name,
      perSecond: median((result) => result.perSecond),
      p50Ms: median((result) => result.p50Ms),
      p99Ms: median((result) => result.p99Ms),
      rssMb: rss[i] ?? 0,
      ratio: i === 0 ? null : median((result, round) => result.perSecond / (reference[round]?.perSecond ?? 0)),
      target,
      p99Ratio: i === 0 ? null : median((result, round) => result.p99Ms / (reference[round]?.p99Ms ?? 0)),
    };
  });
  return { rows, requests: [taken.reference, taken.gateway] as const };
}
