import { setImmediate as nextTurn } from 'node:timers/promises';
import { createDeliveryId, type Delivery, MAX_WAITING, markOf, type Webhook } from '../../domain/webhook.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { mapDatabaseErrors } from '../prisma/errors.ts';
import { toWebhook } from './webhooks.ts';

/** A delivery with what its message is made of. */
export interface OutboxDelivery extends Delivery {
  readonly webhook: Webhook;
  /** The row of the embed or token, in JSON. */
  readonly data: string;
}

type WaitingWebhook = Pick<Webhook, 'accountId' | 'id' | 'url' | 'failingSince'>;

export interface NewDelivery extends Pick<Delivery, 'accountId' | 'webhookId' | 'type' | 'createdAt' | 'dueAt'> {
  readonly subjectId: string;
  readonly sequence: number;
  readonly data: string;
  /** The same for each addition of one event: a mark that is known adds nothing. Omitted for an event that is added once. */
  readonly mark?: string;
}

type Key = Pick<Delivery, 'accountId' | 'id'>;
/** Rows of one statement: on SQLite, nothing else runs meanwhile. */
const MAX_INSERTED = 500;
/** Webhooks that one poll regards, chosen at random, so that none can keep the others out. */
const MAX_REGARDED = 1_000;

type Outcome = Pick<Delivery, 'status' | 'response' | 'dueAt' | 'deliveredAt'>;

/** The deliveries of all accounts. Triggers add those of embeds and tokens. */
export interface Outbox {
  /** Adds deliveries of one account. Those that are known are due again, with their ids. Returns the ids. */
  add(deliveries: readonly NewDelivery[]): Promise<readonly string[]>;
  /** Returns the webhooks with deliveries whose time has come, in a random order. */
  findWaiting(now: Date): Promise<readonly WaitingWebhook[]>;
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
  /** Returns the webhooks for which too many deliveries wait. */
  findOverfull(): Promise<readonly Pick<Webhook, 'accountId' | 'id'>[]>;
  /** Returns the webhooks of all accounts that receive an event of pages. */
  findPageWebhooks(): Promise<readonly Webhook[]>;
}

export function openOutbox(client: PrismaClient): Outbox {
  async function find({ accountId, id }: Key): Promise<OutboxDelivery | null> {
    const row = await mapDatabaseErrors(() =>
      client.webhookDelivery.findUnique({ where: { accountId_id: { accountId, id } }, include: { webhook: true } }),
    );
    return row && { ...row, webhook: toWebhook(row.webhook) };
  }

  /** Returns the ids of the deliveries that were added before, by their marks. */
  async function findKnown(deliveries: readonly NewDelivery[]): Promise<ReadonlyMap<string, string>> {
    const marked = deliveries.filter(({ mark }) => mark !== undefined);
    const [first] = marked;
    if (!first) return new Map();
    const subjectIds = [...new Set(marked.map(({ subjectId }) => subjectId))];
    const where = { accountId: first.accountId, subjectId: { in: subjectIds } };
    const rows = await mapDatabaseErrors(() => client.webhookDelivery.findMany({ where, select: { id: true } }));
    return new Map(rows.map(({ id }) => [markOf(id), id]));
  }

  async function makeDue(deliveries: readonly Key[], dueAt: Date | null): Promise<void> {
    const [first] = deliveries;
    if (!first || !dueAt) return;
    const where = { accountId: first.accountId, id: { in: deliveries.map(({ id }) => id) } };
    const isLater = { OR: [{ dueAt: null }, { dueAt: { gt: dueAt } }] };
    await mapDatabaseErrors(() =>
      client.webhookDelivery.updateMany({ where: { ...where, ...isLater }, data: { dueAt } }),
    );
  }

  async function addPart(deliveries: readonly NewDelivery[]): Promise<readonly string[]> {
    const known = await findKnown(deliveries);
    const idOf = ({ createdAt, mark }: NewDelivery) => known.get(mark ?? '') ?? createDeliveryId(createdAt, mark);
    const rows = deliveries.map((delivery) => ({ delivery, id: idOf(delivery) }));
    const data = rows
      .filter(({ delivery: { mark = '' } }) => !known.has(mark))
      .map(({ id, delivery: { mark: _, ...row } }) => ({ ...row, id }));
    if (data.length > 0) await mapDatabaseErrors(() => client.webhookDelivery.createMany({ data }));
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
      for (let start = 0; start < deliveries.length; start += MAX_INSERTED) {
        if (start > 0) await nextTurn();
        ids.push(...(await addPart(deliveries.slice(start, start + MAX_INSERTED))));
      }
      return ids;
    },

    async findWaiting(now) {
      const due = { where: { dueAt: { lte: now } }, select: { id: true } };
      if (!(await mapDatabaseErrors(() => client.webhookDelivery.findFirst(due)))) return [];
      return mapDatabaseErrors(
        () => client.$queryRaw<WaitingWebhook[]>`
          SELECT w."accountId", w."id", w."url", w."failingSince" FROM "Webhook" AS w
          WHERE w."disabledAt" IS NULL AND EXISTS (
            SELECT 1 FROM "WebhookDelivery" AS d
            WHERE d."accountId" = w."accountId" AND d."webhookId" = w."id" AND d."dueAt" <= ${now}
          )
          ORDER BY RANDOM() LIMIT ${Prisma.raw(String(MAX_REGARDED))}`,
      );
    },

    findDue: ({ accountId, id }, now, limit) =>
      mapDatabaseErrors(
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
      const { count } = await mapDatabaseErrors(() => client.webhookDelivery.updateMany({ where, data: claimed }));
      return count === 1 ? { ...delivery, ...claimed } : null;
    },

    async record({ accountId, id, dueAt, attempts }, outcome) {
      const where = { accountId, id, dueAt, attempts };
      await mapDatabaseErrors(() => client.webhookDelivery.updateMany({ where, data: outcome }));
    },

    async markFailing({ accountId, id }, failingSince) {
      const where = { accountId, id, failingSince: failingSince ? null : { not: null } };
      await mapDatabaseErrors(() => client.webhook.updateMany({ where, data: { failingSince } }));
    },

    async findOverfull() {
      const rows = await mapDatabaseErrors(() =>
        client.webhookDelivery.groupBy({
          ...{ by: ['accountId', 'webhookId'], where: { dueAt: { not: null } } },
          having: { id: { _count: { gt: MAX_WAITING } } },
        }),
      );
      return rows.map(({ accountId, webhookId: id }) => ({ accountId, id }));
    },

    async findPageWebhooks() {
      const where = { disabledAt: null, events: { contains: ' page.' } };
      return (await mapDatabaseErrors(() => client.webhook.findMany({ where }))).map(toWebhook);
    },
  };
}
