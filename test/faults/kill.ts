/**
 * Kills the service with SIGKILL at random moments under concurrent writes, some in its start, and accounts for every
 * answer after each restart.
 * node test/faults/kill.ts --rounds 200 --clients 8 --seconds 1200
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Ledger } from './ledger.ts';
import { beginService, type Service, scratchFolder, startService } from './service.ts';
import { conclude, inspectFile } from './verdict.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    clients: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '1200' },
  },
});
const rounds = Number(values.rounds);
const deadline = Date.now() + Number(values.seconds) * 1_000;
/** How long a key that died at work stays taken. */
const LEASE_MS = 10_000;

const file = join(scratchFolder(), 'embeds.db');
const ledger = new Ledger();
let kills = 0;
let killsInStart = 0;

/** Writes from all clients until the service is killed in their midst. */
async function loadAndKill(service: Service): Promise<void> {
  let isOver = false;
  const clients = Array.from({ length: Number(values.clients) }, async (_, client) => {
    while (!isOver) await ledger.act(client, service.origin);
  });
  await pause(randomInt(5, 800));
  const gone = service.kill();
  isOver = true;
  await Promise.all([gone, ...clients]);
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
