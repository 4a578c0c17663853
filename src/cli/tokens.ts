import '../node-version.ts';
import { userInfo } from 'node:os';
import { InvalidArgumentError } from 'commander';
import { readConfig } from '../config.ts';
import { createToken, isTokenLive, SCOPES, type Scope, type Token } from '../domain/identity/token.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { createProgram, once, parseName } from './program.ts';
import { runCommand } from './run.ts';

/** Runs work on the configured database, which may be serving at the same time. */
async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(readConfig().databaseUrl, { poolSize: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Who runs the command, for the audit. */
const BY = `cli:${userInfo().username}`;

/** @param earlier the scopes of the same option before */
function parseScopes(text: string, earlier: readonly Scope[] = []): readonly Scope[] {
  const names = [...earlier, ...text.split(/[ ,]+/)];
  if (names.every((name) => SCOPES.includes(name as Scope))) return SCOPES.filter((scope) => names.includes(scope));
  throw new InvalidArgumentError(`It must be one or more of ${SCOPES.join(', ')}, separated by commas.`);
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration from now (`90d`, `12h`, `30m`) or an ISO 8601 instant, in the future. */
function parseExpiry(text: string): Date {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const isInstant = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const expiry =
    count === undefined
      ? new Date(isInstant ? text : Number.NaN)
      : new Date(Date.now() + Number(count) * (UNIT_MS[unit] ?? 0));
  if (expiry.getTime() > Date.now()) return expiry;
  throw new InvalidArgumentError('It must be a time from now (90d, 12h, 30m) or a date (2030-01-31), in the future.');
}

function stateOf(token: Token, now: Date): string {
  if (token.revokedAt) return `revoked ${token.revokedAt.toISOString()}`;
  if (!isTokenLive(token, now)) return 'expired';
  return token.expiresAt ? `until ${token.expiresAt.toISOString()}` : 'good';
}

const program = createProgram('tokens', 'Makes, lists and revokes access tokens. DATABASE_URL says in which database.');

program
  .command('create')
  .description('Make a token and print it once. The account is made when there is none of that name.')
  .requiredOption('--account <name>', 'the account that it belongs to', once(parseName))
  .requiredOption('--name <name>', 'what it is for', once(parseName))
  .option('--scope <scopes>', 'what it allows: read, write, or both when omitted', parseScopes)
  .option('--expires <when>', 'a time from now (90d, 12h, 30m) or a date; never when omitted', once(parseExpiry))
  .action(async (options: { account: string; name: string; scope?: readonly Scope[]; expires?: Date }) => {
    const wish = {
      accountId: options.account,
      name: options.name,
      scopes: options.scope ?? SCOPES,
      expiresAt: options.expires ?? null,
    };
    const { text, token } = createToken(wish, new Date());
    await withDatabase(async ({ tokens, audit }) => {
      await tokens.ensureAccount(token.accountId, token.createdAt);
      await tokens.insert(token);
      audit.record({ event: 'token.created', ...wish, tokenId: token.id, by: BY });
    });
    console.error(`Token ${token.id} of account ${token.accountId}. It is shown only now:`);
    console.log(text);
  });

program
  .command('list')
  .description('List all tokens; the tokens themselves are not stored.')
  .action(async () => {
    const now = new Date();
    const tokens = await withDatabase((database) => database.tokens.list());
    const rows = tokens.map((token) => [
      token.id,
      token.accountId,
      token.name,
      token.scopes.join(','),
      token.createdAt.toISOString(),
      stateOf(token, now),
    ]);
    printTable([['ID', 'ACCOUNT', 'NAME', 'SCOPE', 'CREATED', 'STATE'], ...rows]);
  });

program
  .command('revoke')
  .description('End a token. A running service refuses it within 5 seconds.')
  .argument('<id>', 'the id of the token, as list shows it')
  .action(async (id: string) => {
    const revoked = await withDatabase(async ({ tokens, audit }) => {
      const token = await tokens.revoke(id, new Date());
      if (token) audit.record({ event: 'token.revoked', accountId: token.accountId, tokenId: id, by: BY });
      return token;
    });
    if (revoked) console.log(`Token ${id} is revoked.`);
    else program.error(`There is no token ${id} that could be revoked.`);
  });

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

await runCommand(program);
