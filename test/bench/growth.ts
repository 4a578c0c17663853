import { makeData } from './data.ts';
import { load } from './load.ts';
import { type Server, startGateway } from './server.ts';
import { formatTable } from './table.ts';
import { deepPage, foundPages, targetsOf } from './target.ts';

const SIZES = [1_000, 100_000, 1_000_000, 10_000_000];
/** How much slower than with the fewest embeds a request may be. */
const MAX_GROWTH = 1.2;

interface Plan {
  readonly folder: string;
  /** The largest account. */
  readonly to: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** Measures how the time of a request grows with its account. The sizes take turns, each in a gateway of its own. */
export async function measureGrowth({ folder, to, seconds, rounds }: Plan): Promise<void> {
  const sizes = SIZES.filter((size) => size <= to);
  const gateways: Server[] = [];
  for (const size of sizes)
    gateways.push(await startGateway(await (await makeData(folder, size)).copy(`gateway-${size}`)));
  const cases = {
    'first page with the total': (i: number) => targetsOf('first page', 'REST', at(gateways, i)),
    'page at 90 % of the depth': (i: number) => [deepPage(at(gateways, i))],
    mode: (i: number) => foundPages('mode=dark', at(gateways, i)),
    'mode and font, none': (i: number) => foundPages('mode=dark&font=Inter', at(gateways, i)),
    'page id': (i: number) => foundPages('page_id', at(gateways, i)),
    'search for a word': (i: number) => foundPages('search=planner', at(gateways, i)),
    'words, mode, time': (i: number) =>
      foundPages('search=meal+planner&mode=dark&created_after=2025-01-01T00:00:00Z', at(gateways, i)),
    'word and font, ascending': (i: number) => foundPages('search=planner&font=Inter&direction=asc', at(gateways, i)),
    retrieve: (i: number) => targetsOf('retrieve', 'REST', at(gateways, i)),
    create: (i: number) => targetsOf('create', 'REST', at(gateways, i)),
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
    // what else the machine does only ever adds: the lowest is the truest
    const lowest = rows.map((times) => Math.min(...times));
    const cells = lowest.map((p50Ms) => {
      const growth = p50Ms / (lowest[0] ?? Number.NaN);
      return `${p50Ms.toFixed(2)} (${growth.toFixed(2)})${growth > MAX_GROWTH ? '!' : ' '}`;
    });
    console.log(formatTable([[name, ...cells]], widths));
  }
  for (const gateway of gateways) await gateway.stop();
  console.log(
    `\nThe lowest of ${rounds} rounds of ${seconds} s. Each is to be within ${MAX_GROWTH} times of the first,\nbut the totals of filtered lists are counted, up to 1,000 embeds: those have more to do past the first size.`,
  );
}

function at<T>(list: readonly T[], index: number): T {
  return list[index] as T;
}
