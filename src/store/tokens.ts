import { SCOPES, type Token } from '../domain/identity/token.ts';
import type { PrismaClient, Token as TokenRow } from '../generated/prisma/client.ts';
import { createBatcher } from './performance/batcher.ts';
import { isDuplicate, mapDatabaseErrors } from './prisma/errors.ts';

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
}

const MAX_LOOKED_UP = 64;

export function openTokens(client: PrismaClient): TokenStore {
  const findByHash = createBatcher(
    async (hashes: readonly string[]) => {
      const rows = await mapDatabaseErrors(() => client.token.findMany({ where: { hash: { in: [...hashes] } } }));
      const byHash = new Map(rows.map((row) => [row.hash, toToken(row)]));
      return hashes.map((hash) => byHash.get(hash) ?? null);
    },
    { maxBatchSize: MAX_LOOKED_UP },
  );

  return {
    async ensureAccount(id, createdAt) {
      // Prisma would run an upsert as a transaction
      try {
        await mapDatabaseErrors(() => client.account.create({ data: { id, createdAt }, select: { id: true } }));
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return false;
      }
    },

    async hasAccount(id) {
      return (await mapDatabaseErrors(() => client.account.count({ where: { id } }))) > 0;
    },

    async insert({ scopes, ...token }) {
      await mapDatabaseErrors(() =>
        client.token.create({ data: { ...token, scope: scopes.join(' ') }, select: { id: true } }),
      );
    },

    findByHash,

    async list() {
      const rows = await mapDatabaseErrors(() => client.token.findMany({ orderBy: { createdAt: 'asc' } }));
      return rows.map(toToken);
    },

    async hasAny() {
      return (await mapDatabaseErrors(() => client.token.findFirst({ select: { id: true } }))) !== null;
    },

    async revoke(id, revokedAt) {
      const { count } = await mapDatabaseErrors(() =>
        client.token.updateMany({ where: { id, revokedAt: null }, data: { revokedAt } }),
      );
      if (count === 0) return null;
      const row = await mapDatabaseErrors(() => client.token.findUnique({ where: { id } }));
      return row && toToken(row);
    },
  };
}

function toToken({ scope, ...row }: TokenRow): Token {
  return { ...row, scopes: SCOPES.filter((name) => scope.split(' ').includes(name)) };
}
