import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { createToken, SCOPES } from '../../../src/domain/identity/token.ts';
import { migrateDatabase, openDatabase } from '../../../src/store/database.ts';
import { findDebianBinaries } from '../../databases/binaries.ts';
import { noCitus, openCitusCluster } from '../../databases/citus.ts';
import { openPostgresqlServer } from '../../databases/embedded.ts';
import { SILENT_LOG } from '../../databases/server.ts';
import { startService } from '../faults/harness/service.ts';
import { medianOf } from './median.ts';
import { formatTable } from './table.ts';

const CREATES = 20;
const MAX_CREATE_MS = 60;
const TURNS = 200;
const PAGE_URL = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';
const WIDTHS = [24, 14, 9, 7];

const KINDS = ['create', 'retrieve', 'first page', 'hosted page'] as const;
type Kind = (typeof KINDS)[number];

/** A gateway with a few embeds, and its requests. */
interface Target {
  readonly requests: Readonly<Record<Kind, (turn: number) => Promise<unknown>>>;
  close(): Promise<void>;
}

async function openTarget(url: string): Promise<Target> {
  const { text, token } = createToken({ accountId: 'ada', name: 'bench', scopes: SCOPES, expiresAt: null }, new Date());
  await migrateDatabase(url, SILENT_LOG);
  const database = await openDatabase(url, { poolSize: 1 });
  await database.tokens.ensureAccount(token.accountId, token.createdAt);
  await database.tokens.insert(token);
  await database.close();
  const gateway = await startService('', { DATABASE_URL: url, RENDERER: 'off' });
  const { port } = new URL(gateway.origin);
  const agent = new Agent({ keepAlive: true });
  const send = async (method: string, path: string, host: string, content?: string): Promise<string> => {
    const headers = { host, authorization: `Bearer ${text}`, 'content-type': 'application/json' };
    const outgoing = request({ agent, port, method, path, headers }).end(content);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const body = await readText(response);
    if ((response.statusCode ?? 500) >= 400) throw new Error(`${path} returned ${response.statusCode}: ${body}`);
    return body;
  };
  const api = `localhost:${port}`;
  const create = () => send('POST', '/v1/embeds', api, JSON.stringify({ page_url: PAGE_URL }));
  const ids: string[] = [];
  for (let i = 0; i < CREATES; i++) ids.push(JSON.parse(await create()).embed.id);
  const idAt = (turn: number) => ids[turn % ids.length] ?? '';
  return {
    requests: {
      create,
      retrieve: (turn) => send('GET', `/v1/embeds/${idAt(turn)}`, api),
      'first page': () => send('GET', '/v1/embeds', api),
      'hosted page': (turn) => send('GET', '/', `${idAt(turn)}.embeds.localhost:${port}`),
    },
    async close() {
      agent.destroy();
      await gateway.stop();
    },
  };
}

/** Sends requests to the targets one after the other, without other load. Returns the median of each target in ms. */
async function measureInTurn(kind: Kind, turns: number, targets: readonly Target[]): Promise<readonly number[]> {
  const durations = targets.map((): number[] => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, { requests }] of targets.entries()) {
      const began = performance.now();
      await requests[kind](turn);
      durations[i]?.push(performance.now() - began);
    }
  }
  return durations.map(medianOf);
}

/** Prints the duration of creates on Debian's PostgreSQL, which compiles queries unless a connection turns that off. */
export async function measureDebian(): Promise<void> {
  const programs = findDebianBinaries();
  if (programs === null) return console.log('skipped: no Debian package of PostgreSQL is installed');
  const server = await openPostgresqlServer([], undefined, programs);
  try {
    const target = await openTarget(server.urlOf('postgres'));
    const [create = 0] = await measureInTurn('create', CREATES, [target]);
    await target.close();
    const mark = create > MAX_CREATE_MS ? '!' : '';
    console.log(
      `${CREATES} creates in turn on ${programs}: median ${create.toFixed(1)}${mark} ms, target ${MAX_CREATE_MS}`,
    );
  } finally {
    await server.close();
  }
}

/** Compares a Citus cluster of a coordinator and two workers with one PostgreSQL of the same version. */
export async function measureCitus(): Promise<void> {
  const programs = findDebianBinaries();
  if (noCitus || programs === null) return console.log(noCitus ?? 'skipped');
  const server = await openPostgresqlServer([], undefined, programs);
  const cluster = await openCitusCluster([], 2);
  try {
    const targets = [await openTarget(server.urlOf('postgres')), await openTarget(cluster.url)];
    console.log(formatTable([['requests in turn', 'PostgreSQL ms', 'Citus ms', 'ratio']], WIDTHS));
    for (const kind of KINDS) {
      const [plain = 0, sharded = 0] = await measureInTurn(kind, TURNS, targets);
      const cells = [kind, plain.toFixed(2), sharded.toFixed(2), (sharded / plain).toFixed(2)];
      console.log(formatTable([cells], WIDTHS));
    }
    for (const target of targets) await target.close();
  } finally {
    await cluster.close();
    await server.close();
  }
}
