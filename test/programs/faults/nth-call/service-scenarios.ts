import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { GRAPHQL, HEADERS, REST } from '../harness/doors.ts';
import { Ledger } from '../harness/ledger.ts';
import type { Service } from '../harness/service.ts';
import { checkDatabase } from './check.ts';
import { runService } from './run.ts';
import { type Case, filesBeside, type Scenario } from './scenario.ts';
import type { State } from './states.ts';

const CLIENTS = 4;
const WRITES_PER_CLIENT = 6;
const RECOVERY_TIMEOUT_MS = 60_000;

/** Starts and stops the service, and expects the rows of the state. */
function openStart(folder: string, state: State): Case {
  const file = join(folder, 'embeds.db');
  state.copyTo(file);
  return {
    paths: filesBeside(file),
    run: (launcher) => runService(file, launcher),
    verify: () => checkDatabase(file, [state.contents]),
  };
}

const firstStart: Scenario = {
  name: 'first-start',
  exitCode: 0,
  open(folder) {
    const file = join(folder, 'embeds.db');
    return {
      paths: filesBeside(file),
      run: (launcher) => runService(file, launcher),
      verify: () => checkDatabase(file, null, expectWrites),
    };
  },
};

async function expectWrites(origin: string): Promise<readonly string[]> {
  const settings = { page_url: 'https://example.com/', mode: 'light', font: 'Lora', show_top_bar: true };
  const outcomes = [await REST.create(origin, settings, 'a-key'), await GRAPHQL.create(origin, settings, null)];
  return outcomes.filter(({ kind }) => kind !== 'done').map((outcome) => `a create failed: ${JSON.stringify(outcome)}`);
}

const start: Scenario = { name: 'start', exitCode: 0, open: (folder, { filled }) => openStart(folder, filled) };

const migrate: Scenario = { name: 'migrate', exitCode: 0, open: (folder, { earlier }) => openStart(folder, earlier) };

const write: Scenario = {
  name: 'write',
  exitCode: 0,
  acceptsConnections: true,
  open(folder, { empty }) {
    const file = join(folder, 'embeds.db');
    empty.copyTo(file);
    const ledger = new Ledger({ mayCommitBefore503: true });
    const faults: string[] = [];
    return {
      paths: filesBeside(file),
      run: (launcher, begin) =>
        runService(file, launcher, async (service) => {
          await loadApis(service);
          begin();
          const clients = Array.from({ length: CLIENTS }, async (_, client) => {
            for (let i = 0; i < WRITES_PER_CLIENT; i++) await ledger.write(client, service.origin);
          });
          await Promise.all(clients);
          if (!(await canWriteAgain(ledger, service))) faults.push('no write worked after the fault');
        }),
      async verify() {
        const checked = await checkDatabase(file, null, async (origin) => {
          await ledger.verify(origin);
          await ledger.repeatKeys(origin);
          await ledger.verify(origin);
          return ledger.faults;
        });
        return [...faults, ...checked];
      },
    };
  },
};

/** The first request of an API loads it, which takes seconds under strace. */
async function loadApis({ origin }: Service): Promise<void> {
  for (const path of ['/v1/embeds', '/graphql'])
    await fetch(origin + path, { headers: HEADERS }).then(
      (response) => response.text(),
      () => {},
    );
}

/** Writes until a response acknowledges it. @returns false if none does; true if the service has ended */
async function canWriteAgain(ledger: Ledger, service: Service): Promise<boolean> {
  const acknowledged = () => ledger.counts.created + ledger.counts.updated + ledger.counts.deleted;
  const before = acknowledged();
  for (const deadline = Date.now() + RECOVERY_TIMEOUT_MS; Date.now() < deadline && service.isRunning(); ) {
    await ledger.write(0, service.origin);
    if (acknowledged() > before) return true;
    await pause(50);
  }
  return !service.isRunning();
}

export const SERVICE_SCENARIOS = [firstStart, start, migrate, write];
