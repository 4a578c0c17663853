import type { CursorPage, CursorPaging } from '../../domain/identity/cursor-paging.ts';
import {
  ATTEMPT_LEASE_MS,
  createSecret,
  type Delivery,
  eventTypeOf,
  KEPT_DELIVERIES,
  MAX_WEBHOOKS,
  ROTATION_MS,
  tooManyWebhooks,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
  type WebhookValues,
  webhookNotFound,
} from '../../domain/webhook.ts';
import { Refusal } from '../../errors.ts';
import { Prisma, type Webhook as WebhookRow } from '../../generated/prisma/client.ts';
import type { Engine } from '../engine.ts';
import type { Executor } from '../executor.ts';
import { changeAll, MAX_CHANGED } from '../performance/partial-changes.ts';
import { readCursorPage } from '../prisma/cursor-page.ts';
import { mapDatabaseErrors } from '../prisma/errors.ts';

interface UpdatedWebhook {
  readonly webhook: Webhook;
  readonly before: Webhook;
}

export interface WebhookStore {
  /** @throws {Refusal} `conflict` if the account has 20 webhooks */
  insert(webhook: Webhook): Promise<void>;
  find(accountId: string, id: string): Promise<Webhook | null>;
  /** Newest first. */
  findPage(accountId: string, paging: CursorPaging): Promise<CursorPage<Webhook>>;
  count(accountId: string): Promise<number>;
  /** @throws {Refusal} `conflict` after 20 simultaneous updates, or `not_found`, like the methods below */
  update(accountId: string, id: string, values: WebhookValues): Promise<UpdatedWebhook>;
  /** Gives the webhook a new secret. The one before signs too for 24 hours. */
  rotateSecret(accountId: string, id: string): Promise<Webhook>;
  /**
   * Ends the deliveries that wait. They count as failed.
   * @param failingSince omitted, or the start of the failure that must last. Returns false if it has ended.
   */
  disable(accountId: string, id: string, reason: string, failingSince?: Date): Promise<boolean>;
  /** Returns the webhook as it was. */
  delete(accountId: string, id: string): Promise<Webhook>;
  /** Deletes the finished deliveries of a webhook except for the last 100. */
  trim(accountId: string, id: string): Promise<void>;
  /** Returns the deliveries of a webhook, newest first: those that wait, and the last 100 others. */
  findDeliveries(accountId: string, webhookId: string, paging: CursorPaging): Promise<CursorPage<Delivery>>;
  countDeliveries(accountId: string, webhookId: string): Promise<number>;
}

const MAX_UPDATE_TRIES = 20;
const NEWEST_FIRST = { orderBy: { id: 'desc' } } as const;

type Deliveries = Prisma.WebhookDeliveryWhereInput & { readonly accountId: string };

export function openWebhooks({ client, rowLock, executor, now }: Engine): WebhookStore {
  const { runRequest: run } = executor;
  const { deleteAllButLast, retryNow } = createPartialChanges(client, run, now);

  const findRow = (accountId: string, id: string) =>
    run(accountId, () => client.webhook.findUnique({ where: { accountId_id: { accountId, id } } }));

  async function find(accountId: string, id: string): Promise<Webhook | null> {
    const row = await findRow(accountId, id);
    return row && toWebhook(row);
  }

  async function requireWebhook(accountId: string, id: string): Promise<Webhook> {
    const webhook = await find(accountId, id);
    if (!webhook) throw webhookNotFound();
    return webhook;
  }

  async function change(
    where: Prisma.WebhookWhereInput & { accountId: string; id: string },
    data: Prisma.WebhookUpdateManyMutationInput,
  ) {
    await run(where.accountId, () => client.webhook.updateMany({ where, data }));
    return requireWebhook(where.accountId, where.id);
  }

  async function disable(
    accountId: string,
    webhookId: string,
    disabledReason: string | null,
    failingSince?: Date,
  ): Promise<Webhook> {
    const where = { accountId, id: webhookId, disabledAt: null, ...(failingSince && { failingSince }) };
    const webhook = await change(where, { disabledAt: now(), disabledReason });
    if (webhook.disabledAt === null) return webhook;
    const waiting = { accountId, webhookId, dueAt: { not: null } };
    await deleteAllButLast(waiting);
    await run(accountId, () => client.webhookDelivery.updateMany({ where: waiting, data: { dueAt: null } }));
    await deleteAllButLast({ accountId, webhookId, dueAt: null });
    return webhook;
  }

  return {
    find,

    async insert({ accountId, id, url, events, secret, createdAt }) {
      const insert = () => client.$executeRaw`
        INSERT INTO "Webhook" ("accountId", "id", "url", "events", "secret", "createdAt")
        SELECT ${accountId}, ${id}, ${url}, ${toColumn(events)}, ${secret}, ${createdAt}
        WHERE (SELECT COUNT(*) FROM "Webhook" WHERE "accountId" = ${accountId}) < ${MAX_WEBHOOKS}`;
      async function insertAfterOthers(): Promise<number> {
        // a simultaneous insert waits, and then counts this one
        const lock = client.$queryRaw`SELECT 1 FROM "Account" WHERE "id" = ${accountId} ${rowLock}`;
        const [, inserted] = await client.$transaction([lock, insert()]);
        return inserted;
      }
      // on the single connection of a SQLite file, a transaction would include the writes of other requests
      const isOneStatement = rowLock === Prisma.empty;
      const count = await run(accountId, async () =>
        isOneStatement ? insert() : mapDatabaseErrors(insertAfterOthers),
      );
      if (count === 0) throw tooManyWebhooks();
    },

    findPage: (accountId, paging) =>
      run(accountId, () =>
        readCursorPage(paging, async (id, take) =>
          (await client.webhook.findMany({ where: { accountId, id }, ...NEWEST_FIRST, take })).map(toWebhook),
        ),
      ),

    count: (accountId) => run(accountId, () => client.webhook.count({ where: { accountId } })),

    async update(accountId, id, { url, events, enabled }) {
      const enabling = { disabledAt: null, disabledReason: null, failingSince: null };
      for (let tries = 0; tries < MAX_UPDATE_TRIES; tries++) {
        const row = await findRow(accountId, id);
        if (!row) throw webhookNotFound();
        const isMoved = url !== undefined && row.url !== url;
        const data = {
          ...(isMoved && { url, failingSince: null }),
          ...(events && { events: toColumn(events) }),
          ...(enabled && enabling),
        };
        // a simultaneous update is what this one replaces
        const where = { accountId, id, url: row.url, events: row.events, disabledAt: row.disabledAt };
        // without a change, Prisma counts no row
        const isChanged = Object.keys(data).length > 0;
        const write = () => client.webhook.updateMany({ where, data });
        if (isChanged && (await run(accountId, write)).count === 0) continue;
        if (isMoved || enabled) await retryNow(accountId, id);
        const webhook = toWebhook({ ...row, ...data });
        const isDisabled = enabled === false && !webhook.disabledAt;
        return { webhook: isDisabled ? await disable(accountId, id, null) : webhook, before: toWebhook(row) };
      }
      throw new Refusal('conflict', 'Others keep changing this webhook; try again.', [], 1);
    },

    async rotateSecret(accountId, id) {
      const { secret: previousSecret } = await requireWebhook(accountId, id);
      const previousSecretUntil = new Date(now().getTime() + ROTATION_MS);
      const data = { secret: createSecret(), previousSecret, previousSecretUntil };
      // of simultaneous rotations one counts, and all return its secret
      return change({ accountId, id, secret: previousSecret }, data);
    },

    disable: async (...args) => (await disable(...args)).disabledAt !== null,

    async delete(accountId, id) {
      const webhook = await disable(accountId, id, null);
      await run(accountId, () => client.webhook.deleteMany({ where: { accountId, id } }));
      return webhook;
    },

    trim: (accountId, webhookId) => deleteAllButLast({ accountId, webhookId, dueAt: null }),

    findDeliveries: (accountId, webhookId, paging) =>
      run(accountId, () =>
        readCursorPage(paging, (id, take) =>
          client.webhookDelivery.findMany({ where: { accountId, webhookId, id }, ...NEWEST_FIRST, take }),
        ),
      ),

    countDeliveries: (accountId, webhookId) =>
      run(accountId, () => client.webhookDelivery.count({ where: { accountId, webhookId } })),
  };
}

/** Creates changes of many deliveries of an account, of which one statement changes some. */
function createPartialChanges(client: Engine['client'], run: Executor['runRequest'], now: () => Date) {
  function deleteAllButLast(where: Deliveries): Promise<void> {
    const found = { where, ...NEWEST_FIRST, skip: KEPT_DELIVERIES };
    return changeParts(found, (part) => client.webhookDelivery.deleteMany({ where: part }));
  }

  /** Makes the deliveries of a webhook due that wait for a retry. */
  async function retryNow(accountId: string, webhookId: string): Promise<void> {
    // of attempts that run, the time is nearer
    const dueAt = { gt: new Date(now().getTime() + 2 * ATTEMPT_LEASE_MS) };
    const data = { dueAt: now() };
    await changeParts({ where: { accountId, webhookId, dueAt } }, (where) =>
      client.webhookDelivery.updateMany({ where, data }),
    );
  }

  function changeParts(
    found: { readonly where: Deliveries; readonly skip?: number; readonly orderBy?: { readonly id: 'desc' } },
    change: (where: Prisma.WebhookDeliveryWhereInput) => PromiseLike<unknown>,
  ): Promise<void> {
    const { where } = found;
    return changeAll(() =>
      run(where.accountId, async () => {
        const rows = await client.webhookDelivery.findMany({ ...found, take: MAX_CHANGED, select: { id: true } });
        if (rows.length > 0) await change({ ...where, id: { in: rows.map(({ id }) => id) } });
        return rows.length;
      }),
    );
  }

  return { deleteAllButLast, retryNow };
}

function toColumn(events: readonly WebhookEvent[]): string {
  return ` ${events.map(eventTypeOf).join(' ')} `;
}

export function toWebhook<Row extends Pick<WebhookRow, 'events'>>(row: Row) {
  const names = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[];
  return { ...row, events: names.filter((event) => row.events.includes(` ${eventTypeOf(event)} `)) };
}
