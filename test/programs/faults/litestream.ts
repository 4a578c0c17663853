/**
 * Replicates the file of a service with Litestream while clients write and a stream is open. The stream must not end. After
 * SIGKILL of both, the file that Litestream restores must have every write that is older than its interval.
 */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { installPackages } from '../../own-packages.ts';
import { createProgram, parseCount } from '../program.ts';
import { REST } from './harness/doors.ts';
import { Ledger } from './harness/ledger.ts';
import { Mirror } from './harness/mirror.ts';
import { inspectFile, reportResult } from './harness/report.ts';
import { createScratchFolder, startService } from './harness/service.ts';

const options = createProgram(
  'faults:litestream',
  'Writes while Litestream replicates the file, kills both, and restores the replica.',
)
  .option('--seconds <seconds>', 'duration of the writes', parseCount(1, 600), 30)
  .option('--clients <count>', 'number of concurrent clients', parseCount(1, 100), 4)
  .parse()
  .opts<{ seconds: number; clients: number }>();

const CHECKPOINT_INTERVAL_S = 2;
const SYNC_INTERVAL_S = 1;
/** Longest age of an acknowledged write that a restored file lacks: the interval, the copy, and a machine under load. */
const MAX_LAG_MS = 5_000;
const RESTORE_TIMEOUT_MS = 60_000;
/** Interval of the writes of each client, so that checkpoints meet idle moments too. */
const WRITE_INTERVAL_MS = 20;

/** Returns the path of the program, or prints why there is none. */
async function findLitestream(): Promise<string | null> {
  try {
    return execFileSync('which', ['litestream'], { encoding: 'utf8' }).trim();
  } catch {
    const folder = join(import.meta.dirname, 'litestream');
    try {
      await installPackages(folder);
      const name = `@flydotio/litestream-${process.platform}-${process.arch}/litestream`;
      return createRequire(join(folder, 'package.json')).resolve(name);
    } catch (error) {
      const reason = (error as Error).message.split('\n')[0];
      console.log(`SKIPPED: there is no litestream, and its package cannot be installed: ${reason}`);
      return null;
    }
  }
}

const folder = createScratchFolder();
const file = join(folder, 'embeds.db');
const configuration = join(folder, 'litestream.yml');
const faults: string[] = [];

function startLitestream(program: string) {
  const replica = { type: 'file', path: join(folder, 'replica'), 'sync-interval': `${SYNC_INTERVAL_S}s` };
  // YAML contains JSON
  const content = {
    dbs: [
      {
        path: file,
        'checkpoint-interval': `${CHECKPOINT_INTERVAL_S}s`,
        'min-checkpoint-page-count': 1,
        replicas: [replica],
      },
    ],
  };
  writeFileSync(configuration, JSON.stringify(content));
  const child = spawn(program, ['replicate', '-config', configuration], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (text) => (log += text));
  const ended = new Promise((resolve) => child.once('close', resolve));
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    log: () => log,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function restore(program: string, name: string): string {
  const restored = join(folder, name);
  execFileSync(program, ['restore', '-config', configuration, '-o', restored, file], {
    timeout: RESTORE_TIMEOUT_MS,
    stdio: 'pipe',
  });
  faults.push(...inspectFile(restored));
  return restored;
}

/** Counts how often the write-ahead log restarts, as it does after a checkpoint of the whole log. */
function countRestarts(): { stop(): number } {
  const salts = new Set<string>();
  const timer = setInterval(() => {
    if (!existsSync(`${file}-wal`)) return;
    const descriptor = openSync(`${file}-wal`, 'r');
    const header = Buffer.alloc(24);
    readSync(descriptor, header, 0, header.length, 0);
    closeSync(descriptor);
    salts.add(header.toString('hex', 16));
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return salts.size - 1;
    },
  };
}

async function run(program: string): Promise<void> {
  const service = await startService(file);
  const litestream = startLitestream(program);
  const mirror = new Mirror(() => service.origin);
  const ledger = new Ledger();
  const restarts = countRestarts();
  const until = Date.now() + options.seconds * 1_000;
  const clients = Array.from({ length: options.clients }, async (_, client) => {
    while (Date.now() < until) {
      await ledger.write(client, service.origin);
      await pause(WRITE_INTERVAL_MS);
    }
  });
  await Promise.all(clients);
  faults.push(...(await mirror.compare(service.origin)));
  await ledger.verify(service.origin);
  const { ends, events } = mirror;
  if (ends > 0) faults.push(`the stream ended ${ends} times`);
  const checkpoints = restarts.stop();
  if (checkpoints === 0) faults.push('no checkpoint restarted the write-ahead log');

  // what the replica has when writes stop
  await pause(MAX_LAG_MS);
  const quiet = await startService(restore(program, 'quiet.db'));
  await ledger.verify(quiet.origin);
  if ((await quiet.stop()) !== 0) faults.push('a stop was not clean');

  // what it has when both are killed under writes
  const acknowledged: { readonly id: string; readonly atMs: number }[] = [];
  const killAtMs = Date.now() + MAX_LAG_MS + CHECKPOINT_INTERVAL_S * 1_000;
  while (Date.now() < killAtMs) {
    const settings = { page_url: 'https://example.com/Last', mode: 'light', font: 'default', show_top_bar: true };
    const outcome = await REST.create(service.origin, settings, null);
    if (outcome.kind === 'done' && outcome.embed) acknowledged.push({ id: outcome.embed.id, atMs: Date.now() });
  }
  if (!litestream.isRunning()) faults.push(`litestream ended: ${litestream.log().slice(-500)}`);
  await Promise.all([service.kill(), litestream.kill(), mirror.close()]);
  const killedAtMs = Date.now();
  const last = await startService(restore(program, 'last.db'));
  const restored = new Set((await REST.list(last.origin)).embeds.map(({ id }) => id));
  const lost = acknowledged.filter(({ id }) => !restored.has(id));
  const lagMs = lost[0] ? killedAtMs - lost[0].atMs : 0;
  if (lagMs > MAX_LAG_MS) faults.push(`a write of ${lagMs} ms before the kill is not in the replica`);
  if (lost.some(({ id }) => id < (acknowledged.findLast((write) => restored.has(write.id))?.id ?? '')))
    faults.push('the replica has a later write than one that it lacks');
  if ((await last.stop()) !== 0) faults.push('a stop was not clean');
  reportResult({ ...ledger.counts, events, streamEnds: ends, checkpoints, lastWrites: acknowledged.length, lagMs }, [
    ...faults,
    ...ledger.faults,
  ]);
}

const program = await findLitestream();
if (program !== null) await run(program);
