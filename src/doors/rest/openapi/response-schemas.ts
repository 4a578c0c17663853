import { LIST_DESCRIPTIONS, TOKEN_DESCRIPTIONS, WEBHOOK_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { FIELDS, REST_FIELDS } from '../../../domain/embed/fields.ts';
import { EMBED_ID } from '../../../domain/embed/id.ts';
import { MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import { ACCOUNT_SETTINGS, EMBED_SETTINGS } from '../../../domain/embed/settings.ts';
import { CHANGE_KINDS } from '../../../domain/embed-change.ts';
import { NAME_PATTERN } from '../../../domain/identity/account.ts';
import { TOKEN_FORM, TOKEN_ID } from '../../../domain/identity/token.ts';
import { DELIVERY_ID, WEBHOOK_ID } from '../../../domain/webhook.ts';
import { CHANGE_CURSOR_SCHEMA, outputSchemaOf, SETTING_SCHEMAS, settingsSchema } from './field-schemas.ts';
import { COUNT, describeObject, listOf } from './object-schemas.ts';
import { describeForRest, requiredObject, type Schema, schemaRef, valuesInRest } from './schema.ts';

const EMBED_FIELDS = Object.fromEntries(REST_FIELDS.map((field) => [field.restName, outputSchemaOf(field)]));

const total: Schema = { ...COUNT, description: describeForRest(LIST_DESCRIPTIONS.totalCount) };
const isExact: Schema = {
  type: 'boolean',
  description: `${describeForRest(LIST_DESCRIPTIONS.totalCountIsExact)} Present only for filtered lists.`,
};

const warnings: Schema = {
  type: 'array',
  items: { type: 'string' },
  description:
    'Problems that did not stop the create or the update, each with the parameter that has it, such as a font that the font provider does not know. Absent if there are none, and in responses to GET.',
};

function withExactness(properties: Readonly<Record<string, Schema>>): Schema {
  const whole = requiredObject(properties);
  return { ...whole, properties: { ...properties, total_count_is_exact: isExact } };
}

/** Properties of an embed that no update sets. */
const FIXED_SETTINGS: Readonly<Record<string, Schema>> = {
  external_id: { type: ['string', 'null'], description: FIELDS.externalId.description },
  updated_at: { type: 'string', format: 'date-time', description: FIELDS.updatedAt.description },
};

const ACCOUNT_ID: Schema = { type: 'string', pattern: NAME_PATTERN.source, description: 'The name of the account.' };

/** The schemas of responses and their parts, by name. */
export const RESPONSE_SCHEMAS: Readonly<Record<string, Schema>> = {
  Embed: {
    type: 'object',
    description: 'A hosted, iframe-ready view of a public page.',
    properties: EMBED_FIELDS,
    required: Object.keys(EMBED_FIELDS),
  },
  ...SETTING_SCHEMAS,
  EmbedAnswer: {
    ...requiredObject({ embed: schemaRef('Embed') }),
    properties: { embed: schemaRef('Embed'), warnings },
  },
  SettingsAnswer: requiredObject({ settings: settingsSchema(EMBED_SETTINGS, false, FIXED_SETTINGS) }),
  AccountAnswer: requiredObject({ account: settingsSchema(ACCOUNT_SETTINGS, false, { id: ACCOUNT_ID }) }),
  EmbedList: withExactness({
    embeds: { type: 'array', items: schemaRef('Embed'), maxItems: MAX_PAGE_SIZE },
    total_count: total,
    pagination: schemaRef('Pagination'),
  }),
  Pagination: withExactness({
    end_cursor: {
      type: ['string', 'null'],
      pattern: EMBED_ID.source,
      description:
        'The id of the last embed of the page, or the one at which the search stopped. Send it as `after`. Null if the page is empty.',
    },
    has_next_page: {
      type: 'boolean',
      description:
        'Whether there are more embeds after this page. If the search for the page stopped early, there may be none.',
    },
    total_count: total,
  }),
  PageAnswer: requiredObject({ page: schemaRef('Page') }),
  Page: describeObject('Page'),
  ArticleAnswer: requiredObject({ article: schemaRef('Article') }),
  Article: describeObject('Article'),
  Token: describeObject('Token'),
  TokenAnswer: requiredObject({ token: schemaRef('Token') }),
  NewToken: requiredObject({
    token: schemaRef('Token'),
    secret: { type: 'string', pattern: TOKEN_FORM.source, description: TOKEN_DESCRIPTIONS.secret },
  }),
  TokenList: listOf('token', 'Token', TOKEN_ID),
  AuditEvent: describeObject('AuditEvent'),
  AuditEventList: listOf('event', 'AuditEvent', EMBED_ID),
  Change: {
    ...requiredObject({
      cursor: { ...CHANGE_CURSOR_SCHEMA, description: 'The position of the change. Send it as `after`.' },
      kind: { type: 'string', enum: valuesInRest(CHANGE_KINDS), description: 'What happened to the embed.' },
      embed_id: { type: 'string', pattern: EMBED_ID.source, description: 'The id of the embed.' },
      at: { type: 'string', format: 'date-time', description: 'The time of the change, by the clock of the database.' },
      embed: {
        oneOf: [schemaRef('Embed'), { type: 'null' }],
        description: 'The embed as it is now, so it can already include later changes. Null if it no longer exists.',
      },
    }),
    description: 'A change of an embed.',
  },
  ChangeList: requiredObject({
    changes: { type: 'array', items: schemaRef('Change'), maxItems: MAX_PAGE_SIZE },
    pagination: requiredObject({
      end_cursor: {
        ...CHANGE_CURSOR_SCHEMA,
        description: 'The position after the page, also if the page is empty. Send it as `after`.',
      },
      has_next_page: { type: 'boolean', description: 'Whether there are more changes after this page now.' },
    }),
  }),
  Webhook: describeObject('Webhook'),
  WebhookAnswer: requiredObject({ webhook: schemaRef('Webhook') }),
  NewWebhook: requiredObject({
    webhook: schemaRef('Webhook'),
    secret: { type: 'string', pattern: '^whsec_[A-Za-z0-9+/]+=*$', description: WEBHOOK_DESCRIPTIONS.secret },
  }),
  WebhookList: listOf('webhook', 'Webhook', WEBHOOK_ID),
  Delivery: describeObject('Delivery'),
  DeliveryAnswer: requiredObject({ delivery: schemaRef('Delivery') }),
  DeliveryList: listOf('delivery', 'Delivery', DELIVERY_ID),
  ViewsAnswer: requiredObject({ views: schemaRef('ViewStatistics') }),
  ViewStatistics: describeObject('ViewStatistics'),
  ViewGroup: describeObject('ViewGroup'),
  Deletion: requiredObject({ message: { type: 'string', description: 'A sentence that confirms the deletion.' } }),
};
