import type { Embed } from '../../domain/embed/embed.ts';
import type {
  Account,
  AuditEvent,
  IdempotentCreate,
  Import,
  Token,
  ViewCount,
  Webhook,
  WebhookDelivery,
} from '../../generated/prisma/client.ts';
import { STORED_FIELDS } from '../embeds/sql.ts';
import type { Engine } from '../engine.ts';

/** A table, in the order of its key. Each method takes rows that another one of the same table has returned. */
export interface CopiedTable<Row extends object = object> {
  readonly name: string;
  count(): Promise<number>;
  last(): Promise<Row | null>;
  readAfter(row: Row | null, limit: number): Promise<readonly Row[]>;
  insert(rows: readonly Row[]): Promise<unknown>;
}

export function copiedTables({ client, sql, shards }: Engine): readonly CopiedTable[] {
  // triggers count the total as embeds are inserted
  const columns = { id: true, createdAt: true, settings: true } as const;
  const accounts = keyedTable<Pick<Account, keyof typeof columns>>('accounts', client.account, ['id'], columns);
  const tokens = keyedTable<Token>('tokens', client.token, ['id']);
  const fields = Object.fromEntries(STORED_FIELDS.map((name) => [name, true])) as Record<keyof Embed, true>;
  const embeds: CopiedTable<Embed> = {
    ...keyedTable<Embed>('embeds', client.embed, ['id'], fields),
    async insert(rows) {
      await shards?.addOldIds(rows);
      await client.$executeRaw(sql.insert(rows));
    },
  };
  const keys = keyedTable<IdempotentCreate>('keys', client.idempotentCreate, ['accountId', 'key']);
  const imports = keyedTable<Import>('imports', client.import, ['accountId', 'content']);
  const auditEvents = keyedTable<AuditEvent>('audit events', client.auditEvent, ['accountId', 'id']);
  // after the tables whose triggers write deliveries, so that copied rows are no events
  const webhooks = keyedTable<Webhook>('webhooks', client.webhook, ['accountId', 'id']);
  const deliveries = keyedTable<WebhookDelivery>('deliveries', client.webhookDelivery, ['accountId', 'id']);
  const views = keyedTable<ViewCount>('views', client.viewCount, ['accountId', 'embedId', 'day', 'site']);
  const others = [keys, imports, auditEvents, webhooks, deliveries, views];
  return [accounts, tokens, embeds, ...others];
}

/** The methods that all models of Prisma have. */
interface Delegate<Row> {
  count(): PromiseLike<number>;
  findFirst(args: object): PromiseLike<unknown>;
  findMany(args: object): PromiseLike<readonly unknown[]>;
  createMany(args: { readonly data: Row[] }): PromiseLike<unknown>;
}

/** Describes a table by the columns of its key. @param select the copied columns; all if omitted */
function keyedTable<Row extends object>(
  name: string,
  model: Delegate<never>,
  key: readonly (string & keyof Row)[],
  select?: Readonly<Record<keyof Row, true>>,
): CopiedTable<Row> {
  const orderBy = (direction: 'asc' | 'desc') => key.map((column) => ({ [column]: direction }));
  return {
    name,
    count: async () => model.count(),
    last: async () => (await model.findFirst({ orderBy: orderBy('desc') })) as Row | null,
    async readAfter(row, take) {
      // a statement for each column, because one for all would read the index from its beginning
      const rows: Row[] = [];
      const columns = row ? key.toReversed() : key.slice(0, 1);
      for (const [i, column] of columns.entries()) {
        if (rows.length === take) break;
        const equal = columns.slice(i + 1).map((each) => [each, row?.[each]]);
        const where = row && { where: { ...Object.fromEntries(equal), [column]: { gt: row[column] } } };
        const page = { orderBy: orderBy('asc'), take: take - rows.length, ...(select && { select }) };
        rows.push(...((await model.findMany({ ...where, ...page })) as readonly Row[]));
      }
      return rows;
    },
    insert: async (rows) => model.createMany({ data: [...rows] as never[] }),
  };
}
