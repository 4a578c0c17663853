import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createData } from './data/sqlite.ts';
import { load } from './load.ts';
import { medianOf } from './median.ts';
import { startGateway } from './server.ts';
import { createTargets, OPERATIONS } from './target.ts';

const MAX_START_MS = 500;
const MAX_RSS_MB = 300;

interface Plan {
  readonly folder: string;
  readonly embeds: number;
  readonly seconds: number;
}

/**
 * Measures the time from the start of the process until the gateway is ready, on an existing database: of the clone, and of
 * the package if it is built.
 */
export async function measureStart({ folder, embeds, starts }: Plan & { readonly starts: number }): Promise<void> {
  const data = await createData(folder, embeds);
  await measureStartOf('clone', resolve('bin/embed-gateway.js'));
  if (existsSync('dist/main.js')) await measureStartOf('package (dist/ as it was built last)', layOutPackage(folder));
  else console.log('The package is not measured: npm run build creates it.');

  async function measureStartOf(name: string, program: string): Promise<void> {
    const times: number[] = [];
    // the first start fills the compile cache
    for (let i = 0; i <= starts; i++) {
      const gateway = await startGateway(data, [], {}, program);
      if (i > 0) times.push(gateway.startMs);
      await gateway.stop();
    }
    const all = times.map((ms) => ms.toFixed(0)).join(', ');
    console.log(
      `The ${name} is ready after ${medianOf(times).toFixed(0)} ms (median of ${all}). Target: at most ${MAX_START_MS} ms.`,
    );
  }
}

/** Returns the start script of a folder without sources, as the package is. */
function layOutPackage(folder: string): string {
  cpSync('bin', join(folder, 'package/bin'), { recursive: true });
  symlinkSync(resolve('dist'), join(folder, 'package/dist'));
  return join(folder, 'package/bin/embed-gateway.js');
}

/** Measures the resident memory after many requests of all kinds. */
export async function measureMemory({ folder, embeds, seconds, requests }: Plan & { readonly requests: number }) {
  const gateway = await startGateway(await (await createData(folder, embeds)).copy('gateway'));
  const kinds = OPERATIONS.flatMap((operation) =>
    (['REST', 'GraphQL'] as const).map((door) => createTargets(operation, door, gateway)),
  );
  let done = 0;
  for (let turn = 0; done < requests; turn++) {
    const targets = kinds[turn % kinds.length] ?? [];
    done += (await load(gateway.origin, targets, seconds, folder)).requests;
    if (turn % kinds.length === 0) console.log(`${done} requests: ${gateway.rssMb().toFixed(0)} MB`);
  }
  console.log(`${gateway.rssMb().toFixed(0)} MB after ${done} requests. Target: at most ${MAX_RSS_MB} MB.`);
  await gateway.stop();
}
