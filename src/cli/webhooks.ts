import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { spellValue, withRestNames } from '../domain/input/parameters.ts';
import {
  auditFactsOf,
  createWebhook,
  DELIVERY_ID,
  type Delivery,
  deliveryNotFound,
  deliveryStateOf,
  eventTypeOf,
  KEPT_DELIVERIES,
  NEW_WEBHOOK_PARAMETERS,
  parseNewWebhook,
  parseWebhookUpdate,
  parseWebhookValues,
  TEST_EVENT_TYPE,
  WEBHOOK_UPDATE_PARAMETERS,
  type Webhook,
  type WebhookValues,
  webhookNotFound,
} from '../domain/webhook.ts';
import type { WebhookAuditEvent } from '../store/audit/audit.ts';
import type { Database } from '../store/database.ts';
import type { WebhookStore } from '../store/webhooks/webhooks.ts';
import { readOptions, withParameters } from './options.ts';
import {
  type AccountOptions,
  accountOption,
  addSubcommand,
  createCommand,
  createParser,
  printResult,
  toTable,
} from './program.ts';
import { BY, InputError, requireAccount, withDatabase } from './run.ts';

const CREATE_PARAMETERS = NEW_WEBHOOK_PARAMETERS.rest;
/** The commands `enable` and `disable` set the rest. */
const UPDATE_PARAMETERS = { all: WEBHOOK_UPDATE_PARAMETERS.rest.all.filter(({ name }) => name !== 'enabled') };

const parseDeliveryId = createParser(
  (text) => DELIVERY_ID.test(text),
  'It must be the id of a delivery, as deliveries shows it.',
);

/** @throws {InputError} if the service sends nothing to the webhook */
function requireEnabled({ id, disabledAt }: Webhook): void {
  if (disabledAt) throw new InputError(`The webhook ${id} is disabled. Enable it first.`);
}

async function requireWebhook(webhooks: WebhookStore, accountId: string, id: string): Promise<Webhook> {
  const webhook = await webhooks.find(accountId, id);
  if (!webhook) throw webhookNotFound();
  return webhook;
}

/** Changes a webhook, and records that. The work also returns the webhook before an update. */
function change(
  event: WebhookAuditEvent,
  work: (database: Database) => Promise<{ readonly webhook: Webhook; readonly before?: Webhook }>,
): Promise<Webhook> {
  return withDatabase(async (database) => {
    const { webhook, before } = await work(database);
    database.audit.record({ event, ...auditFactsOf(webhook, before), by: BY });
    return webhook;
  });
}

async function update(id: string, options: AccountOptions, values: WebhookValues, done: string): Promise<void> {
  const webhook = await change('webhook.updated', ({ webhooks }) => webhooks.update(options.account, id, values));
  printResult(options, { webhook: toJson(webhook) }, [`Webhook ${id} is ${done}.`]);
}

async function list(options: AccountOptions): Promise<void> {
  const paging = { size: 100, after: undefined };
  const { rows } = await withDatabase(async (database) => {
    await requireAccount(database, options.account);
    return database.webhooks.findPage(options.account, paging);
  });
  const cells = rows.map(({ id, url, events, disabledAt, failingSince }) => [
    ...[id, disabledAt ? 'disabled' : failingSince ? 'failing' : 'good', url],
    events.map(eventTypeOf).join(','),
  ]);
  printResult(options, { webhooks: rows.map(toJson) }, toTable([['ID', 'STATE', 'URL', 'EVENTS'], ...cells]));
}

async function listDeliveries(id: string, options: AccountOptions): Promise<void> {
  const paging = { size: KEPT_DELIVERIES, after: undefined };
  const { rows } = await withDatabase(async ({ webhooks }) => {
    await requireWebhook(webhooks, options.account, id);
    return webhooks.findDeliveries(options.account, id, paging);
  });
  const cells = rows.map((delivery) => [
    ...[delivery.id, delivery.createdAt.toISOString(), delivery.type],
    ...[deliveryStateOf(delivery).toLowerCase(), String(delivery.attempts), String(delivery.status ?? '')],
    excerptOf(delivery.response ?? ''),
  ]);
  const head = ['ID', 'CREATED', 'EVENT', 'STATE', 'ATTEMPTS', 'STATUS', 'RESPONSE'];
  printResult(options, { deliveries: rows.map(deliveryToJson) }, toTable([head, ...cells]));
}

export function createWebhooksCommand(): Command {
  const command = createCommand(
    'webhooks',
    'Manages the webhooks of an account in the database of DATABASE_URL. The service sends their events.',
  ).summary('Manages webhooks.');

  /** Adds a subcommand with the option of the account. */
  const add = (name: string, description: string) =>
    addSubcommand(command, name, description).addOption(accountOption('the account'));

  /** Adds a subcommand about one webhook. */
  const addFor = (name: string, description: string) =>
    add(name, description).argument('<id>', 'the id of the webhook, as list shows it');

  withParameters(add('create', 'Create a webhook and print its secret.'), CREATE_PARAMETERS).action(
    async (options: AccountOptions) => {
      const config = readConfig();
      const values = readOptions(CREATE_PARAMETERS, options, config, parseWebhookValues);
      const webhook = createWebhook({ accountId: options.account, ...parseNewWebhook(values, config) });
      await change('webhook.created', async (database) => {
        await requireAccount(database, webhook.accountId);
        await database.webhooks.insert(webhook);
        return { webhook };
      });
      if (!options.json) console.error(`Webhook ${webhook.id}. This secret signs its events:`);
      printResult(options, { webhook: toJson(webhook), secret: webhook.secret }, [webhook.secret]);
    },
  );

  add('list', 'List the webhooks of an account.').action(list);
  addFor('deliveries', `List the last ${KEPT_DELIVERIES} deliveries of a webhook, newest first.`).action(
    listDeliveries,
  );

  addFor('test', 'Let the service send an event of the type webhook.test once.').action(
    async (webhookId: string, options: AccountOptions) => {
      const accountId = options.account;
      const delivery = await withDatabase(async ({ webhooks, outbox, now }) => {
        requireEnabled(await requireWebhook(webhooks, accountId, webhookId));
        const at = now();
        const event = { accountId, webhookId, type: TEST_EVENT_TYPE, createdAt: at, dueAt: at };
        const [id = ''] = await outbox.add([{ ...event, subjectId: webhookId, sequence: 0, data: '{}' }]);
        const none = { attemptedAt: null, deliveredAt: null, status: null, response: null };
        return { ...event, id, attempts: 0, ...none };
      });
      printSent(options, delivery);
    },
  );

  add('redeliver', 'Let the service send a delivery again, with the same id.')
    .argument('<id>', 'the id of the delivery, as deliveries shows it', parseDeliveryId)
    .action(async (id: string, options: AccountOptions) => {
      const key = { accountId: options.account, id };
      const delivery = await withDatabase(async ({ outbox, now }) => {
        const found = await outbox.find(key);
        if (!found) throw deliveryNotFound();
        requireEnabled(found.webhook);
        const dueAt = now();
        await outbox.makeDue([key], dueAt);
        return { ...found, dueAt };
      });
      printSent(options, delivery);
    });

  withParameters(addFor('update', 'Change the URL or the events of a webhook.'), UPDATE_PARAMETERS).action(
    async (id: string, options: AccountOptions) => {
      const config = readConfig();
      const given = readOptions(UPDATE_PARAMETERS, options, config, (...sent) =>
        parseWebhookValues(...sent, WEBHOOK_UPDATE_PARAMETERS),
      );
      if (Object.keys(given).length === 0) throw new InputError('Give --url, --events or both.');
      await update(id, options, parseWebhookUpdate({ ...given, id }, config), 'updated');
    },
  );

  addFor('rotate', 'Give a webhook a new secret and print it. For 24 hours, the one before signs too.').action(
    async (id: string, options: AccountOptions) => {
      const webhook = await change('webhook.secret_rotated', async ({ webhooks }) => ({
        webhook: await webhooks.rotateSecret(options.account, id),
      }));
      printResult(options, { webhook: toJson(webhook), secret: webhook.secret }, [webhook.secret]);
    },
  );

  addFor('enable', 'Enable a webhook that was disabled.').action((id: string, options: AccountOptions) =>
    update(id, options, { enabled: true }, 'enabled'),
  );

  addFor('disable', 'Disable a webhook. Events that wait have then failed.').action(
    (id: string, options: AccountOptions) => update(id, options, { enabled: false }, 'disabled'),
  );

  addFor('delete', 'Delete a webhook and its deliveries.').action(async (id: string, options: AccountOptions) => {
    await change('webhook.deleted', async ({ webhooks }) => ({
      webhook: await webhooks.delete(options.account, id),
    }));
    printResult(options, { deleted: id }, [`Webhook ${id} is deleted.`]);
  });
  return command;
}

/** The service polls the outbox. */
function printSent(options: AccountOptions, delivery: Delivery): void {
  const sent = 'A running service sends it within seconds: deliveries shows the result.';
  printResult(options, { delivery: deliveryToJson(delivery) }, [`Delivery ${delivery.id} waits. ${sent}`]);
}

const MAX_EXCERPT_CHARACTERS = 60;

/** Returns the beginning of a response as one line. A receiver must not control the terminal. */
function excerptOf(response: string): string {
  const line = response.replace(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > MAX_EXCERPT_CHARACTERS ? `${line.slice(0, MAX_EXCERPT_CHARACTERS).toWellFormed()}…` : line;
}

/** Returns a webhook with the names of REST, without its secrets. */
function toJson({ id, url, events, createdAt, disabledAt, disabledReason, failingSince }: Webhook): object {
  const types = events.map(eventTypeOf);
  return withRestNames({ id, url, events: types, createdAt, disabledAt, disabledReason, failingSince });
}

/** Returns a delivery with the names of REST. */
function deliveryToJson(delivery: Delivery): object {
  const { id, type, createdAt, dueAt, attempts, attemptedAt, deliveredAt, status, response } = delivery;
  const state = spellValue(deliveryStateOf(delivery));
  const facts = { createdAt, dueAt, attempts, attemptedAt, deliveredAt, status, response };
  return withRestNames({ id, type, state, ...facts });
}
