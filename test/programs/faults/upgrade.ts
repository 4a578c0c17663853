/**
 * Upgrades a database of PostgreSQL or Citus while a gateway of an earlier release serves it: the command `migrate`, or
 * `distribute`, then a gateway of this version beside the earlier one. No request may wait for longer than a second, and both gateways must send the changes
 * of both.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createToken } from '../../../src/domain/identity/token.ts';
import { type CitusCluster, openCitusCluster } from '../../databases/citus.ts';
import { openPostgresqlServer } from '../../databases/embedded.ts';
import { createProgram, parseCount } from '../program.ts';
import { Ledger } from './harness/ledger.ts';
import { Mirror } from './harness/mirror.ts';
import { reportResult } from './harness/report.ts';
import { type Service, startService } from './harness/service.ts';

/** The last commit of the release before this version. */
const PREVIOUS_RELEASE = 'c9c2c5f';

const { from, citus, embeds, accounts, seconds } = createProgram(
  'faults:upgrade',
  'Upgrades a database under load, while a gateway of an earlier release serves it.',
)
  .option('--from <commit>', 'the earlier release; its packages are installed once', PREVIOUS_RELEASE)
  .option('--citus', 'on a cluster with two workers, which that release has distributed')
  .option('--embeds <count>', 'number of embeds', parseCount(1_000, 10_000_000), 100_000)
  .option('--accounts <count>', 'number of accounts that have them', parseCount(1, 1_000_000), 100)
  .option('--seconds <seconds>', 'time of load before and after the migration', parseCount(1, 3_600), 10)
  .parse()
  .opts<{ from: string; citus?: true; embeds: number; accounts: number; seconds: number }>();

/** The longest time for which a client may get no good response. */
const MAX_GAP_MS = 1_000;
const WRITERS = 4;
const VISIT_INTERVAL_MS = 5;
const FILTERING_VISITORS = 4;

const { text, token } = createToken(
  { accountId: 'account0', name: 'load', scopes: ['read'], expiresAt: null },
  new Date(),
);
const faults: string[] = [];
const counts: Record<string, number | string> = { from, embeds, accounts };

/** Returns a checkout of the release with its packages. */
function installRelease(commit: string): string {
  const folder = join(tmpdir(), 'embed-gateway-releases', commit);
  if (existsSync(join(folder, 'installed'))) return folder;
  execFileSync('rm', ['-rf', folder]);
  mkdirSync(folder, { recursive: true });
  execFileSync('sh', ['-c', `git archive ${commit} | tar x -C ${folder}`]);
  console.log(`installing the packages of ${commit}`);
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit' });
  mkdirSync(join(folder, 'installed'));
  return folder;
}

/** Inserts embeds of different milliseconds with the columns that all releases have, and a token of an account with two thirds of them. Triggers write their words. */
async function fill(url: string): Promise<readonly string[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(
      `INSERT INTO "Account" ("id", "createdAt") SELECT 'account' || n, now() FROM generate_series(0, ${accounts}) AS n`,
    );
    await client.query(`
      INSERT INTO "Embed" (
        "id", "accountId", "createdAt", "pageUrl", "pageId", "title", "mode", "font", "showTopBar", "version", "terms"
      )
      SELECT '01k' || lpad(to_hex(n), 7, '0') || left(md5(n::text), 16), 'account' || CASE WHEN n % 3 = 0 THEN 1 + n % ${accounts} ELSE 0 END,
        now(), 'https://example.com/Soup-' || n, gen_random_uuid(), 'Soup ' || n,
        (ARRAY['LIGHT', 'DARK', 'AUTO', 'USER_DEFINED'])[1 + n % 4]::"EmbedMode", 'Font ' || n % 7, true, 1,
        json_build_array('soup', 'n' || n, 'kind' || n % 50, 'example.com')
      FROM generate_series(1, ${embeds}) AS n`);
    await client.query(
      'INSERT INTO "Token" ("id", "accountId", "name", "hash", "scope", "createdAt") VALUES ($1, $2, $3, $4, $5, now())',
      [token.id, token.accountId, token.name, token.hash, token.scopes.join(' ')],
    );
    await client.query('VACUUM ANALYZE');
    const { rows } = await client.query<{ id: string }>(
      `SELECT "id" FROM "Embed" WHERE "accountId" = 'account0' ORDER BY random() LIMIT 1000`,
    );
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

/** Sends one kind of request again and again. */
interface Visitor {
  readonly name: string;
  good: number;
  readonly latenciesMs: number[];
  /** The longest time without a good response. */
  longestMs: number;
  end(): Promise<void>;
}

function startVisitor(name: string, origin: string, path: () => string): Visitor {
  let isOver = false;
  let goodAt = performance.now();
  const done = (async () => {
    while (!isOver) {
      const sentAt = performance.now();
      const response = await fetch(origin + path(), { headers: { authorization: `Bearer ${text}` } }).catch(() => null);
      await response?.text();
      if (response?.ok) noteGood(performance.now() - sentAt);
      await pause(VISIT_INTERVAL_MS);
    }
  })();
  const visitor: Visitor = {
    name,
    good: 0,
    latenciesMs: [],
    longestMs: 0,
    async end() {
      isOver = true;
      await done;
      visitor.longestMs = Math.max(visitor.longestMs, performance.now() - goodAt);
    },
  };

  function noteGood(latencyMs: number): void {
    visitor.good++;
    visitor.latenciesMs.push(latencyMs);
    visitor.longestMs = Math.max(visitor.longestMs, performance.now() - goodAt);
    goodAt = performance.now();
  }
  return visitor;
}

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The command that brings a database to the schema of its version. */
const COMMAND = citus ? 'distribute' : 'migrate';

/** Creates the schema of the earlier release. One without commands would serve instead, and creates it when it starts. */
async function createSchema(url: string): Promise<void> {
  if (!existsSync(join(folder, 'src/cli/migrate.ts'))) return;
  const env = { ...process.env, DATABASE_URL: url };
  const child = spawn(process.execPath, ['src/main.ts', COMMAND], { cwd: folder, env, stdio: 'ignore' });
  await once(child, 'exit');
}

/** Runs a command of this version, and returns its time in ms. */
async function migrate(url: string, ...command: string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, ['src/main.ts', ...command], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) faults.push(`${command.join(' ')} ended with ${code}`);
  return Math.round(performance.now() - began);
}

/** A database with the schema of the earlier release. */
async function openServer(): Promise<Pick<CitusCluster, 'url' | 'close'>> {
  const flags = ['-c', 'shared_buffers=512MB', '-c', 'max_wal_size=4GB'];
  if (citus) return openCitusCluster(flags, 2, createSchema);
  const { urlOf, close } = await openPostgresqlServer(flags);
  const url = urlOf('postgres');
  await createSchema(url);
  return { url, close };
}

const folder = installRelease(from);
const server = await openServer();
const ledger = new Ledger({ mayCommitBefore503: true });
const services: Service[] = [];
try {
  await upgrade(server.url);
} finally {
  for (const service of services) await service.stop();
  await server.close();
}
reportResult({ ...counts, ...ledger.counts }, [...ledger.faults, ...faults]);

async function upgrade(url: string): Promise<void> {
  const variables = { DATABASE_URL: url };
  const earlier = await startService('', variables, folder);
  services.push(earlier);
  const ids = await fill(url);
  const anId = () => ids[Math.floor(Math.random() * ids.length)] ?? '';
  const visit = ({ origin }: Service): readonly Visitor[] => [
    startVisitor('retrieve', origin, () => `/v1/embeds/${anId()}`),
    startVisitor('page', origin, () => `/v1/embeds?first=10&after=${anId()}`),
    // they lock the table of terms before that of embeds
    ...Array.from({ length: FILTERING_VISITORS }, () =>
      startVisitor('filtered', origin, () => '/v1/embeds?first=10&mode=dark&search=soup'),
    ),
  ];
  const mirrors = [new Mirror(() => earlier.origin)];
  let endWrites = ledger.startClients(WRITERS, [earlier]);

  const visitFor = async (service: Service): Promise<readonly Visitor[]> => {
    const visitors = visit(service);
    await pause(seconds * 1_000);
    await Promise.all(visitors.map((visitor) => visitor.end()));
    return visitors;
  };
  // the first requests load and compile the code
  await visitFor(earlier);
  const before = await visitFor(earlier);
  report('earlier, before', before, before);

  const during = visit(earlier);
  counts.migrateMs = await migrate(url, COMMAND);
  await Promise.all(during.map((visitor) => visitor.end()));
  report('earlier, during the migration', during, before);

  const after = await visitFor(earlier);
  report('earlier, on the new schema', after, before);
  for (const [i, { name, latenciesMs }] of after.entries()) {
    counts[`${name}Ratio`] = (medianOf(latenciesMs) / medianOf(before[i]?.latenciesMs ?? [])).toFixed(2);
  }

  const later = await startService('', variables);
  services.push(later);
  // its first request loads REST
  await fetch(`${later.origin}/v1/embeds`, { headers: { authorization: `Bearer ${text}` } });
  mirrors.push(new Mirror(() => later.origin));
  await endWrites();
  endWrites = ledger.startClients(WRITERS, services);
  const beside = [...visit(earlier), ...visit(later)];
  await pause(seconds * 1_000);
  await Promise.all(beside.map((visitor) => visitor.end()));
  report('earlier, beside the new one', beside.slice(0, before.length), before);
  report('new', beside.slice(before.length), before);
  await endWrites();
  await ledger.settle(services);
  for (const mirror of mirrors) {
    faults.push(...(await mirror.compare(later.origin)));
    if (mirror.ends > 0) faults.push(`a stream ended ${mirror.ends} times`);
    if (mirror.events === 0) faults.push('a stream had no events');
    await mirror.close();
  }

  if ((await earlier.stop()) !== 0) faults.push('the earlier gateway did not stop cleanly');
  services.shift();
  endWrites = ledger.startClients(WRITERS, services);
  const contracting = visit(later);
  counts.contractMs = await migrate(url, 'migrate', '--contract');
  await pause(seconds * 1_000);
  await Promise.all(contracting.map((visitor) => visitor.end()));
  report('new, contracting', contracting, before);
  await endWrites();
  await ledger.settle(services);
}

function report(phase: string, visitors: readonly Visitor[], before: readonly Visitor[]): void {
  for (const [i, { name, longestMs, good, latenciesMs }] of visitors.entries()) {
    const usual = medianOf(before[i]?.latenciesMs ?? []);
    const median = medianOf(latenciesMs);
    console.log(
      `${phase}: ${name} ${good} good, median ${median.toFixed(1)} ms (${(median / usual).toFixed(2)} of before), longest time without a good response ${longestMs.toFixed(0)} ms`,
    );
    if (longestMs > MAX_GAP_MS) faults.push(`${phase}: ${name} had no good response for ${longestMs.toFixed(0)} ms`);
  }
}
