import { createToken, SCOPES } from '../../../src/domain/identity/token.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { withPostgresqlData } from './data/postgresql.ts';
import { createData } from './data/sqlite.ts';
import { load } from './load.ts';
import { medianOf } from './median.ts';
import { type Server, startGateway } from './server.ts';
import { formatTable } from './table.ts';
import { createTargets, type Operation } from './target.ts';

const MAX_GATEWAYS = 3;
const WIDTHS = [40, 9, 20];

interface Plan {
  readonly folder: string;
  readonly embeds: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** A load on several gateways at once. */
interface Case {
  readonly name: string;
  readonly operation: Operation;
  readonly gateways: number;
  /** Each gateway writes to a different account. */
  readonly hasSeparateAccounts: boolean;
}

const OPERATIONS: readonly Operation[] = ['retrieve', 'random page', 'create'];
const CASES: readonly Case[] = OPERATIONS.flatMap((operation) =>
  [1, 2, MAX_GATEWAYS].flatMap((gateways) => {
    const shared = { name: `${operation}, gateways: ${gateways}`, operation, gateways, hasSeparateAccounts: false };
    const hasContention = operation === 'create' && gateways > 1;
    return hasContention
      ? [shared, { ...shared, name: `${shared.name}, accounts: ${gateways}`, hasSeparateAccounts: true }]
      : [shared];
  }),
);

/** Measures the total throughput of gateways on one PostgreSQL, for one account and for separate accounts. */
export async function measureGateways({ folder, embeds, seconds, rounds }: Plan): Promise<void> {
  await withPostgresqlData(await createData(folder, embeds), async (data) => {
    const gateways: Server[] = [];
    for (let i = 0; i < MAX_GATEWAYS; i++) {
      gateways.push(await startGateway({ ...data, file: `${data.file}-${i}` }));
    }
    const tokens = await createTokens(data.url);
    const results = new Map(CASES.map(({ name }): [string, number[]] => [name, []]));
    for (let round = 0; round <= rounds; round++) {
      for (const { name, operation, gateways: count, hasSeparateAccounts } of CASES) {
        const runs = gateways.slice(0, count).map((gateway, i) => {
          const token = hasSeparateAccounts ? (tokens[i] ?? '') : data.token;
          const targets = createTargets(operation, 'REST', { ...gateway, data: { ...data, token } });
          return load(gateway.origin, targets, seconds, folder, `requests-${i}`);
        });
        const perSecond = (await Promise.all(runs)).reduce((sum, run) => sum + run.perSecond, 0);
        // the first round is the warm-up
        if (round > 0) results.get(name)?.push(perSecond);
      }
    }
    console.log(formatTable([['case', 'req/s', 'min to max']], WIDTHS));
    for (const [name, rates] of results) {
      const range = `${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}`;
      console.log(formatTable([[name, medianOf(rates).toFixed(0), range]], WIDTHS));
    }
    for (const gateway of gateways) await gateway.stop();
  });
  console.log(
    `\nMedians of ${rounds} rounds of ${seconds} s, all gateways at once. They use one account unless stated.`,
  );
}

/** Creates an account and a token for each gateway. */
async function createTokens(url: string): Promise<readonly string[]> {
  const database = await openDatabase(url, { poolSize: 1 });
  const created = Array.from({ length: MAX_GATEWAYS }, (_, i) =>
    createToken({ accountId: `account-${i}`, name: 'bench', scopes: SCOPES, expiresAt: null }, new Date()),
  );
  for (const { token } of created) {
    await database.tokens.ensureAccount(token.accountId, token.createdAt);
    await database.tokens.insert(token);
  }
  await database.close();
  return created.map(({ text }) => text);
}
