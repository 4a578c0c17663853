import { createData } from './data/sqlite.ts';
import { load } from './load.ts';
import { type Server, startGateway } from './server.ts';
import { formatTable } from './table.ts';
import { createTargets, deepPageTarget, filteredPageTargets, firstPageTarget } from './target.ts';

const SIZES = [1_000, 100_000, 1_000_000, 10_000_000];
/** Largest acceptable ratio of a duration to the duration with the fewest embeds. */
const MAX_RATIO = 1.2;

interface Plan {
  readonly folder: string;
  /** Embeds of the largest account. */
  readonly to: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** Measures the duration of requests for accounts of different sizes. Each size has its own gateway. */
export async function measureGrowth({ folder, to, seconds, rounds }: Plan): Promise<void> {
  const sizes = SIZES.filter((size) => size <= to);
  const gateways: Server[] = [];
  for (const size of sizes)
    gateways.push(await startGateway(await (await createData(folder, size)).copy(`gateway-${size}`)));
  const cases = {
    'first page with the total': (i: number) => [firstPageTarget(at(gateways, i))],
    'page at 90 % of the depth': (i: number) => [deepPageTarget(at(gateways, i))],
    mode: (i: number) => filteredPageTargets('mode=dark', at(gateways, i)),
    'mode and font, no match': (i: number) => filteredPageTargets('mode=dark&font=Inter', at(gateways, i)),
    'page id': (i: number) => filteredPageTargets('page_id', at(gateways, i)),
    'search for a word': (i: number) => filteredPageTargets('search=planner', at(gateways, i)),
    'words, mode, time': (i: number) =>
      filteredPageTargets('search=meal+planner&mode=dark&created_after=2025-01-01T00:00:00Z', at(gateways, i)),
    'word and font, ascending': (i: number) =>
      filteredPageTargets('search=planner&font=Inter&direction=asc', at(gateways, i)),
    retrieve: (i: number) => createTargets('retrieve', 'REST', at(gateways, i)),
    create: (i: number) => createTargets('create', 'REST', at(gateways, i)),
  };
  const widths = [26, ...sizes.map(() => 16)];
  console.log(
    formatTable([['p50 ms (ratio to the first)', ...sizes.map((size) => size.toLocaleString('en'))]], widths),
  );
  for (const [name, targets] of Object.entries(cases)) {
    const rows = sizes.map((): number[] => []);
    for (let round = 0; round <= rounds; round++) {
      for (const [i, gateway] of gateways.entries()) {
        const { p50Ms } = await load(gateway.origin, targets(i), seconds, folder);
        // the first round is the warm-up
        if (round > 0) rows[i]?.push(p50Ms);
      }
    }
    // other work on the machine only adds time, so the lowest is the most accurate
    const lowest = rows.map((times) => Math.min(...times));
    const cells = lowest.map((p50Ms) => {
      const ratio = p50Ms / (lowest[0] ?? Number.NaN);
      return `${p50Ms.toFixed(2)} (${ratio.toFixed(2)})${ratio > MAX_RATIO ? '!' : ' '}`;
    });
    console.log(formatTable([[name, ...cells]], widths));
  }
  for (const gateway of gateways) await gateway.stop();
  console.log(`
The lowest of ${rounds} rounds of ${seconds} s. Target: at most ${MAX_RATIO} times the first. A page id may miss it: in a large file, its look-up
reads pages that SQLite has not cached. So may lists with several conditions: larger accounts have more ids to scan, up to 1,000 for
the total and 2,000 for the page.`);
}

function at<T>(list: readonly T[], index: number): T {
  return list[index] as T;
}
