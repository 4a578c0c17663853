import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_CLOCK_SKEW_MS } from '../../domain/clock.ts';
import {
  createDeliveryId,
  type Delivery,
  MAX_DUE_MS,
  MAX_WAITING_DELIVERIES,
  markOf,
  timeOfDelivery,
  type Webhook,
} from '../../domain/webhook.ts';
import { Prisma, type Webhook as WebhookRow } from '../../generated/prisma/client.ts';
import type { IndexSql } from '../embeds/posting-lists.ts';
import type { Engine } from '../engine.ts';
import type { Executor } from '../executor.ts';
import { changeAll, MAX_CHANGED } from '../performance/partial-changes.ts';
import type { Shards } from '../postgresql/citus/shards.ts';
import { isReferenceMissing } from '../prisma/errors.ts';
import { toWebhook } from './webhooks.ts';

/** A delivery with what its message is made of. */
export interface OutboxDelivery extends Delivery {
  readonly webhook: Webhook;
  /** The row of the embed or token, in JSON. */
  readonly data: string;
}

type DueWebhook = Pick<Webhook, 'accountId' | 'id' | 'url' | 'failingSince'>;

export interface NewDelivery extends Pick<Delivery, 'accountId' | 'webhookId' | 'type' | 'createdAt' | 'dueAt'> {
  readonly subjectId: string;
  readonly sequence: number;
  readonly data: string;
  /** The same for each addition of one event: a mark that is known adds nothing. Omitted for an event that is added once. */
  readonly mark?: string;
}

type NewRow = Omit<NewDelivery, 'mark'> & Pick<Delivery, 'id'>;

type Key = Pick<Delivery, 'accountId' | 'id'>;

/** In the column of the events. */
const PAGE_EVENTS = '% page.%';
/** Webhooks that one poll regards, chosen at random, so that none can keep the others out. */
const MAX_REGARDED = 1_000;

type Outcome = Pick<Delivery, 'status' | 'response' | 'dueAt' | 'deliveredAt'>;

/** The deliveries of all accounts. Triggers add those of embeds and tokens. */
export interface Outbox {
  /**
   * Adds deliveries of one account, except for those of webhooks that are deleted meanwhile. Those that are known are due again,
   * with their ids. Returns the ids.
   */
  add(deliveries: readonly NewDelivery[]): Promise<readonly string[]>;
  /** Returns the webhooks with deliveries whose time has come, in a random order. */
  findDueWebhooks(now: Date): Promise<readonly DueWebhook[]>;
  /** Returns deliveries of a webhook whose time has come and that no earlier one of the same embed or token precedes. */
  findDue(webhook: Pick<Webhook, 'accountId' | 'id'>, now: Date, limit: number): Promise<readonly Key[]>;
  find(key: Key): Promise<OutboxDelivery | null>;
  /** Makes deliveries of one account due at a time, or leaves their earlier ones. */
  makeDue(deliveries: readonly Key[], dueAt: Date | null): Promise<void>;
  /** Begins an attempt. Returns null if another process has begun one, which has until the given time. */
  claim(delivery: OutboxDelivery, at: Date, until: Date): Promise<OutboxDelivery | null>;
  /** Ends an attempt. Has no effect after its time has passed and another process has begun one. */
  record(claimed: OutboxDelivery, outcome: Outcome): Promise<void>;
  markFailing(webhook: Webhook, since: Date | null): Promise<void>;
  /** Makes deliveries due whose time was set before the clock was moved back. */
  makeLateDue(now: Date): Promise<void>;
  /** Returns the webhooks for which too many deliveries wait. */
  findOverfullWebhooks(): Promise<readonly Pick<Webhook, 'accountId' | 'id'>[]>;
  /** Returns the webhooks of accounts with an embed of a page that receive an event of pages. */
  findPageWebhooks(pageId: string): Promise<readonly PageWebhook[]>;
}

export type PageWebhook = Pick<Webhook, 'accountId' | 'id' | 'events'>;

/** With shards, a statement is about accounts of one shard, whose node may be away. */
export function openOutbox({ client, sql, shards, executor }: Engine): Outbox {
  const { runStatement: run } = executor;
  const readAll = createReaderOfAll(shards);
  const insert = createInsert(client, run);
  const makeDue = createMakeDue(client, run);

  async function find({ accountId, id }: Key): Promise<OutboxDelivery | null> {
    const row = await run(accountId, () =>
      client.webhookDelivery.findUnique({ where: { accountId_id: { accountId, id } }, include: { webhook: true } }),
    );
    // two statements read them: the webhook may be deleted meanwhile, and then its deliveries
    return row?.webhook ? { ...row, webhook: toWebhook(row.webhook) } : null;
  }

  /** Returns the ids of the deliveries of the same embeds that were added before, by their marks. */
  async function findKnown(deliveries: readonly NewDelivery[]): Promise<ReadonlyMap<string, string>> {
    const marked = deliveries.filter(({ mark }) => mark !== undefined);
    const [first] = marked;
    if (!first) return new Map();
    const subjectIds = [...new Set(marked.map(({ subjectId }) => subjectId))];
    const where = { accountId: first.accountId, subjectId: { in: subjectIds } };
    const rows = await run(first.accountId, () => client.webhookDelivery.findMany({ where, select: { id: true } }));
    return new Map(rows.map(({ id }) => [markOf(id), id]));
  }

  async function addPart(deliveries: readonly NewDelivery[]): Promise<readonly string[]> {
    const known = await findKnown(deliveries);
    // those of one version of an embed are in the order of their ids, also when the clock is moved back
    const leastMs = [...known.values()].reduce((ms, id) => Math.max(ms, timeOfDelivery(id) + 1), 0);
    const idOf = ({ createdAt, mark }: NewDelivery) =>
      known.get(mark ?? '') ?? createDeliveryId(new Date(Math.max(createdAt.getTime(), leastMs)), mark);
    const rows = deliveries.map((delivery) => ({ delivery, id: idOf(delivery) }));
    const data = rows.flatMap(({ id, delivery: { mark = '', ...row } }) => (known.has(mark) ? [] : { ...row, id }));
    // without those of a webhook that was deleted meanwhile
    if (!(await insert(data)))
      for (const part of Map.groupBy(data, ({ webhookId }) => webhookId).values()) await insert(part);
    const repeated = rows.filter(({ delivery: { mark = '' } }) => known.has(mark));
    const keys = repeated.map(({ id, delivery: { accountId } }) => ({ accountId, id }));
    await makeDue(keys, deliveries[0]?.dueAt ?? null);
    return rows.map(({ id }) => id);
  }

  return {
    find,
    makeDue,

    async add(deliveries) {
      const ids: string[] = [];
      for (let start = 0; start < deliveries.length; start += MAX_CHANGED) {
        if (start > 0) await nextTurn();
        ids.push(...(await addPart(deliveries.slice(start, start + MAX_CHANGED))));
      }
      return ids;
    },

    async findDueWebhooks(now) {
      const due = { where: { dueAt: { lte: now } }, select: { id: true } };
      if (!shards && !(await client.webhookDelivery.findFirst(due))) return [];
      return readAll(
        (isOf) => client.$queryRaw<DueWebhook[]>`
          SELECT w."accountId", w."id", w."url", w."failingSince" FROM "Webhook" AS w
          WHERE ${isOf('w')} AND w."disabledAt" IS NULL AND EXISTS (
            SELECT 1 FROM "WebhookDelivery" AS d
            WHERE ${isOf('d')} AND d."accountId" = w."accountId" AND d."webhookId" = w."id" AND d."dueAt" <= ${now}
          )
          ORDER BY RANDOM() LIMIT ${Prisma.raw(String(MAX_REGARDED))}`,
      );
    },

    findDue: ({ accountId, id }, now, limit) =>
      run(
        accountId,
        () => client.$queryRaw<Key[]>`
          SELECT d."accountId", d."id" FROM "WebhookDelivery" AS d
          WHERE d."accountId" = ${accountId} AND d."webhookId" = ${id} AND d."dueAt" <= ${now} AND NOT EXISTS (
            SELECT 1 FROM "WebhookDelivery" AS e
            WHERE e."accountId" = d."accountId" AND e."subjectId" = d."subjectId" AND e."webhookId" = d."webhookId"
              AND e."dueAt" IS NOT NULL
              AND (e."sequence" < d."sequence" OR (e."sequence" = d."sequence" AND e."id" < d."id"))
          )
          ORDER BY d."dueAt" LIMIT ${Prisma.raw(String(limit))}`,
      ),

    async claim(delivery, attemptedAt, dueAt) {
      const { accountId, id } = delivery;
      const claimed = { attemptedAt, dueAt, attempts: delivery.attempts + 1 };
      const where = { accountId, id, dueAt: delivery.dueAt, attempts: delivery.attempts };
      const { count } = await run(accountId, () => client.webhookDelivery.updateMany({ where, data: claimed }));
      return count === 1 ? { ...delivery, ...claimed } : null;
    },

    async record({ accountId, id, dueAt, attempts }, outcome) {
      const where = { accountId, id, dueAt, attempts };
      await run(accountId, () => client.webhookDelivery.updateMany({ where, data: outcome }));
    },

    async markFailing({ accountId, id }, failingSince) {
      const where = { accountId, id, failingSince: failingSince ? null : { not: null } };
      await run(accountId, () => client.webhook.updateMany({ where, data: { failingSince } }));
    },

    makeLateDue: (now) =>
      changeAll(async () => {
        const longest = new Date(now.getTime() + MAX_DUE_MS + MAX_CLOCK_SKEW_MS);
        const late = await readAll(
          (isOf) => client.$queryRaw<Key[]>`
            SELECT "accountId", "id" FROM "WebhookDelivery" AS d
            WHERE ${isOf('d')} AND "dueAt" > ${longest} LIMIT ${Prisma.raw(String(MAX_CHANGED))}`,
        );
        for (const keys of Map.groupBy(late, ({ accountId }) => accountId).values()) await makeDue(keys, now);
        return late.length;
      }),

    findOverfullWebhooks: () =>
      readAll(
        (isOf) => client.$queryRaw<Pick<Webhook, 'accountId' | 'id'>[]>`
          SELECT "accountId", "webhookId" AS "id" FROM "WebhookDelivery" AS d WHERE ${isOf('d')} AND "dueAt" IS NOT NULL
          GROUP BY "accountId", "webhookId" HAVING COUNT(*) > ${MAX_WAITING_DELIVERIES}`,
      ),

    async findPageWebhooks(pageId) {
      const read = (isOf: IsOfAccounts) =>
        client.$queryRaw<Pick<WebhookRow, keyof PageWebhook>[]>(selectPageWebhooks(sql.index, pageId, isOf));
      return (await readAll(read, shards?.readWebhookAccounts)).map(toWebhook);
    },
  };
}

/** Creates a function that inserts rows of one account. It returns false, and adds nothing, if one of the webhooks is not there. */
function createInsert({ webhookDelivery }: Engine['client'], run: Executor['runStatement']) {
  return async (data: NewRow[]): Promise<boolean> => {
    const [first] = data;
    if (!first) return true;
    try {
      await run(first.accountId, () => webhookDelivery.createMany({ data }));
      return true;
    } catch (error) {
      if (isReferenceMissing(error)) return false;
      throw error;
    }
  };
}

function createMakeDue({ webhookDelivery }: Engine['client'], run: Executor['runStatement']): Outbox['makeDue'] {
  return async (deliveries, dueAt) => {
    const [first] = deliveries;
    if (!first || !dueAt) return;
    const where = { accountId: first.accountId, id: { in: deliveries.map(({ id }) => id) } };
    const isLater = { OR: [{ dueAt: null }, { dueAt: { gt: dueAt } }] };
    await run(first.accountId, () => webhookDelivery.updateMany({ where: { ...where, ...isLater }, data: { dueAt } }));
  };
}

/** Returns the condition that rows are of some accounts. Citus reads one node only if all tables of a statement have it. */
type IsOfAccounts = (table: 'w' | 'd' | 'e') => Prisma.Sql;

function selectPageWebhooks(index: IndexSql, pageId: string, isOf: IsOfAccounts): Prisma.Sql {
  return Prisma.sql`
    SELECT w."accountId", w."id", w."events" FROM "Webhook" AS w
    WHERE ${isOf('w')} AND w."disabledAt" IS NULL AND w."events" LIKE ${PAGE_EVENTS}
      AND ${index.hasPage(Prisma.sql`w."accountId"`, pageId, isOf('e'))}`;
}

/** Creates a function that reads rows of all accounts whose node answers. */
function createReaderOfAll(shards: Shards | null) {
  return async <Row>(
    read: (isOf: IsOfAccounts) => Promise<readonly Row[]>,
    findAccounts = shards?.findWebhookAccounts,
  ): Promise<readonly Row[]> => {
    if (!shards || !findAccounts) return read(() => Prisma.sql`TRUE`);
    return shards.forEachShard(await findAccounts(), 'statements', (ids) =>
      read((table) => Prisma.sql`${Prisma.raw(table)}."accountId" = ANY(${ids}::text[])`),
    );
  };
}
