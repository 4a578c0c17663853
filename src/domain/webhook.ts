import { randomBytes } from 'node:crypto';
import { checkPageUrl, encodePageUrl, type PagePolicy } from '#reader/page-url';
import { PUBLIC_PORTS } from '#reader/public-address';
import { Refusal } from '../errors.ts';
import { changesBetween, type FieldChange } from './embed/field-changes.ts';
import { createEmbedIdGenerator, EMBED_ID } from './embed/id.ts';
import { spellParameters } from './embed/input.ts';
import { cursorParameters } from './identity/cursor-paging.ts';
import { readValues, type SentParameters } from './input/input-reader.ts';
import { type DescribedParameter, namedEntries, type Spelling, textCheck } from './input/parameters.ts';

/** The events that a webhook can receive, with descriptions. */
export const WEBHOOK_EVENTS = {
  EMBED_CREATED: 'An embed was created.',
  EMBED_UPDATED: 'The settings or the source page of an embed changed.',
  EMBED_DELETED: 'An embed was deleted. The event has the embed as it was.',
  PAGE_CHANGED: 'The article of the source page of an embed is another one, or the page has moved.',
  PAGE_STATE_CHANGED:
    'The state of the source page of an embed is another one, such as `GONE`. A page that is fetched for the first time and shown causes none.',
  TOKEN_CREATED: 'A token of the account was created.',
  TOKEN_REVOKED: 'A token of the account was revoked.',
} as const;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;

/** Returns the type in messages and REST: `page.state_changed`. */
export function eventTypeOf(event: string): string {
  return event.toLowerCase().replace('_', '.');
}

export const TEST_EVENT_TYPE = 'webhook.test';

/** More webhooks of an account are rejected. */
export const MAX_WEBHOOKS = 20;
/** Time for which the secret before a rotation signs too. */
export const ROTATION_MS = 24 * 3_600_000;
/** A delivery is retried for so long, and a webhook whose deliveries fail for so long is disabled. */
export const MAX_FAILING_MS = 3 * 24 * 3_600_000;
/** Another gateway repeats an attempt that did not end: its process was killed. */
export const ATTEMPT_LEASE_MS = 20_000;
/** The longest delay of a retry. Retries of many deliveries are spread over a share of it. */
export const MAX_RETRY_MS = 6 * 3_600_000;
export const RETRY_SPREAD = 0.2;
/** The longest time for which a delivery waits. */
export const MAX_DUE_MS = MAX_RETRY_MS * (1 + RETRY_SPREAD);
/** A webhook with more deliveries that wait is disabled. */
export const MAX_WAITING_DELIVERIES = 100_000;
/** Finished deliveries of a webhook that are kept. */
export const KEPT_DELIVERIES = 100;

export interface Webhook {
  readonly accountId: string;
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  readonly secret: string;
  readonly previousSecret: string | null;
  /** The previous secret signs before this time. */
  readonly previousSecretUntil: Date | null;
  /** The time of the first failed delivery since one succeeded. */
  readonly failingSince: Date | null;
}

/**
 * Returns the facts of an audit event, without the path and the query of a URL, which can contain a secret.
 * @param before the webhook before an update
 */
export function auditFactsOf(webhook: Webhook, before: Webhook | null = null): WebhookFacts {
  const { accountId, id, url } = webhook;
  const facts = { accountId, webhookId: id, name: new URL(url).host };
  if (before === null) return facts;
  const changes = changesBetween(clientValuesOf(before), clientValuesOf(webhook));
  return {
    ...facts,
    changes: changes.map((change) =>
      change.field === 'url' ? { field: 'url', ...describeMove(new URL(before.url), new URL(url)) } : change,
    ),
  };
}

const URL_PARTS = { scheme: 'protocol', path: 'pathname', query: 'search', fragment: 'hash' } as const;

/** Describes a change of a URL by its hosts or, if these are equal, by the names of the parts that changed. */
function describeMove(before: URL, after: URL): Pick<FieldChange, 'before' | 'after'> {
  if (before.host !== after.host) return { before: before.host, after: after.host };
  const changed = Object.entries(URL_PARTS).filter(([, part]) => before[part] !== after[part]);
  const names = changed.map(([name]) => name).join(' and ') || 'spelling';
  return { before: before.host, after: `${after.host} (another ${names})` };
}

interface WebhookFacts {
  readonly accountId: string;
  readonly webhookId: string;
  readonly name: string;
  readonly changes?: readonly FieldChange[];
}

function clientValuesOf({ url, events, disabledAt }: Webhook) {
  return { url, events: events.map(eventTypeOf).join(', '), enabled: disabledAt === null };
}

/** The states of a delivery, with descriptions. */
export const DELIVERY_STATES = {
  WAITING: 'An attempt follows, at `dueAt`.',
  DELIVERED: 'The receiver has responded with a status from 200 to 299. A repetition that fails does not change that.',
  FAILED:
    'No attempt follows: none succeeded for three days, or the webhook was disabled. A test has only one attempt.',
} as const;

/** An event for a webhook, and its last attempt. */
export interface Delivery {
  readonly accountId: string;
  /** The message id. All attempts have it. */
  readonly id: string;
  readonly webhookId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly dueAt: Date | null;
  readonly attempts: number;
  readonly attemptedAt: Date | null;
  readonly deliveredAt: Date | null;
  /** The status of the last response; null if there was none. */
  readonly status: number | null;
  /** The beginning of the last response, or the reason why there was none. */
  readonly response: string | null;
}

export function deliveryStateOf({ dueAt, deliveredAt }: Delivery): keyof typeof DELIVERY_STATES {
  if (dueAt) return 'WAITING';
  return deliveredAt ? 'DELIVERED' : 'FAILED';
}

export const WEBHOOK_ID = new RegExp(EMBED_ID.source.replace('^', '^wh_'));
/** The time in milliseconds and 80 random bits, in hexadecimal. */
export const DELIVERY_ID = /^[0-9a-f]{32}$/;

export function isWebhookId(text: string): boolean {
  return WEBHOOK_ID.test(text);
}

const newId = createEmbedIdGenerator();

export function createWebhook(wish: Pick<Webhook, 'accountId' | 'url' | 'events'>): Webhook {
  const { id, createdAt } = newId(wish.accountId);
  const none = { disabledAt: null, disabledReason: null, previousSecret: null, previousSecretUntil: null };
  return { ...wish, id: `wh_${id}`, createdAt, secret: createSecret(), failingSince: null, ...none };
}

/** Returns 256 random bits as the Standard Webhooks specification writes them. */
export function createSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

const TIME_DIGITS = 12;

/** Returns the id of a delivery, as the triggers make it. @param mark 80 bits in hexadecimal; random ones if omitted */
export function createDeliveryId(at: Date, mark = randomBytes(10).toString('hex')): string {
  return at.getTime().toString(16).padStart(TIME_DIGITS, '0') + mark;
}

/** Returns the time of a delivery from its id, in milliseconds. */
export function timeOfDelivery(id: string): number {
  return Number.parseInt(id.slice(0, TIME_DIGITS), 16);
}

/** Returns the mark of a delivery from its id. */
export function markOf(id: string): string {
  return id.slice(TIME_DIGITS);
}

/** The safe fetch connects to no other port of public hosts. */
function checkUrl(value: unknown, policy: PagePolicy): string | null {
  const violation = checkPageUrl(value, policy);
  if (violation !== null || policy.allowPrivatePages) return violation;
  const { port } = new URL(String(value));
  return port === '' || PUBLIC_PORTS.includes(Number(port)) ? null : `must be on port ${PUBLIC_PORTS.join(' or ')}`;
}

/** The fields of a webhook that clients set. */
export const WEBHOOK_FIELDS = {
  url: {
    restName: 'url',
    type: 'url',
    check: checkUrl,
    description:
      'The URL that receives events: absolute, http or https, at most 2,048 characters, without credentials, on a public host, on port 80 or 443. Redirects are not followed.',
  },
  events: {
    restName: 'events',
    type: 'enum',
    values: WEBHOOK_EVENTS,
    spellInRest: eventTypeOf,
    isList: true,
    description: 'The events that it receives: one or more.',
  },
} as const satisfies Record<string, DescribedParameter>;

export const ENABLED_DESCRIPTION =
  'Whether events are sent. While a webhook is disabled, events are not kept for it. Those that waited count as failed.';

const FIELDS = namedEntries<DescribedParameter>(WEBHOOK_FIELDS);

export const NEW_WEBHOOK_PARAMETERS = spellParameters(FIELDS.map((field) => ({ ...field, isRequired: true })));
export const WEBHOOK_UPDATE_PARAMETERS = spellParameters([
  { name: 'id', restName: null, type: 'id', isRequired: true },
  ...FIELDS,
  { name: 'enabled', restName: 'enabled', type: 'boolean', description: ENABLED_DESCRIPTION },
]);

export const WEBHOOK_LIST_PARAMETERS = cursorParameters(textCheck(isWebhookId, 'must be the id of a webhook'));
export const DELIVERY_LIST_PARAMETERS = cursorParameters(
  textCheck((text) => DELIVERY_ID.test(text), 'must be the id of a delivery'),
);

export interface WebhookValues {
  readonly url?: string;
  readonly events?: readonly WebhookEvent[];
  readonly enabled?: boolean;
}

/** @throws {Refusal} `invalid`, with all faults; so do the other functions that parse input */
export function parseWebhookValues(
  sent: SentParameters,
  policy: PagePolicy,
  spelling: Spelling,
  parameters = NEW_WEBHOOK_PARAMETERS,
): WebhookValues {
  return readValues(sent, parameters[spelling], policy);
}

/** Parses the input of the mutation `createWebhook`. */
export function parseNewWebhook(input: unknown, policy: PagePolicy): Pick<Webhook, 'url' | 'events'> {
  const { url, events } = parseWebhookValues({ values: input }, policy, 'graphql') as Required<WebhookValues>;
  return { url: encodePageUrl(url), events };
}

/** Parses the input of the mutation `updateWebhook`. */
export function parseWebhookUpdate(input: unknown, policy: PagePolicy): WebhookValues & { readonly id: string } {
  const { url, ...values } = parseWebhookValues({ values: input }, policy, 'graphql', WEBHOOK_UPDATE_PARAMETERS);
  const { id } = values as { readonly id?: string | number };
  return { ...values, ...(url !== undefined && { url: encodePageUrl(url) }), id: String(id) };
}

/** Creates the refusal of unknown ids and of other accounts' ids, which clients cannot tell apart. */
export function webhookNotFound(): Refusal {
  return new Refusal('not_found', 'There is no webhook with this id.');
}

export function deliveryNotFound(): Refusal {
  return new Refusal('not_found', 'There is no delivery with this id.');
}

export function tooManyWebhooks(): Refusal {
  return new Refusal('conflict', `The account has ${MAX_WEBHOOKS} webhooks, and cannot have more: delete one first.`);
}
