import { PAGE_STATES } from '#reader/page-state';
import {
  ARTICLE_DESCRIPTIONS,
  AUDIT_EVENT_DESCRIPTIONS,
  LIST_DESCRIPTIONS,
  PAGE_DESCRIPTIONS,
  TOKEN_DESCRIPTIONS,
  VIEW_DESCRIPTIONS,
} from '../../../domain/descriptions.ts';
import { FIELDS, REST_FIELDS } from '../../../domain/embed/fields.ts';
import { EMBED_ID } from '../../../domain/embed/id.ts';
import { MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import { ACCOUNT_SETTINGS, EMBED_SETTINGS } from '../../../domain/embed/settings.ts';
import { CHANGE_KINDS } from '../../../domain/embed-change.ts';
import { NAME_PATTERN } from '../../../domain/identity/account.ts';
import { AUDIT_ACTIONS } from '../../../domain/identity/audit-event.ts';
import { TOKEN_FORM, TOKEN_ID } from '../../../domain/identity/token.ts';
import { spellValue } from '../../../domain/input/parameters.ts';
import { MAX_VIEW_DAYS } from '../../../domain/views.ts';
import {
  CHANGE_CURSOR_SCHEMA,
  describeForRest,
  outputSchemaOf,
  SCOPES_SCHEMA,
  SETTING_SCHEMAS,
  settingsSchema,
  TOKEN_ID_SCHEMA,
} from './field-schemas.ts';
import { instantOrNull, listOf, requiredObject, type Schema, schemaRef } from './schema.ts';
import { WEBHOOK_SCHEMAS } from './webhook-schemas.ts';

const EMBED_FIELDS = Object.fromEntries(REST_FIELDS.map((field) => [field.restName, outputSchemaOf(field)]));

const PAGE_FIELDS: Readonly<Record<string, Schema>> = {
  state: {
    type: 'string',
    enum: Object.keys(PAGE_STATES).map((state) => spellValue(state, 'rest')),
    description: Object.entries(PAGE_STATES)
      .map(([state, description]) => `- \`${spellValue(state, 'rest')}\`: ${description}`)
      .join('\n'),
  },
  reason: {
    type: ['string', 'null'],
    description: describeForRest(PAGE_DESCRIPTIONS.reason),
  },
  title: { type: ['string', 'null'], description: PAGE_DESCRIPTIONS.title },
  site_name: {
    type: ['string', 'null'],
    description: PAGE_DESCRIPTIONS.siteName,
  },
  url: {
    type: ['string', 'null'],
    format: 'uri',
    description: PAGE_DESCRIPTIONS.url,
  },
  moved_to: { type: ['string', 'null'], format: 'uri', description: PAGE_DESCRIPTIONS.movedTo },
  fetched_at: {
    type: ['string', 'null'],
    format: 'date-time',
    description: PAGE_DESCRIPTIONS.fetchedAt,
  },
};

const ARTICLE_FIELDS: Readonly<Record<string, Schema>> = {
  html: { type: 'string', description: ARTICLE_DESCRIPTIONS.html },
  markdown: { type: 'string', description: ARTICLE_DESCRIPTIONS.markdown },
  text: { type: 'string', description: ARTICLE_DESCRIPTIONS.text },
  headings: {
    type: 'array',
    description: ARTICLE_DESCRIPTIONS.headings,
    items: requiredObject({
      level: { type: 'integer', minimum: 1, maximum: 6, description: ARTICLE_DESCRIPTIONS.level },
      text: { type: 'string', description: ARTICLE_DESCRIPTIONS.headingText },
      anchor: { type: 'string', description: ARTICLE_DESCRIPTIONS.anchor },
    }),
  },
  byline: { type: ['string', 'null'], description: ARTICLE_DESCRIPTIONS.byline },
  published_at: instantOrNull(ARTICLE_DESCRIPTIONS.publishedAt),
  modified_at: instantOrNull(ARTICLE_DESCRIPTIONS.modifiedAt),
  language: { type: ['string', 'null'], description: ARTICLE_DESCRIPTIONS.language },
  word_count: { type: 'integer', minimum: 0, description: ARTICLE_DESCRIPTIONS.wordCount },
  pictures: {
    type: 'array',
    description: ARTICLE_DESCRIPTIONS.pictures,
    items: requiredObject({
      url: { type: 'string', format: 'uri', description: ARTICLE_DESCRIPTIONS.pictureUrl },
      alt: { type: 'string', description: ARTICLE_DESCRIPTIONS.alt },
      caption: { type: ['string', 'null'], description: ARTICLE_DESCRIPTIONS.caption },
      width: { type: ['integer', 'null'], description: ARTICLE_DESCRIPTIONS.width },
      height: { type: ['integer', 'null'], description: ARTICLE_DESCRIPTIONS.height },
    }),
  },
};

const total: Schema = {
  type: 'integer',
  minimum: 0,
  description: describeForRest(LIST_DESCRIPTIONS.totalCount),
};
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

const TOKEN_TOTAL: Schema = {
  type: 'integer',
  minimum: 0,
  description: TOKEN_DESCRIPTIONS.totalCount,
};

const AUDIT_TOTAL: Schema = { type: 'integer', minimum: 0, description: AUDIT_EVENT_DESCRIPTIONS.totalCount };

/** Properties of an embed that no update sets. */
const FIXED_SETTINGS: Readonly<Record<string, Schema>> = {
  external_id: { type: ['string', 'null'], description: FIELDS.externalId.description },
  updated_at: { type: 'string', format: 'date-time', description: FIELDS.updatedAt.description },
};

const ACCOUNT_ID: Schema = { type: 'string', pattern: NAME_PATTERN.source, description: 'The name of the account.' };

const VIEW_COUNTS: Readonly<Record<string, Schema>> = {
  views: { type: 'integer', minimum: 0, description: VIEW_DESCRIPTIONS.views },
  reads: { type: 'integer', minimum: 0, description: VIEW_DESCRIPTIONS.reads },
};

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
  Page: { ...requiredObject(PAGE_FIELDS), description: PAGE_DESCRIPTIONS.object },
  ArticleAnswer: requiredObject({ article: schemaRef('Article') }),
  Article: { ...requiredObject(ARTICLE_FIELDS), description: ARTICLE_DESCRIPTIONS.object },
  Token: {
    ...requiredObject({
      id: { ...TOKEN_ID_SCHEMA, description: TOKEN_DESCRIPTIONS.id },
      name: { type: 'string', description: TOKEN_DESCRIPTIONS.name },
      scopes: { ...SCOPES_SCHEMA, description: TOKEN_DESCRIPTIONS.scopes },
      created_at: { type: 'string', format: 'date-time', description: TOKEN_DESCRIPTIONS.createdAt },
      expires_at: instantOrNull(TOKEN_DESCRIPTIONS.expiresAt),
      revoked_at: instantOrNull(TOKEN_DESCRIPTIONS.revokedAt),
      last_used_at: instantOrNull(TOKEN_DESCRIPTIONS.lastUsedAt),
    }),
    description: TOKEN_DESCRIPTIONS.object,
  },
  TokenAnswer: requiredObject({ token: schemaRef('Token') }),
  NewToken: requiredObject({
    token: schemaRef('Token'),
    secret: {
      type: 'string',
      pattern: TOKEN_FORM.source,
      description: TOKEN_DESCRIPTIONS.secret,
    },
  }),
  TokenList: listOf('tokens', { item: 'Token', noun: 'token', idPattern: TOKEN_ID, total: TOKEN_TOTAL }),
  AuditEvent: {
    ...requiredObject({
      id: {
        type: 'string',
        pattern: EMBED_ID.source,
        description: AUDIT_EVENT_DESCRIPTIONS.id,
      },
      at: { type: 'string', format: 'date-time', description: AUDIT_EVENT_DESCRIPTIONS.at },
      action: {
        type: 'string',
        enum: Object.keys(AUDIT_ACTIONS).map((action) => spellValue(action, 'rest')),
        description: Object.entries(AUDIT_ACTIONS)
          .map(([action, description]) => `- \`${spellValue(action, 'rest')}\`: ${description}`)
          .join('\n'),
      },
      actor: {
        type: 'string',
        description: AUDIT_EVENT_DESCRIPTIONS.actor,
      },
      actor_token_id: {
        type: ['string', 'null'],
        description: AUDIT_EVENT_DESCRIPTIONS.actorTokenId,
      },
      subject_id: {
        type: ['string', 'null'],
        description: AUDIT_EVENT_DESCRIPTIONS.subjectId,
      },
      subject_name: {
        type: ['string', 'null'],
        description: AUDIT_EVENT_DESCRIPTIONS.subjectName,
      },
      count: {
        type: 'integer',
        minimum: 0,
        description: AUDIT_EVENT_DESCRIPTIONS.count,
      },
      changes: {
        type: ['array', 'null'],
        items: requiredObject({
          field: { type: 'string', description: AUDIT_EVENT_DESCRIPTIONS.field },
          before: { type: ['string', 'null'], description: AUDIT_EVENT_DESCRIPTIONS.before },
          after: { type: ['string', 'null'], description: AUDIT_EVENT_DESCRIPTIONS.after },
        }),
        description: AUDIT_EVENT_DESCRIPTIONS.changes,
      },
    }),
    description: AUDIT_EVENT_DESCRIPTIONS.object,
  },
  AuditEventList: listOf('events', { item: 'AuditEvent', noun: 'event', idPattern: EMBED_ID, total: AUDIT_TOTAL }),
  Change: {
    ...requiredObject({
      cursor: { ...CHANGE_CURSOR_SCHEMA, description: 'The position of the change. Send it as `after`.' },
      kind: {
        type: 'string',
        enum: Object.keys(CHANGE_KINDS).map((kind) => spellValue(kind, 'rest')),
        description: 'What happened to the embed.',
      },
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
  ...WEBHOOK_SCHEMAS,
  ViewsAnswer: requiredObject({ views: schemaRef('ViewStatistics') }),
  ViewStatistics: {
    ...requiredObject({
      ...VIEW_COUNTS,
      groups: { type: 'array', items: schemaRef('ViewGroup'), maxItems: MAX_VIEW_DAYS },
    }),
    description: VIEW_DESCRIPTIONS.object,
  },
  ViewGroup: {
    ...requiredObject({ key: { type: 'string', description: VIEW_DESCRIPTIONS.key }, ...VIEW_COUNTS }),
    description: VIEW_DESCRIPTIONS.group,
  },
  Deletion: requiredObject({ message: { type: 'string', description: 'A sentence that confirms the deletion.' } }),
};
