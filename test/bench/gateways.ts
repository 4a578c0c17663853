import { createToken, SCOPES } from '../../src/domain/identity/token.ts';
import { openDatabase } from '../../src/store/database.ts';
import { makeData } from './data.ts';
import { withPostgresqlData } from './data-postgresql.ts';
import { load } from './load.ts';
import { medianOf } from './median.ts';
import { type Server, startGateway } from './server.ts';
import { formatTable } from './table.ts';
import { type Operation, targetsOf } from './target.ts';

const MOST_GATEWAYS = 3;
const WIDTHS = [40, 9, 20];

interface Plan {
  readonly folder: string;
  readonly embeds: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** Some of the gateways, and whether each writes in an account of its own. */
interface Case {
  readonly name: string;
  readonly operation: Operation;
  readonly gateways: number;
  readonly isApart: boolean;
}

const OPERATIONS: readonly Operation[] = ['retrieve', 'random page', 'create'];
const CASES: readonly Case[] = OPERATIONS.flatMap((operation) =>
  [1, 2, MOST_GATEWAYS].flatMap((gateways) => {
    const alike = { name: `${operation}, gateways: ${gateways}`, operation, gateways, isApart: false };
    const isCreateOfMany = operation === 'create' && gateways > 1;
    return isCreateOfMany
      ? [alike, { ...alike, name: `${alike.name}, accounts: ${gateways}`, isApart: true }]
      : [alike];
  }),
);

/** Measures what gateways on one PostgreSQL do together, and what they do in the way of each other in one account. */
export async function measureGateways({ folder, embeds, seconds, rounds }: Plan): Promise<void> {
  await withPostgresqlData(await makeData(folder, embeds), async (data) => {
    const gateways: Server[] = [];
    for (let i = 0; i < MOST_GATEWAYS; i++) {
      gateways.push(await startGateway({ ...data, file: `${data.file}-${i}` }));
    }
    const tokens = await makeTokens(data.url);
    const results = new Map(CASES.map(({ name }): [string, number[]] => [name, []]));
    for (let round = 0; round <= rounds; round++) {
      for (const { name, operation, gateways: count, isApart } of CASES) {
        const runs = gateways.slice(0, count).map((gateway, i) => {
          const token = isApart ? (tokens[i] ?? '') : data.token;
          const targets = targetsOf(operation, 'REST', { ...gateway, data: { ...data, token } });
          return load(gateway.origin, targets, seconds, folder, `requests-${i}`);
        });
        const perSecond = (await Promise.all(runs)).reduce((sum, run) => sum + run.perSecond, 0);
        // the first round is the warm-up
        if (round > 0) results.get(name)?.push(perSecond);
      }
    }
    console.log(formatTable([['case', 'req/s', 'least to most']], WIDTHS));
    for (const [name, rates] of results) {
      const spread = `${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}`;
      console.log(formatTable([[name, medianOf(rates).toFixed(0), spread]], WIDTHS));
    }
    for (const gateway of gateways) await gateway.stop();
  });
  console.log(
    `\nMedians of ${rounds} rounds of ${seconds} s, all gateways at once, in one account where nothing else is said.`,
  );
}

/** A token of an account of its own for each gateway. */
async function makeTokens(url: string): Promise<readonly string[]> {
  const database = await openDatabase(url, { poolSize: 1 });
  const made = Array.from({ length: MOST_GATEWAYS }, (_, i) =>
    createToken({ accountId: `apart-${i}`, name: 'bench', scopes: SCOPES, expiresAt: null }, new Date()),
  );
  for (const { token } of made) {
    await database.tokens.ensureAccount(token.accountId, token.createdAt);
    await database.tokens.insert(token);
  }
  await database.close();
  return made.map(({ text }) => text);
}
