import { strict as assert } from 'node:assert';
import type { Data } from './data.ts';
import { type Load, load } from './load.ts';
import { medianOf } from './median.ts';
import { type Server, startGateway, startReference } from './server.ts';
import { createTargets, findHostedTarget, type Operation, type Target } from './target.ts';
import { verifyHostedPage, verifyResponses } from './verify.ts';

/** Result of one server in a case: medians of its rounds. */
export interface Measurement extends Omit<Load, 'requests'> {
  readonly name: string;
  /** After the last round. */
  readonly rssMb: number;
  /** Requests per second divided by those of the reference in the same round; null for the reference. */
  readonly ratio: number | null;
  /** Smallest acceptable ratio. */
  readonly target: number | null;
  /** 99th percentile divided by that of the reference in the same round; null for the reference. */
  readonly p99Ratio: number | null;
}

export interface Plan {
  readonly folder: string;
  /** Each server works on a copy. */
  readonly data: Data;
  readonly hasTargets: boolean;
  readonly cases: readonly CaseName[];
  readonly seconds: number;
  readonly rounds: number;
  readonly onCase: (rows: readonly Measurement[]) => void;
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

/** Creates are last, because lists with new embeds would differ between the servers. */
export const CASE_NAMES = ['first page', 'random page', 'retrieve', 'hosted page', 'create'] as const;
export type CaseName = (typeof CASE_NAMES)[number];

/** Compares the gateway with the reference on copies of the same data, one case after the other. */
export async function compare(plan: Plan): Promise<void> {
  const gateway = await startGateway(await plan.data.copy('gateway'));
  const reference = await startReference(await plan.data.copy('reference'), gateway);
  for (const name of CASE_NAMES.filter((name) => plan.cases.includes(name))) {
    const verify = name === 'hosted page' ? verifyHostedPage : verifyResponses.bind(null, name);
    await verify(reference, gateway);
    const before = [await reference.data.countRows(), await gateway.data.countRows()];
    const { rows, requests } = await measure(await createContestants(name, reference, gateway), plan);
    await verify(reference, gateway);
    if (name === 'create') {
      // requests in flight at the end of a round may have committed without a response
      assert((await reference.data.countRows()) - (before[0] ?? 0) >= requests[0]);
      assert((await gateway.data.countRows()) - (before[1] ?? 0) >= requests[1]);
    }
    plan.onCase(plan.hasTargets ? rows : rows.map((row) => ({ ...row, target: null })));
  }
  await reference.stop();
  await gateway.stop();
}

async function createContestants(name: CaseName, reference: Server, gateway: Server): Promise<readonly Contestant[]> {
  if (name === 'hosted page') {
    const targets = [await findHostedTarget(gateway)];
    return [
      { name: 'hosted page, reference', server: reference, targets, target: null },
      { name: 'hosted page', server: gateway, targets, target: HOSTED_TARGET },
    ];
  }
  const contestant = (label: string, server: Server, door: 'REST' | 'GraphQL', target: number | null) => ({
    name: `${name}, ${label}`,
    server,
    targets: createTargets(name, door, server),
    target,
  });
  return [
    contestant('reference', reference, 'REST', null),
    contestant('REST', gateway, 'REST', OPERATIONS[name].REST),
    contestant('GraphQL', gateway, 'GraphQL', OPERATIONS[name].GraphQL),
  ];
}

/** Loads all contestants in each round, after a warm-up. The first contestant is the reference. */
async function measure(contestants: readonly Contestant[], { rounds, seconds, folder }: Plan) {
  const run = ({ server, targets }: Contestant) => load(server.origin, targets, seconds, folder);
  const completed = { reference: 0, gateway: 0 };
  const results = contestants.map((): Load[] => []);
  const rss = contestants.map(() => 0);
  for (let round = 0; round <= rounds; round++) {
    for (const [i, contestant] of contestants.entries()) {
      const result = await run(contestant);
      completed[i === 0 ? 'reference' : 'gateway'] += result.requests;
      rss[i] = contestant.server.rssMb();
      // the first round is the warm-up
      if (round > 0) results[i]?.push(result);
    }
  }
  const [reference = []] = results;
  const rows = contestants.map(({ name, target }, i): Measurement => {
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
  return { rows, requests: [completed.reference, completed.gateway] as const };
}
