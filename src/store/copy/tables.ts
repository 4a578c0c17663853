import type { Account, Embed, IdempotentCreate, Import, Token } from '../../generated/prisma/client.ts';
import type { Engine } from '../engine.ts';

/** A table as a copy sees it: rows in the order of their key. */
export interface CopiedTable {
  readonly name: string;
  /** The row with the highest key; null when there is none. */
  last(): Promise<object | null>;
  /** The rows that follow one. */
  readAfter(row: object | null, most: number): Promise<readonly object[]>;
  /** In one statement: all, or none. */
  insert(rows: readonly object[]): Promise<void>;
}

interface Table<Row extends object> {
  readonly name: string;
  readonly last: () => Promise<Row | null>;
  readonly readAfter: (row: Row | null, most: number) => Promise<readonly Row[]>;
  readonly insert: (rows: readonly Row[]) => Promise<unknown>;
}

/** The tables of a database, those first that others refer to. */
export function copiedTables({ client, sql }: Engine): readonly CopiedTable[] {
  const accounts: Table<Pick<Account, 'id' | 'createdAt'>> = {
    name: 'accounts',
    last: () => client.account.findFirst({ orderBy: { id: 'desc' } }),
    // its total is counted along as its embeds come
    readAfter: (row, take) => client.account.findMany({ ...after(row), take, select: { id: true, createdAt: true } }),
    insert: (rows) => client.account.createMany({ data: [...rows] }),
  };
  const tokens: Table<Token> = {
    name: 'tokens',
    last: () => client.token.findFirst({ orderBy: { id: 'desc' } }),
    readAfter: (row, take) => client.token.findMany({ ...after(row), take }),
    insert: (rows) => client.token.createMany({ data: [...rows] }),
  };
  const embeds: Table<Embed> = {
    name: 'embeds',
    last: () => client.embed.findFirst({ orderBy: { id: 'desc' } }),
    readAfter: (row, take) => client.embed.findMany({ ...after(row), take }),
    insert: (rows) => client.$executeRaw(sql.insert(rows)),
  };
  const keys: Table<IdempotentCreate> = {
    name: 'idempotency keys',
    last: () => client.idempotentCreate.findFirst({ orderBy: [{ accountId: 'desc' }, { key: 'desc' }] }),
    readAfter: (row, take) =>
      client.idempotentCreate.findMany({
        ...(row && {
          where: {
            OR: [{ accountId: { gt: row.accountId } }, { accountId: row.accountId, key: { gt: row.key } }],
          },
        }),
        orderBy: [{ accountId: 'asc' }, { key: 'asc' }],
        take,
      }),
    insert: (rows) => client.idempotentCreate.createMany({ data: [...rows] }),
  };
  const imports: Table<Import> = {
    name: 'imports',
    last: () => client.import.findFirst({ orderBy: [{ accountId: 'desc' }, { content: 'desc' }] }),
    readAfter: (row, take) =>
      client.import.findMany({
        ...(row && {
          where: {
            OR: [{ accountId: { gt: row.accountId } }, { accountId: row.accountId, content: { gt: row.content } }],
          },
        }),
        orderBy: [{ accountId: 'asc' }, { content: 'asc' }],
        take,
      }),
    insert: (rows) => client.import.createMany({ data: [...rows] }),
  };
  // each gets back only what it gave out
  return [accounts, tokens, embeds, keys, imports] as unknown as readonly CopiedTable[];
}

function after(row: { readonly id: string } | null) {
  return { ...(row && { where: { id: { gt: row.id } } }), orderBy: { id: 'asc' as const } };
}
