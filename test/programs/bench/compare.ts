import { strict as assert } from 'node:assert';
import type { Data } from './data/sqlite.ts';
import { type Load, load } from './load.ts';
import { medianOf } from './median.ts';
import { type Server, startGateway, startReference } from './server.ts';
import {
  createMixedTargets,
  createPersistedTargets,
  createReportTargets,
  createTargets,
  createTokenTargets,
  type Door,
  findHostedTarget,
  OPERATIONS,
  type Operation,
  registerDocument,
  type Target,
} from './target.ts';
import { verifyHostedPage, verifyMixedResponses, verifyResponses } from './verify.ts';

/** Result of one server in a case: medians of its rounds. */
export interface Measurement extends Omit<Load, 'requests'> {
  readonly name: string;
  /** Processor time of the server for a request, in µs. */
  readonly cpuUs: number;
  /** Processor time of the reference divided by that of this server, in the same round; null for the reference. */
  readonly cpuRatio: number | null;
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
  /** Duration of one sync of the disk. */
  readonly syncMs: number;
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

const TARGETS: Readonly<Record<Exclude<Operation, 'create'>, Targets>> = {
  'first page': { REST: 1.3, GraphQL: 1 },
  'random page': { REST: 0.75, GraphQL: 0.75 },
  retrieve: { REST: 0.8, GraphQL: 0.75 },
};
/** Creates that wait for the disk share its syncs; creates that do not wait cost processor time. */
const CREATE_ON_FAST_DISK: Targets = { REST: 0.9, GraphQL: 0.7 };
const CREATE_ON_SLOW_DISK: Targets = { REST: 1.2, GraphQL: 1.2 };
const SLOW_SYNC_MS = 1;
const MIXED_TARGETS: Targets = { REST: 0.9, GraphQL: 0.8 };
const HOSTED_TARGET = 0.75;
/** In proportion to the same requests by one token. */
const MANY_TOKENS_TARGET = 0.8;

/** Cases that create are last, because lists with new embeds would differ between the servers. */
export const CASE_NAMES = [
  'first page',
  'random page',
  'retrieve',
  'many tokens',
  'hosted page',
  'view',
  'mixed',
  'create',
] as const;
export type CaseName = (typeof CASE_NAMES)[number];

/** Compares the gateway with the reference on copies of the same data, one case after the other. */
export async function compare(plan: Plan): Promise<void> {
  const gateway = await startGateway(await plan.data.copy('gateway'));
  const reference = await startReference(await plan.data.copy('reference'), gateway);
  await registerDocument(gateway);
  for (const name of CASE_NAMES.filter((name) => plan.cases.includes(name))) {
    const [verifyBefore, verifyAfter] = createVerifiers(name, reference, gateway);
    await verifyBefore?.();
    const before = [await reference.data.countRows(), await gateway.data.countRows()];
    // reports of views are limited by address: the requests name many
    const server =
      name === 'view' ? await startGateway(await plan.data.copy('view'), [], { TRUST_PROXY: '127.0.0.1' }) : gateway;
    for (const contestants of await createContestants(name, reference, server, plan.syncMs)) {
      const { rows, requests } = await measure(contestants, plan);
      if (name === 'create') {
        // requests in flight at the end of a round may have committed without a response
        assert((await reference.data.countRows()) - (before[0] ?? 0) >= requests[0]);
        assert((await gateway.data.countRows()) - (before[1] ?? 0) >= requests[1]);
      }
      plan.onCase(plan.hasTargets ? rows : rows.map((row) => ({ ...row, target: null })));
    }
    await verifyAfter?.();
    if (server !== gateway) await server.stop();
  }
  await reference.stop();
  await gateway.stop();
}

/** Creates the functions that compare the responses before and after a case. */
function createVerifiers(name: CaseName, reference: Server, gateway: Server): readonly (() => Promise<void>)[] {
  const same = (verify: () => Promise<void>) => [verify, verify];
  if (name === 'hosted page') return same(() => verifyHostedPage(reference, gateway));
  if (name === 'view') return [];
  if (name === 'many tokens') return same(() => verifyResponses('retrieve', reference, gateway));
  if (name !== 'mixed') return same(() => verifyResponses(name, reference, gateway));
  // the creates of the case make the first pages of the servers different
  return [OPERATIONS, OPERATIONS.slice(1)].map(
    (operations) => () => verifyMixedResponses(operations, reference, gateway),
  );
}

/** Returns the groups of contestants of a case. */
async function createContestants(
  name: CaseName,
  reference: Server,
  gateway: Server,
  syncMs: number,
): Promise<readonly (readonly Contestant[])[]> {
  if (name === 'hosted page') {
    const targets = [await findHostedTarget(gateway)];
    return [
      [
        { name: 'hosted page, reference', server: reference, targets, target: null },
        { name: 'hosted page', server: gateway, targets, target: HOSTED_TARGET },
      ],
    ];
  }
  if (name === 'view') {
    const page = [await findHostedTarget(gateway)];
    const targets = await createReportTargets(gateway);
    return [
      [
        { name: 'hosted page, reference', server: reference, targets: page, target: null },
        { name: 'report of a view', server: gateway, targets, target: null },
      ],
    ];
  }
  if (name === 'many tokens') {
    return (['REST', 'GraphQL'] as const).map((door) => [
      { name: `1 token, ${door}`, server: gateway, targets: createTargets('retrieve', door, gateway), target: null },
      {
        name: `1,000 tokens, ${door}`,
        server: gateway,
        targets: createTokenTargets(door, gateway),
        target: MANY_TOKENS_TARGET,
      },
    ]);
  }
  if (name === 'mixed') {
    const contestant = async (server: Server, door: Door, label: string, target: number | null) => ({
      name: `mixed, ${label}`,
      server,
      targets: await createMixedTargets(door, server),
      target,
    });
    return [
      [
        await contestant(reference, 'REST', 'reference', null),
        await contestant(gateway, 'REST', 'REST', MIXED_TARGETS.REST),
        await contestant(gateway, 'GraphQL', 'GraphQL', MIXED_TARGETS.GraphQL),
      ],
    ];
  }
  const target =
    name === 'create' ? (syncMs < SLOW_SYNC_MS ? CREATE_ON_FAST_DISK : CREATE_ON_SLOW_DISK) : TARGETS[name];
  const persisted = {
    name: 'retrieve, by hash',
    server: gateway,
    targets: createPersistedTargets(gateway),
    target: target.GraphQL,
  };
  return [
    [
      { name: `${name}, reference`, server: reference, targets: createTargets(name, 'REST', reference), target: null },
      { name: `${name}, REST`, server: gateway, targets: createTargets(name, 'REST', gateway), target: target.REST },
      {
        name: `${name}, GraphQL`,
        server: gateway,
        targets: createTargets(name, 'GraphQL', gateway),
        target: target.GraphQL,
      },
      ...(name === 'retrieve' ? [persisted] : []),
    ],
  ];
}

/** Loads all contestants in each round, after a warm-up. The first contestant is the reference. */
async function measure(contestants: readonly Contestant[], { rounds, seconds, folder }: Plan) {
  const run = async ({ server, targets }: Contestant) => {
    const before = server.cpuMs();
    const result = await load(server.origin, targets, seconds, folder);
    return { ...result, cpuUs: ((server.cpuMs() - before) * 1_000) / result.requests };
  };
  const completed = { reference: 0, gateway: 0 };
  const results = contestants.map((): Awaited<ReturnType<typeof run>>[] => []);
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
    const median = (read: (result: (typeof own)[number], round: number) => number) => medianOf(own.map(read));
    return {
      name,
      perSecond: median((result) => result.perSecond),
      p50Ms: median((result) => result.p50Ms),
      p99Ms: median((result) => result.p99Ms),
      cpuUs: median((result) => result.cpuUs),
      cpuRatio: i === 0 ? null : median((result, round) => (reference[round]?.cpuUs ?? 0) / result.cpuUs),
      rssMb: rss[i] ?? 0,
      ratio: i === 0 ? null : median((result, round) => result.perSecond / (reference[round]?.perSecond ?? 0)),
      target,
      p99Ratio: i === 0 ? null : median((result, round) => result.p99Ms / (reference[round]?.p99Ms ?? 0)),
    };
  });
  return { rows, requests: [completed.reference, completed.gateway] as const };
}
