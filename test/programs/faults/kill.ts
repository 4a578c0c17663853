/**
 * Sends SIGKILL to the service at random moments during concurrent writes and during its start. After each restart,
 * compares the embeds with every response.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createProgram, parseCount } from '../program.ts';
import { Ledger } from './harness/ledger.ts';
import { inspectFile, reportResult } from './harness/report.ts';
import { beginService, createScratchFolder, type Service, startService } from './harness/service.ts';

const { rounds, clients, seconds } = createProgram(
  'faults:kill',
  'Sends SIGKILL to the service at random moments, and then checks that every acknowledged write exists.',
)
  .option('--rounds <count>', 'number of kills during writes', parseCount(1, 100_000), 200)
  .option('--clients <count>', 'number of concurrent clients', parseCount(1, 1_000), 8)
  .option('--seconds <seconds>', 'time limit; fewer rounds than requested are a failure', parseCount(1, 86_400), 1_200)
  .parse()
  .opts<{ rounds: number; clients: number; seconds: number }>();
const deadline = Date.now() + seconds * 1_000;

const file = join(createScratchFolder(), 'embeds.db');
const ledger = new Ledger();
let kills = 0;
let killsDuringStart = 0;

/** Kills the service while all clients write. */
async function loadAndKill(service: Service): Promise<void> {
  let isOver = false;
  const writers = Array.from({ length: clients }, async (_, client) => {
    while (!isOver) await ledger.write(client, service.origin);
  });
  await pause(randomInt(5, 800));
  const killed = service.kill();
  isOver = true;
  await Promise.all([killed, ...writers]);
  kills++;
}

/** Kills the service while it starts. */
async function killStart(): Promise<void> {
  const starting = await beginService(file);
  const ready = starting.ready.catch(() => {});
  await pause(randomInt(100, 900));
  await starting.kill();
  await ready;
  killsDuringStart++;
}

for (let round = 0; round < rounds && Date.now() < deadline && ledger.faults.length === 0; round++) {
  if (round % 10 === 9) await killStart();
  const service = await startService(file);
  await ledger.verify(service.origin);
  await ledger.repeatKeys(service.origin);
  await loadAndKill(service);
  if (round % 20 === 19)
    console.log(`${round + 1} rounds, ${ledger.size} embeds, ${ledger.pendingKeys} keys without a result`);
}

const service = await startService(file);
await ledger.settle([service]);
if (ledger.pendingKeys > 0) ledger.faults.push(`${ledger.pendingKeys} keys stayed in progress after their lease`);
if ((await service.stop()) !== 0) ledger.faults.push('the last stop was not clean');
if (kills < rounds) ledger.faults.push(`only ${kills} of ${rounds} rounds ran within ${seconds} s`);
reportResult({ kills, killsDuringStart, ...ledger.counts, embeds: ledger.size }, [
  ...ledger.faults,
  ...inspectFile(file),
]);
