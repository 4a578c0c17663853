import { PAGE_STATES } from '#reader/page-state';
import { REST_FIELDS } from '../../../domain/embed/fields.ts';
import { EMBED_ID } from '../../../domain/embed/id.ts';
import { spellValue } from '../../../domain/embed/input-reader.ts';
import { MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import { AUDIT_ACTIONS } from '../../../domain/identity/audit-event.ts';
import { TOKEN_FORM, TOKEN_ID } from '../../../domain/identity/token.ts';
import { outputSchemaOf, SCOPES_SCHEMA, SETTING_SCHEMAS, TOKEN_ID_SCHEMA } from './parameter-schemas.ts';
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
    description:
      'The reason for the state, as a sentence. Null for `pending`, and for `shown` unless the last attempt to fetch the page failed.',
  },
  title: { type: ['string', 'null'], description: 'The title of the page, if it has been read.' },
  site_name: {
    type: ['string', 'null'],
    description: 'The name of the site, or else its host, if the page has been read.',
  },
  url: {
    type: ['string', 'null'],
    format: 'uri',
    description: 'The URL of the page after all redirects, if it has been read.',
  },
  fetched_at: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'The time when the site last sent the page, or confirmed that it had not changed.',
  },
};

const total: Schema = {
  type: 'integer',
  minimum: 0,
  description:
    'The number of embeds of the account. For a filtered list, the number of matches, exact up to 1,000: if `total_count_is_exact` is false, treat it as a lower bound.',
};
const isExact: Schema = {
  type: 'boolean',
  description: 'Whether `total_count` is exact. Present only for filtered lists.',
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
  description: 'The number of tokens of the account, including expired and revoked ones.',
};

const AUDIT_TOTAL: Schema = { type: 'integer', minimum: 0, description: 'The number of events that are listed.' };

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
  Page: { ...requiredObject(PAGE_FIELDS), description: 'What is known about the source page of an embed.' },
  Token: {
    ...requiredObject({
      id: { ...TOKEN_ID_SCHEMA, description: 'The id. It is not secret.' },
      name: { type: 'string', description: 'The purpose of the token, as its creator named it.' },
      scopes: { ...SCOPES_SCHEMA, description: 'What the token allows. No scope implies another one.' },
      created_at: { type: 'string', format: 'date-time', description: 'The time at which the token was created.' },
      expires_at: instantOrNull('The time at which the token stops working. Null if it never expires.'),
      revoked_at: instantOrNull('The time at which the token was revoked; null if it was not.'),
      last_used_at: instantOrNull('The time of the last use, to about a minute. Null if the token was never used.'),
    }),
    description: 'An access token of the account, without its secret.',
  },
  TokenAnswer: requiredObject({ token: schemaRef('Token') }),
  NewToken: requiredObject({
    token: schemaRef('Token'),
    secret: {
      type: 'string',
      pattern: TOKEN_FORM.source,
      description: 'The text to send as a bearer token. It is stored nowhere and shown only here.',
    },
  }),
  TokenList: listOf('tokens', { item: 'Token', noun: 'token', idPattern: TOKEN_ID, total: TOKEN_TOTAL }),
  AuditEvent: {
    ...requiredObject({
      id: {
        type: 'string',
        pattern: EMBED_ID.source,
        description: 'The id: a lower-case ULID, ordered by time.',
      },
      at: { type: 'string', format: 'date-time', description: 'The time of the change.' },
      action: {
        type: 'string',
        enum: Object.keys(AUDIT_ACTIONS).map((action) => spellValue(action, 'rest')),
        description: Object.entries(AUDIT_ACTIONS)
          .map(([action, description]) => `- \`${spellValue(action, 'rest')}\`: ${description}`)
          .join('\n'),
      },
      actor: {
        type: 'string',
        description:
          'Who did it: the name of a token, `ACCESS_TOKEN` of the operator, `command line`, or `first start` of the service.',
      },
      actor_token_id: {
        type: ['string', 'null'],
        description: 'The id of the token that did it. Null for the command line and the first start.',
      },
      subject_id: {
        type: ['string', 'null'],
        description: 'The id of the embed or token that it happened to. Null for an import.',
      },
      subject_name: {
        type: ['string', 'null'],
        description: 'The name of the token, or the title of the updated embed.',
      },
      count: {
        type: 'integer',
        minimum: 0,
        description: 'The number of embeds, if the action is about several; else 1.',
      },
    }),
    description: 'A change in the account: who did what, and when.',
  },
  AuditEventList: listOf('events', { item: 'AuditEvent', noun: 'event', idPattern: EMBED_ID, total: AUDIT_TOTAL }),
  Deletion: requiredObject({ message: { type: 'string', description: 'A sentence that confirms the deletion.' } }),
};
