/**
 * Kills the service with SIGKILL at random moments under concurrent writes, some in its start, and accounts for every
 * answer after each restart.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createProgram, parseCount } from '../../src/cli/program.ts';
import { Ledger } from './ledger.ts';
import { beginService, type Service, scratchFolder, startService } from './service.ts';
import { conclude, inspectFile } from './verdict.ts';

const { rounds, clients, seconds } = createProgram(
  'faults:kill',
  'Kills the service with SIGKILL at random moments under writes, some in its start, and accounts for every answer.',
)
  .option('--rounds <count>', 'how often it is killed', parseCount(1, 100_000), 200)
  .option('--clients <count>', 'how many write at once', parseCount(1, 1_000), 8)
  .option('--seconds <seconds>', 'when to stop in any case', parseCount(1, 86_400), 1_200)
  .parse()
  .opts<{ rounds: number; clients: number; seconds: number }>();
const deadline = Date.now() + seconds * 1_000;
/** How long a key that died at work stays taken. */
const LEASE_MS = 10_000;

const file = join(scratchFolder(), 'embeds.db');
const ledger = new Ledger();
let kills = 0;
let killsInStart = 0;

/** Writes from all clients until the service is killed in their midst. */
async function loadAndKill(service: Service): Promise<void> {
  let isOver = false;
  const writers = Array.from({ length: clients }, async (_, client) => {
    while (!isOver) await ledger.act(client, service.origin);
  });
  await pause(randomInt(5, 800));
  const gone = service.kill();
  isOver = true;
  await Promise.all([gone, ...writers]);
  kills++;
}

/** Every tenth round, a start of the service is killed as well. */
async function killStart(): Promise<void> {
  const starting = await beginService(file);
  const ready = starting.ready.catch(() => {});
  await pause(randomInt(100, 900));
  await starting.kill();
  await ready;
  killsInStart++;
}

for (let round = 0; round < rounds && Date.now() < deadline && ledger.faults.length === 0; round++) {
  if (round % 10 === 9) await killStart();
  const service = await startService(file);
  await ledger.account(service.origin);
  await ledger.repeatKeys(service.origin);
  await loadAndKill(service);
  if (round % 20 === 19) console.log(`${round + 1} rounds, ${ledger.size} embeds, ${ledger.openKeys} keys open`);
}

const service = await startService(file);
await pause(ledger.openKeys > 0 ? LEASE_MS : 0);
await ledger.account(service.origin);
await ledger.repeatKeys(service.origin);
await ledger.account(service.origin);
if (ledger.openKeys > 0) ledger.faults.push(`${ledger.openKeys} keys never came free`);
if ((await service.stop()) !== 0) ledger.faults.push('the last stop was not clean');
if (kills < rounds) ledger.faults.push(`only ${kills} of ${rounds} rounds were made in time`);
conclude({ kills, killsInStart, ...ledger.counts, embeds: ledger.size }, [...ledger.faults, ...inspectFile(file)]);
