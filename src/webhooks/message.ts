import { Webhook as Signer } from 'standardwebhooks';
import type { Embed } from '../domain/embed/embed.ts';
import { REST_FIELDS } from '../domain/embed/fields.ts';
import { type EmbedHost, embedUrlOf } from '../domain/embed/url.ts';
import { spellFields, withRestNames } from '../domain/input/parameters.ts';
import type { PageOutline } from '../domain/page-copy.ts';
import type { Webhook } from '../domain/webhook.ts';
import type { OutboxDelivery } from '../store/webhooks/outbox.ts';

/** The embed as a trigger or a decorator stored it. SQLite has 0 and 1 for booleans, and each database its own form of times. */
type StoredEmbed = Pick<Embed, 'id' | 'title' | 'pageId'> & Readonly<Record<string, unknown>>;

const TOKEN_TIMES = ['createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'] as const;

type StoredToken = Readonly<
  Record<'id' | 'name' | 'scope', string> & Record<(typeof TOKEN_TIMES)[number], string | null>
>;

/** The facts of a page that its event stores, beside the embed. */
export type StoredPageFacts = Pick<
  PageOutline,
  'state' | 'reason' | 'title' | 'siteName' | 'url' | 'movedTo' | 'fetchedAt'
>;

/** Returns the body of a message. All attempts have the same one. */
export function bodyOf({ type, createdAt, data, webhookId }: OutboxDelivery, host: EmbedHost): string {
  return JSON.stringify({ type, timestamp: createdAt.toISOString(), data: dataOf(type, JSON.parse(data)) });

  function dataOf(type: string, stored: unknown): object {
    if (type.startsWith('embed.')) return { embed: embedOf(stored as StoredEmbed, host) };
    if (type.startsWith('token.')) return { token: tokenOf(stored as StoredToken) };
    if (!type.startsWith('page.')) return { webhook_id: webhookId };
    const { embed, page } = stored as { readonly embed: StoredEmbed; readonly page: StoredPageFacts };
    return { embed: embedOf(embed, host), page: pageOf(page) };
  }
}

/** Returns the embed of REST, with the fields that are stored. */
function embedOf(stored: StoredEmbed, host: EmbedHost) {
  const values: StoredEmbed = { ...stored, embedUrl: embedUrlOf(stored, host) };
  const fields = REST_FIELDS.filter(({ name }) => name in values);
  return spellFields(fields, values);
}

function tokenOf({ id, name, scope, ...stored }: StoredToken) {
  const times = TOKEN_TIMES.map((field) => [field, stored[field] && new Date(stored[field]).toISOString()]);
  return withRestNames({ id, name, scopes: scope.split(' '), ...Object.fromEntries(times) });
}

function pageOf(page: StoredPageFacts) {
  return withRestNames({ ...page, state: page.state.toLowerCase() });
}

/** Returns the headers of an attempt. Both secrets sign during a rotation. */
export function headersOf({ id, webhook }: OutboxDelivery, body: string, at: Date): Readonly<Record<string, string>> {
  const signatures = secretsOf(webhook, at).map((secret) => new Signer(secret).sign(id, at, body));
  return {
    'content-type': 'application/json',
    accept: '*/*',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

function secretsOf({ secret, previousSecret, previousSecretUntil }: Webhook, at: Date): readonly string[] {
  return previousSecret && previousSecretUntil && at < previousSecretUntil ? [secret, previousSecret] : [secret];
}
