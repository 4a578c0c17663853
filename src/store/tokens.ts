import type { CursorPage, CursorPaging } from '../domain/identity/cursor-paging.ts';
import { SCOPES, type Token } from '../domain/identity/token.ts';
import { cursorNotFound, lastAdminToken, tokenNotFound } from '../domain/identity/token-input.ts';
import { Prisma, type PrismaClient, type Token as TokenRow } from '../generated/prisma/client.ts';
import type { Engine } from './engine.ts';
import { createBatcher, createLookup } from './performance/batcher.ts';
import { insertIfAbsent } from './prisma/errors.ts';

export interface TokenStore {
  /** Creates the account unless it exists; returns whether it was created. */
  ensureAccount(accountId: string, createdAt: Date): Promise<boolean>;
  hasAccount(accountId: string): Promise<boolean>;
  insert(token: Token): Promise<void>;
  findByHash(hash: string): Promise<Token | null>;
  list(): Promise<readonly Token[]>;
  hasAny(): Promise<boolean>;
  /** Returns the revoked token; null if it does not exist or was revoked before. */
  revoke(id: string, revokedAt: Date): Promise<Token | null>;
  /**
   * Returns tokens, newest first.
   * @throws {Refusal} `invalid` if the cursor is no token of the account
   */
  findPage(accountId: string, paging: CursorPaging): Promise<CursorPage<Token>>;
  count(accountId: string): Promise<number>;
  find(accountId: string, id: string): Promise<Token | null>;
  /**
   * Revokes a token of the account.
   * @param options.mayBeLast if false, a token with the scope `admin` must remain that is valid for 24 hours more
   * @throws {Refusal} `not_found`, `conflict` if no such token would remain
   */
  revokeOwn(accountId: string, id: string, revokedAt: Date, options: { readonly mayBeLast: boolean }): Promise<Revoked>;
  markUsed(id: string, usedAt: Date): Promise<void>;
}

export interface Revoked {
  readonly token: Token;
  /** False if the token was revoked before. */
  readonly isNew: boolean;
}

/** An admin who has only this much time left may not create another token in time. */
const MIN_REMAINING_MS = 24 * 3_600_000;

/** On a cluster, tokens are on the coordinator, and their triggers write on other nodes. */
export function openTokens({ client, driver, rowLock, executor }: Engine): TokenStore {
  const { runRequest, runTrigger } = executor;

  const markUsed = createBatcher(
    async (uses: readonly { readonly id: string; readonly usedAt: Date }[]) => {
      const ids = Prisma.join(uses.map(({ id }) => id));
      // locks in one order: two gateways that lock the same rows in different orders would wait for each other
      await client.$executeRaw`
        WITH used AS (SELECT "id" FROM "Token" WHERE "id" IN (${ids}) ORDER BY "id" ${rowLock})
        UPDATE "Token" SET "lastUsedAt" = ${uses[0]?.usedAt} WHERE "id" IN (SELECT "id" FROM used)`;
      return uses.map(() => undefined);
    },
    { keyOf: ({ id }) => id },
  );

  const createFind = (key: 'id' | 'hash') =>
    createLookup(
      async (values) => (await client.token.findMany({ where: { [key]: { in: [...values] } } })).map(toToken),
      { keyOf: (token) => token[key] },
    );
  const findById = createFind('id');

  async function find(accountId: string, id: string): Promise<Token | null> {
    const token = await findById(id);
    return token?.accountId === accountId ? token : null;
  }

  return {
    find,

    findByHash: createFind('hash'),

    ensureAccount: (id, createdAt) =>
      // Prisma would run an upsert as a transaction
      insertIfAbsent(runRequest(id, () => client.account.create({ data: { id, createdAt }, select: { id: true } }))),

    async hasAccount(id) {
      return (await client.account.count({ where: { id } })) > 0;
    },

    async insert({ scopes, ...token }) {
      await runTrigger(token.accountId, () =>
        client.token.create({ data: { ...token, scope: scopes.join(' ') }, select: { id: true } }),
      );
    },

    async list() {
      const rows = await client.token.findMany({ orderBy: { createdAt: 'asc' } });
      return rows.map(toToken);
    },

    async hasAny() {
      return (await driver.all(Prisma.sql`SELECT 1 FROM "Token" LIMIT 1`, null)).length > 0;
    },

    async revoke(id, revokedAt) {
      const [row] = await client.token.updateManyAndReturn({ where: { id, revokedAt: null }, data: { revokedAt } });
      return row ? toToken(row) : null;
    },

    async findPage(accountId, { size, after }) {
      if (after !== undefined && !(await find(accountId, after))) throw cursorNotFound();
      const following = after !== undefined && { cursor: { id: after }, skip: 1 };
      const newest = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
      // one more row than requested shows whether the page is cut
      const rows = await client.token.findMany({ where: { accountId }, orderBy: newest, ...following, take: size + 1 });
      return { rows: rows.slice(0, size).map(toToken), isCut: rows.length > size, hasNewer: after !== undefined };
    },

    count: async (accountId) => client.token.count({ where: { accountId } }),

    async revokeOwn(accountId, id, revokedAt, { mayBeLast }) {
      const where = { id, accountId };
      const count = await runTrigger(accountId, async () =>
        mayBeLast
          ? (await client.token.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt } })).count
          : revokeUnlessLast(client, rowLock, accountId, id, revokedAt),
      );
      const row = await client.token.findFirst({ where });
      if (!row) throw tokenNotFound();
      if (!row.revokedAt) throw lastAdminToken();
      return { token: toToken(row), isNew: count === 1 };
    },

    markUsed: (id, usedAt) => markUsed({ id, usedAt }),
  };
}

/**
 * Revokes a token, but a live one with the scope `admin` only if another remains for 24 hours. Locking all of those makes
 * simultaneous revocations wait for each other; each then sees the result of the one before.
 */
function revokeUnlessLast(
  client: PrismaClient,
  rowLock: Prisma.Sql,
  accountId: string,
  id: string,
  at: Date,
): Promise<number> {
  const later = new Date(at.getTime() + MIN_REMAINING_MS);
  return client.$executeRaw`
    WITH admins AS (
      SELECT "id", "expiresAt" FROM "Token"
      WHERE "accountId" = ${accountId} AND "revokedAt" IS NULL AND ("expiresAt" IS NULL OR "expiresAt" > ${at})
        AND ' ' || "scope" || ' ' LIKE '% admin %'
      ORDER BY "id" ${rowLock}
    )
    UPDATE "Token" SET "revokedAt" = ${at}
    WHERE "id" = ${id} AND "accountId" = ${accountId} AND "revokedAt" IS NULL
      AND ("id" NOT IN (SELECT "id" FROM admins) OR EXISTS (
        SELECT 1 FROM admins
        WHERE admins."id" <> ${id} AND (admins."expiresAt" IS NULL OR admins."expiresAt" > ${later})
      ))`;
}

function toToken({ scope, ...row }: TokenRow): Token {
  return { ...row, scopes: SCOPES.filter((name) => scope.split(' ').includes(name)) };
}
