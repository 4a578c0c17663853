import type { Embed } from '../../domain/embed/embed.ts';
import {
  type Account,
  type AuditEvent,
  type IdempotentCreate,
  type Import,
  Prisma,
  type Token,
  type ViewCount,
  type Webhook,
  type WebhookDelivery,
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
  const accounts: Table<Pick<Account, 'id' | 'createdAt' | 'settings'>> = {
    name: 'accounts',
    last: () => client.account.findFirst({ orderBy: { id: 'desc' } }),
    // triggers count the total as embeds are inserted
    readAfter: (row, take) => {
      return client.account.findMany({ ...after(row), take, select: { id: true, createdAt: true, settings: true } });
    },
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
  const keys = keyedTable<IdempotentCreate>('idempotency keys', client.idempotentCreate, 'key');
  const imports = keyedTable<Import>('imports', client.import, 'content');
  const auditEvents = keyedTable<AuditEvent>('audit events', client.auditEvent, 'id');
  // after the tables whose triggers write deliveries, so that copied rows are no events
  const webhooks = keyedTable<Webhook>('webhooks', client.webhook, 'id');
  const deliveries = keyedTable<WebhookDelivery>('deliveries', client.webhookDelivery, 'id');
  const views: Table<ViewCount> = {
    name: 'views',
    last: () =>
      client.viewCount.findFirst({
        orderBy: [{ accountId: 'desc' }, { embedId: 'desc' }, { day: 'desc' }, { site: 'desc' }],
      }),
    readAfter: (row, limit) =>
      client.$queryRaw<ViewCount[]>`
        SELECT * FROM "ViewCount" WHERE ("accountId", "embedId", "day", "site") >
          (${row?.accountId ?? ''}, ${row?.embedId ?? ''}, ${row?.day ?? ''}, ${row?.site ?? ''})
        ORDER BY "accountId", "embedId", "day", "site" ${Prisma.raw(`LIMIT ${limit}`)}`,
    insert: (rows) => client.viewCount.createMany({ data: [...rows] }),
  };
  const others = [keys, imports, auditEvents, webhooks, deliveries, views];
  return [accounts, tokens, embeds, ...others] as unknown as readonly CopiedTable[];
}

function after(row: { readonly id: string } | null) {
  return { ...(row && { where: { id: { gt: row.id } } }), orderBy: { id: 'asc' as const } };
}

/** The methods that all models of Prisma have. */
interface Delegate<Row> {
  findFirst(args: object): PromiseLike<unknown>;
  findMany(args: object): PromiseLike<readonly unknown[]>;
  createMany(args: { readonly data: Row[] }): PromiseLike<unknown>;
}

/** Describes a table whose key is the account and a column. */
function keyedTable<Row extends { readonly accountId: string }>(
  name: string,
  model: Delegate<never>,
  column: string & keyof Row,
): Table<Row> {
  return {
    name,
    last: async () => (await model.findFirst({ orderBy: [{ accountId: 'desc' }, { [column]: 'desc' }] })) as Row | null,
    readAfter: async (row, take) => {
      const { accountId, [column]: key } = row ?? ({} as Partial<Row>);
      const where = row && { OR: [{ accountId: { gt: accountId } }, { accountId, [column]: { gt: key } }] };
      const orderBy = [{ accountId: 'asc' }, { [column]: 'asc' }];
      return (await model.findMany({ ...(where && { where }), orderBy, take })) as readonly Row[];
    },
    insert: async (rows) => model.createMany({ data: [...rows] as never[] }),
  };
}
