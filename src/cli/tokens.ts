import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import {
  createToken,
  DEFAULT_SCOPES,
  isTokenLive,
  type NewToken,
  SCOPES,
  type Token,
} from '../domain/identity/token.ts';
import { NEW_TOKEN_FIELDS, type ScopeValue, toScopeValue } from '../domain/identity/token-input.ts';
import { readValues } from '../domain/input/input-reader.ts';
import { ParameterList, withRestNames } from '../domain/input/parameters.ts';
import { toDate } from '../domain/instant.ts';
import { Refusal } from '../errors.ts';
import { readOptions, withParameters } from './options.ts';
import { addSubcommand, createCommand, printResult, type ResultOptions, toTable } from './program.ts';
import { BY, InputError, withDatabase } from './run.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a time from now (`90d`, `12h`, `30m`) or an ISO 8601 instant. Returns an invalid date for other text. */
function parseExpiry(value: unknown, now: Date): Date {
  const text = String(value);
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  // the time of a day may be omitted, and its seconds
  const instant = text.replace(/^[\d-]+$/, '$&T00:00:00Z').replace(/T\d\d:\d\d(?=[Z+-])/, '$&:00');
  return count === undefined ? toDate(instant) : new Date(now.getTime() + Number(count) * (UNIT_MS[unit] ?? 0));
}

const EXPIRY_RULE = 'must be a time from now (90d, 12h, 30m) or a date (2030-01-31), in the future';

function checkExpiry(value: unknown): string | null {
  return Number.isNaN(parseExpiry(value, new Date()).getTime()) ? EXPIRY_RULE : null;
}

/** @throws {InputError} if the time has passed by the clock of the database */
function requireFutureExpiry(text: string, now: Date): Date {
  const expiresAt = parseExpiry(text, now);
  if (expiresAt <= now) throw new InputError(`--expires ${EXPIRY_RULE}`);
  return expiresAt;
}

const { name: NAME, scopes: SCOPE } = NEW_TOKEN_FIELDS;
const CREATE_PARAMETERS = new ParameterList(
  [
    { ...NAME, name: 'account', restName: 'account', description: 'The account of the token.' },
    { ...NAME, name: 'name', description: 'The purpose of the token.' },
    {
      ...SCOPE,
      name: 'scopes',
      restName: 'scope',
      isRequired: false,
      description: 'What the token allows; read and write if omitted.',
    },
    {
      name: 'expiresAt',
      restName: 'expires',
      type: 'text',
      check: checkExpiry,
      description: 'A time from now (90d, 12h, 30m) or a date; never if omitted.',
    },
  ],
  'rest',
);

interface CreateOptions extends ResultOptions, Readonly<Record<string, unknown>> {}

interface CreateValues {
  readonly account: string;
  readonly name: string;
  readonly scopes?: readonly ScopeValue[];
  readonly expiresAt?: string;
}

function parseCreate(options: CreateOptions): (now: Date) => NewToken {
  const { account, name, scopes, expiresAt } = readOptions(CREATE_PARAMETERS, options, readConfig(), (sent, policy) =>
    readValues(sent, CREATE_PARAMETERS, policy),
  ) as unknown as CreateValues;
  return (now) => ({
    accountId: account,
    name,
    scopes: scopes ? SCOPES.filter((scope) => scopes.includes(toScopeValue(scope))) : DEFAULT_SCOPES,
    expiresAt: expiresAt === undefined ? null : requireFutureExpiry(expiresAt, now),
  });
}

function stateOf(token: Token, now: Date): string {
  if (token.revokedAt) return `revoked ${token.revokedAt.toISOString()}`;
  if (!isTokenLive(token, now)) return 'expired';
  return token.expiresAt ? `until ${token.expiresAt.toISOString()}` : 'good';
}

async function create(options: CreateOptions): Promise<void> {
  const wishAt = parseCreate(options);
  const { text, token } = await withDatabase(async ({ tokens, audit, now }) => {
    const createdAt = now();
    const wish = wishAt(createdAt);
    const created = createToken(wish, createdAt);
    const { token } = created;
    await tokens.ensureAccount(token.accountId, token.createdAt);
    await tokens.insert(token);
    audit.record({ event: 'token.created', ...wish, tokenId: token.id, by: BY });
    return created;
  });
  if (!options.json) console.error(`Token ${token.id} of account ${token.accountId}. It is shown only now:`);
  printResult(options, { token: toJson(token), secret: text }, [text]);
}

async function list(options: ResultOptions): Promise<void> {
  const [tokens, now] = await withDatabase(async (database) => [await database.tokens.list(), database.now()]);
  const rows = tokens.map((token) => [
    ...[token.id, token.accountId, token.name, token.scopes.join(','), token.createdAt.toISOString()],
    ...[stateOf(token, now), token.lastUsedAt?.toISOString() ?? 'never'],
  ]);
  const table = toTable([['ID', 'ACCOUNT', 'NAME', 'SCOPE', 'CREATED', 'STATE', 'LAST USED'], ...rows]);
  printResult(options, { tokens: tokens.map(toJson) }, table);
}

async function revoke(id: string, options: ResultOptions): Promise<void> {
  const revoked = await withDatabase(async ({ tokens, audit, now }) => {
    const token = await tokens.revoke(id, now());
    if (!token) throw new Refusal('not_found', `There is no token ${id} that could be revoked.`);
    audit.record({ event: 'token.revoked', accountId: token.accountId, tokenId: id, name: token.name, by: BY });
    return token;
  });
  printResult(options, { token: toJson(revoked) }, [`Token ${id} is revoked.`]);
}

export function createTokensCommand(): Command {
  const command = createCommand(
    'tokens',
    'Creates, lists and revokes access tokens in the database of DATABASE_URL.',
  ).summary('Creates, lists and revokes access tokens.');
  const creates = 'Create a token and print it once. The account is created if it does not exist.';
  withParameters(addSubcommand(command, 'create', creates), CREATE_PARAMETERS).action(create);
  addSubcommand(command, 'list', 'List all tokens. The tokens themselves are not stored.').action(list);
  addSubcommand(command, 'revoke', 'Revoke a token. A running service rejects it within 5 seconds.')
    .argument('<id>', 'the id of the token, as list shows it')
    .action(revoke);
  return command;
}

/** Returns a token with the names of REST, and its account. */
function toJson({ id, accountId, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }: Token): object {
  return withRestNames({ id, account: accountId, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt });
}
