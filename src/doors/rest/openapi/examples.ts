import { DEFAULT_SETTINGS } from '../../../domain/embed/fields.ts';
import { LOOK } from '../../../domain/embed/settings.ts';
import { type EmbedHost, embedUrlOf } from '../../../domain/embed/url.ts';
import { toRest } from '../../../generated/rest-embed.ts';

export const EXAMPLE_ID = '01m7y4dcyp2ad36zr4waqryvpr';
export const EXAMPLE_PAGE_URL = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';
export const EXAMPLE_PAGE_ID = '95747105-f402-490e-ba51-d52e00496c1c';

export const EXAMPLE_EXTERNAL_ID = 'cms-17';

export const EXAMPLE_DRAFT = { page_url: EXAMPLE_PAGE_URL, mode: 'dark', font: 'Inter' };
export const EXAMPLE_PATCH = { mode: 'user_defined' };

export const EXAMPLE_SETTINGS_PATCH = {
  allowed_sites: ['example.com', '*.example.org'],
  expires_at: '2036-01-31T12:00:00.000Z',
  look: { accent_color: '#b3261e', width: 'full' },
};
const EXAMPLE_FIXED_SETTINGS = { external_id: null, updated_at: '2026-11-21T04:04:14.422Z' };
export const EXAMPLE_ACCOUNT_PATCH = { allowed_sites: ['example.com'], look: { base_size: 18 } };
const EXAMPLE_LOOK = Object.fromEntries(Object.values(LOOK).map(({ restName }) => [restName, null]));
export const EXAMPLE_CURSOR = '5f1d0c9a7be24136-1';

export const EXAMPLE_TOKEN_ID = '4kZ9vQ2mT1aB';
export const EXAMPLE_TOKEN_DRAFT = { name: 'ci', scopes: ['read', 'write'], expires_at: '2036-01-31T12:00:00.000Z' };
const EXAMPLE_TOKEN = {
  id: EXAMPLE_TOKEN_ID,
  ...EXAMPLE_TOKEN_DRAFT,
  created_at: '2026-11-21T04:04:14.422Z',
  revoked_at: null,
  last_used_at: null,
};
const EXAMPLE_EVENT = {
  id: '01m7y4de3wq8n1v5k2t7r9xcpb',
  at: '2026-11-21T04:04:15.612Z',
  action: 'token_created',
  actor: 'ACCESS_TOKEN',
  actor_token_id: 'ACCESS_TOKEN',
  subject_id: EXAMPLE_TOKEN_ID,
  subject_name: 'ci',
  count: 1,
  changes: null,
};
export const EXAMPLE_WEBHOOK_DRAFT = { url: 'https://example.com/hook', events: ['embed.created', 'embed.deleted'] };
export const EXAMPLE_WEBHOOK = {
  id: 'wh_01m7y4de3wq8n1v5k2t7r9xcpb',
  ...EXAMPLE_WEBHOOK_DRAFT,
  created_at: '2026-11-21T04:04:15.612Z',
  disabled_at: null,
  disabled_reason: null,
  failing_since: null,
};
export const EXAMPLE_DELIVERY = {
  id: '019aa43e5f5c8d1e4b7a9c2f6e3d0b81',
  type: 'embed.created',
  state: 'delivered',
  created_at: '2026-11-21T04:04:16.220Z',
  due_at: null,
  attempts: 1,
  attempted_at: '2026-11-21T04:04:17.031Z',
  delivered_at: '2026-11-21T04:04:17.155Z',
  status: 200,
  response: 'ok',
};
const EXAMPLE_WEBHOOK_SECRET = `whsec_${'x'.repeat(43)}=`;
const EXAMPLE_VIEWS = {
  views: 12,
  reads: 5,
  groups: [
    { key: '2026-11-21', views: 8, reads: 3 },
    { key: '2026-11-22', views: 4, reads: 2 },
  ],
};
/** Only the form of a token: its checksum is wrong, so that no scanner reports it. */
const EXAMPLE_SECRET = `emb_${'x'.repeat(49)}`;

const EXAMPLE_PAGE = {
  state: 'shown',
  reason: null,
  title: 'Meal Planner',
  site_name: 'Example',
  url: EXAMPLE_PAGE_URL,
  moved_to: null,
  fetched_at: '2026-11-21T04:04:15.107Z',
};
const EXAMPLE_ARTICLE = {
  html: '<h2 id="s-friday">Friday</h2>\n<p>Soup.</p>',
  markdown: '## Friday\n\nSoup.\n',
  text: 'Friday\n\nSoup.',
  headings: [{ level: 2, text: 'Friday', anchor: 'friday' }],
  byline: null,
  published_at: '2026-11-20T00:00:00.000Z',
  modified_at: null,
  language: 'en',
  word_count: 2,
  pictures: [],
};

/** Returns a page that has all items of a list: one. */
const listOf = (name: string, item: { readonly id: string }) => ({
  [name]: [item],
  total_count: 1,
  pagination: { end_cursor: item.id, has_next_page: false, total_count: 1 },
});

/** Creates the responses to the example requests. Only ids and times differ from those of the service. */
export function exampleResponses(host: EmbedHost) {
  const embed = toRest({
    ...DEFAULT_SETTINGS,
    id: EXAMPLE_ID,
    createdAt: '2026-11-21T04:04:14.422Z',
    embedUrl: embedUrlOf({ id: EXAMPLE_ID, title: 'Meal Planner', pageId: EXAMPLE_PAGE_ID }, host),
    pageId: EXAMPLE_PAGE_ID,
    pageUrl: EXAMPLE_PAGE_URL,
    mode: 'DARK',
    font: EXAMPLE_DRAFT.font,
  });
  return {
    listEmbeds: listOf('embeds', embed),
    createEmbed: { embed },
    retrieveEmbed: { embed },
    updateEmbed: { embed: { ...embed, ...EXAMPLE_PATCH } },
    retrieveSettings: {
      settings: { ...EXAMPLE_FIXED_SETTINGS, allowed_sites: null, expires_at: null, watch: 'off', look: null },
    },
    updateSettings: {
      settings: {
        ...EXAMPLE_FIXED_SETTINGS,
        ...EXAMPLE_SETTINGS_PATCH,
        watch: 'off',
        look: { ...EXAMPLE_LOOK, ...EXAMPLE_SETTINGS_PATCH.look },
      },
    },
    retrieveAccount: { account: { id: 'default', allowed_sites: null, look: null } },
    updateAccount: {
      account: { id: 'default', ...EXAMPLE_ACCOUNT_PATCH, look: { ...EXAMPLE_LOOK, ...EXAMPLE_ACCOUNT_PATCH.look } },
    },
    deleteEmbed: { message: `The embed ${EXAMPLE_ID} was deleted successfully.` },
    retrievePage: { page: EXAMPLE_PAGE },
    retrieveArticle: { article: EXAMPLE_ARTICLE },
    refreshPage: { page: EXAMPLE_PAGE },
    listChanges: {
      changes: [
        {
          cursor: EXAMPLE_CURSOR,
          kind: 'created',
          embed_id: EXAMPLE_ID,
          at: '2026-11-21T04:04:14.422Z',
          embed,
        },
      ],
      pagination: { end_cursor: EXAMPLE_CURSOR, has_next_page: false },
    },
    retrieveViews: { views: EXAMPLE_VIEWS },
    retrieveAccountViews: { views: EXAMPLE_VIEWS },
    listTokens: listOf('tokens', EXAMPLE_TOKEN),
    createToken: { token: EXAMPLE_TOKEN, secret: EXAMPLE_SECRET },
    listAuditEvents: listOf('events', EXAMPLE_EVENT),
    listWebhooks: listOf('webhooks', EXAMPLE_WEBHOOK),
    createWebhook: { webhook: EXAMPLE_WEBHOOK, secret: EXAMPLE_WEBHOOK_SECRET },
    retrieveWebhook: { webhook: EXAMPLE_WEBHOOK },
    updateWebhook: { webhook: EXAMPLE_WEBHOOK },
    deleteWebhook: { message: `The webhook ${EXAMPLE_WEBHOOK.id} was deleted successfully.` },
    rotateWebhookSecret: { webhook: EXAMPLE_WEBHOOK, secret: EXAMPLE_WEBHOOK_SECRET },
    testWebhook: { delivery: { ...EXAMPLE_DELIVERY, type: 'webhook.test' } },
    listDeliveries: listOf('deliveries', EXAMPLE_DELIVERY),
    redeliver: { delivery: { ...EXAMPLE_DELIVERY, attempts: 2 } },
    revokeToken: { token: { ...EXAMPLE_TOKEN, revoked_at: '2026-11-22T09:30:00.000Z' } },
  };
}

export type OperationId = keyof ReturnType<typeof exampleResponses>;
