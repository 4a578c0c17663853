import type { Embed } from '../../domain/embed/embed.ts';
import {
  type Account,
  type AuditEvent,
  type IdempotentCreate,
  type Import,
  Prisma,
  type Token,
} from '../../generated/prisma/client.ts';
import { BELOW_ALL_IDS, EMBED_COLUMNS } from '../embeds/sql.ts';
import type { Engine } from '../engine.ts';

export interface CopiedTable {
  readonly name: string;
  last(): Promise<object | null>;
  readAfter(row: object | null, limit: number): Promise<readonly object[]>;
  insert(rows: readonly object[]): Promise<void>;
}

interface Table<Row extends object> {
  readonly name: string;
  readonly last: () => Promise<Row | null>;
  readonly readAfter: (row: Row | null, limit: number) => Promise<readonly Row[]>;
  readonly insert: (rows: readonly Row[]) => Promise<unknown>;
}

export function copiedTables({ client, driver, sql, shards }: Engine): readonly CopiedTable[] {
  const accounts: Table<Pick<Account, 'id' | 'createdAt'>> = {
    name: 'accounts',
    last: () => client.account.findFirst({ orderBy: { id: 'desc' } }),
    // triggers count the total as embeds are inserted
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
    async last() {
      const select = Prisma.sql`SELECT ${EMBED_COLUMNS} FROM "Embed" AS e ORDER BY e."id" DESC LIMIT 1`;
      return (await driver.all<Embed>(select, null))[0] ?? null;
    },
    readAfter: async (row, limit) =>
      driver.all<Embed>(
        Prisma.sql`
          SELECT ${EMBED_COLUMNS} FROM "Embed" AS e WHERE e."id" > ${row?.id ?? BELOW_ALL_IDS}
          ORDER BY e."id" ${Prisma.raw(`LIMIT ${limit}`)}`,
        null,
      ),
    async insert(rows) {
      await shards?.addOldIds(rows);
      await client.$executeRaw(sql.insert(rows));
    },
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
  const auditEvents: Table<AuditEvent> = {
    name: 'audit events',
    last: () => client.auditEvent.findFirst({ orderBy: [{ accountId: 'desc' }, { id: 'desc' }] }),
    readAfter: (row, take) =>
      client.auditEvent.findMany({
        ...(row && {
          where: { OR: [{ accountId: { gt: row.accountId } }, { accountId: row.accountId, id: { gt: row.id } }] },
        }),
        orderBy: [{ accountId: 'asc' }, { id: 'asc' }],
        take,
      }),
    insert: (rows) => client.auditEvent.createMany({ data: [...rows] }),
  };
  return [accounts, tokens, embeds, keys, imports, auditEvents] as unknown as readonly CopiedTable[];
}

function after(row: { readonly id: string } | null) {
  return { ...(row && { where: { id: { gt: row.id } } }), orderBy: { id: 'asc' as const } };
}
