import { PAGE_STATES } from '#reader/page-state';
import {
  AUDIT_EVENT_DESCRIPTIONS,
  LIST_DESCRIPTIONS,
  PAGE_DESCRIPTIONS,
  TOKEN_DESCRIPTIONS,
} from '../../../domain/descriptions.ts';
import { REST_FIELDS } from '../../../domain/embed/fields.ts';
import { EMBED_ID } from '../../../domain/embed/id.ts';
import { spellValue } from '../../../domain/embed/input-reader.ts';
import { MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import { AUDIT_ACTIONS } from '../../../domain/identity/audit-event.ts';
import { TOKEN_FORM, TOKEN_ID } from '../../../domain/identity/token.ts';
import {
  describeForRest,
  outputSchemaOf,
  SCOPES_SCHEMA,
  SETTING_SCHEMAS,
  TOKEN_ID_SCHEMA,
} from './parameter-schemas.ts';
import { requiredObject, type Schema, schemaRef } from './schema.ts';

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
  fetched_at: {
    type: ['string', 'null'],
    format: 'date-time',
    description: PAGE_DESCRIPTIONS.fetchedAt,
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

interface ListOptions {
  /** The name of the schema of an item. */
  readonly item: string;
  readonly noun: string;
  readonly idPattern: RegExp;
  readonly total: Schema;
}

/** Describes a page of a list without filters. */
function listOf(name: string, { item, noun, idPattern, total }: ListOptions): Schema {
  return requiredObject({
    [name]: { type: 'array', items: schemaRef(item), maxItems: MAX_PAGE_SIZE },
    total_count: total,
    pagination: requiredObject({
      end_cursor: {
        type: ['string', 'null'],
        pattern: idPattern.source,
        description: `The id of the last ${noun} of the page. Send it as \`after\`. Null if the page is empty.`,
      },
      has_next_page: { type: 'boolean', description: `Whether there are more ${noun}s after this page.` },
      total_count: total,
    }),
  });
}

const instantOrNull = (description: string): Schema => ({ type: ['string', 'null'], format: 'date-time', description });

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
    }),
    description: AUDIT_EVENT_DESCRIPTIONS.object,
  },
  AuditEventList: listOf('events', { item: 'AuditEvent', noun: 'event', idPattern: EMBED_ID, total: AUDIT_TOTAL }),
  Deletion: requiredObject({ message: { type: 'string', description: 'A sentence that confirms the deletion.' } }),
};
