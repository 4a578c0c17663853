import { type Command, InvalidArgumentError } from 'commander';
import { createToken, DEFAULT_SCOPES, isTokenLive, SCOPES, type Scope, type Token } from '../domain/identity/token.ts';
import { createCommand, once, parseName, printResult, type ResultOptions, toTable, withJson } from './program.ts';
import { BY, withDatabase } from './run.ts';

/** @param earlier the scopes of the earlier occurrences of the option */
function parseScopes(text: string, earlier: readonly Scope[] = []): readonly Scope[] {
  const names = [...earlier, ...text.split(/[ ,]+/)];
  if (names.every((name) => SCOPES.includes(name as Scope))) return SCOPES.filter((scope) => names.includes(scope));
  throw new InvalidArgumentError(`It must be one or more of ${SCOPES.join(', ')}, separated by commas.`);
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a duration from now (`90d`, `12h`, `30m`) or an ISO 8601 instant. It must be in the future. */
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

export function createTokensCommand(): Command {
  const command = createCommand(
    'tokens',
    'Creates, lists and revokes access tokens in the database of DATABASE_URL.',
  ).summary('Creates, lists and revokes access tokens.');

  withJson(command.command('create'))
    .description('Create a token and print it once. The account is created if it does not exist.')
    .requiredOption('--account <name>', 'the account of the token', once(parseName))
    .requiredOption('--name <name>', 'the purpose of the token', once(parseName))
    .option(
      '--scope <scopes>',
      'one or more of read, write and admin, separated by commas; read and write if omitted',
      parseScopes,
    )
    .option('--expires <when>', 'a time from now (90d, 12h, 30m) or a date; never if omitted', once(parseExpiry))
    .action(
      async (options: ResultOptions & { account: string; name: string; scope?: readonly Scope[]; expires?: Date }) => {
        const wish = {
          accountId: options.account,
          name: options.name,
          scopes: options.scope ?? DEFAULT_SCOPES,
          expiresAt: options.expires ?? null,
        };
        const { text, token } = createToken(wish, new Date());
        await withDatabase(async ({ tokens, audit }) => {
          await tokens.ensureAccount(token.accountId, token.createdAt);
          await tokens.insert(token);
          audit.record({ event: 'token.created', ...wish, tokenId: token.id, by: BY });
        });
        if (!options.json) console.error(`Token ${token.id} of account ${token.accountId}. It is shown only now:`);
        printResult(options, { token: toJson(token), secret: text }, [text]);
      },
    );

  withJson(command.command('list'))
    .description('List all tokens. The tokens themselves are not stored.')
    .action(async (options: ResultOptions) => {
      const now = new Date();
      const tokens = await withDatabase((database) => database.tokens.list());
      const rows = tokens.map((token) => [
        token.id,
        token.accountId,
        token.name,
        token.scopes.join(','),
        token.createdAt.toISOString(),
        stateOf(token, now),
        token.lastUsedAt?.toISOString() ?? 'never',
      ]);
      const table = toTable([['ID', 'ACCOUNT', 'NAME', 'SCOPE', 'CREATED', 'STATE', 'LAST USED'], ...rows]);
      printResult(options, { tokens: tokens.map(toJson) }, table);
    });

  withJson(command.command('revoke'))
    .description('Revoke a token. A running service rejects it within 5 seconds.')
    .argument('<id>', 'the id of the token, as list shows it')
    .action(async (id: string, options: ResultOptions) => {
      const revoked = await withDatabase(async ({ tokens, audit }) => {
        const token = await tokens.revoke(id, new Date());
        if (token) {
          const { accountId, name } = token;
          audit.record({ event: 'token.revoked', accountId, tokenId: id, name, by: BY });
        }
        return token;
      });
      if (revoked) printResult(options, { token: toJson(revoked) }, [`Token ${id} is revoked.`]);
      else command.error(`There is no token ${id} that could be revoked.`);
    });
  return command;
}

/** Returns a token with the names of REST, and its account. */
function toJson({ id, accountId, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }: Token): object {
  const times = { created_at: createdAt, expires_at: expiresAt, revoked_at: revokedAt, last_used_at: lastUsedAt };
  return { id, account: accountId, name, scopes, ...times };
}
