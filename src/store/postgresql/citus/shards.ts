import type { Embed } from '../../../domain/embed/embed.ts';
import { accountCodeIn, accountCodeOf } from '../../../domain/embed/id.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { mapDatabaseErrors } from '../../prisma/errors.ts';
import { readOfAccounts } from './sql.ts';

/** Reads embeds whose account is not known. */
export interface Shards {
  /** Returns one result per id, in their order. */
  read(ids: readonly string[]): Promise<readonly (Embed | null)[]>;
  /** Remembers an account, so that its embeds are found by one shard. */
  add(accountId: string): void;
}

/** The embeds of further accounts are found too, but by asking all shards. */
const MAX_ACCOUNTS = 100_000;

/**
 * The end of an id names a thousandth of all accounts, which share a shard: asking for the embeds of those accounts asks
 * that shard. All shards are asked only if it finds nothing: the id has the form of older versions, the account is new
 * to this process, or there is no such embed.
 */
export async function openShards(client: PrismaClient): Promise<Shards> {
  const accountsByCode = new Map<string, Set<string>>();
  let size = 0;

  function add(accountId: string): void {
    const code = accountCodeOf(accountId);
    const accounts = accountsByCode.get(code) ?? new Set();
    if (size >= MAX_ACCOUNTS || accounts.has(accountId)) return;
    accountsByCode.set(code, accounts.add(accountId));
    size++;
  }

  const query = (sql: Prisma.Sql) => mapDatabaseErrors(() => client.$queryRaw<Embed[]>(sql));

  const accounts = await mapDatabaseErrors(() =>
    client.account.findMany({ select: { id: true }, orderBy: { createdAt: 'desc' }, take: MAX_ACCOUNTS }),
  );
  for (const { id } of accounts) add(id);

  return {
    add,
    async read(ids) {
      const reads = [...Map.groupBy(ids, accountCodeIn)].map(async ([code, wanted]) => {
        const known = accountsByCode.get(code);
        return known ? query(readOfAccounts(wanted, [...known])) : [];
      });
      const byId = new Map((await Promise.all(reads)).flat().map((embed) => [embed.id, embed]));
      const missing = ids.filter((id) => !byId.has(id));
      for (const embed of missing.length > 0 ? await query(readOfAccounts(missing, null)) : []) {
        byId.set(embed.id, embed);
        add(embed.accountId);
      }
      return ids.map((id) => byId.get(id) ?? null);
    },
  };
}
