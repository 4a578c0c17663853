import { DEFAULT_FONT, DEFAULT_MODE, DEFAULT_SHOW_TOP_BAR, EMBED_MODES, FONT } from '../../../domain/embed/embed.ts';
import { EMBED_ID } from '../../../domain/embed/id.ts';
import { DIRECTIONS, MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS, ORDER_FIELDS } from '../../../domain/embed/listing.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import { MAX_WORD_LENGTH, MAX_WORDS } from '../../../domain/embed/search-terms.ts';
import { MAX_URL_LENGTH, WHOLE_ID } from '../../../domain/page/url.ts';
import type { Name } from '../parameters.ts';
import type { Operation } from '../resources.ts';
import { EXAMPLE_ID, EXAMPLE_PAGE_ID, EXAMPLE_PAGE_URL } from './examples.ts';
import { named, type Schema } from './schema.ts';

/** What a pattern can say of the rule: http or https, a host, no credentials, no spaces, control characters or backslashes. */
const NO_PART_OF_A_URL = '\\s\\\\\\u0000-\\u001f\\u007f';
const PAGE_URL = `^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@${NO_PART_OF_A_URL}]+([/?#][^${NO_PART_OF_A_URL}]*)?$`;

const pageSize: Schema = { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE };

export const ID_SCHEMA: Schema = {
  type: 'string',
  pattern: EMBED_ID.source,
  description: 'A ULID in lower case. Cursor, id in GraphQL and subdomain of `embed_url` are the same string.',
  examples: [EXAMPLE_ID],
};

/** Named, since parameters and answers share them. */
export const MODE: Schema = {
  type: 'string',
  enum: EMBED_MODES.map((mode) => mode.toLowerCase()),
  description:
    "The colour mode. `auto` follows the setting of the user's system; `user_defined` lets the user choose in the top bar, which is then always shown.",
};

export const FONT_NAME: Schema = {
  type: 'string',
  pattern: FONT.source,
  description:
    '`default`, or the name of a web font family: 1 to 64 letters, digits, spaces and hyphens, beginning with a letter or digit.',
};

const INSTANT: Schema = { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] };

/** What each parameter may be. Of `page_url` a schema cannot say all: the host must be public. */
export const PARAMETERS: Readonly<Record<Name, Schema>> = {
  first: { ...pageSize, default: DEFAULT_PAGE_SIZE, description: 'How many embeds to return.' },
  limit: { ...pageSize, description: 'Another name for `first`; send one of them.' },
  after: {
    ...ID_SCHEMA,
    description:
      'The id of the last embed that you have: the answer begins after it. It stays good when that embed is deleted.',
  },
  page_url: {
    type: 'string',
    format: 'iri',
    maxLength: MAX_URL_LENGTH,
    pattern: PAGE_URL,
    description:
      'The URL of the source page: absolute, http or https, without credentials, on a public host. Characters outside RFC 3986 are percent-encoded, and count as such.',
    examples: [EXAMPLE_PAGE_URL],
  },
  page_id: {
    type: 'string',
    pattern: WHOLE_ID.source,
    description:
      "The id of a new source page, with or without its hyphens: replaces the id in the page's URL. Refused where the URL carries none.",
    examples: [EXAMPLE_PAGE_ID],
  },
  mode: named('Mode'),
  font: named('Font'),
  show_top_bar: {
    type: 'boolean',
    description: 'Whether the top bar is shown. Always on in the mode `user_defined`.',
  },
  created_after: { ...INSTANT, description: 'Only embeds that were created after this instant.' },
  created_before: { ...INSTANT, description: 'Only embeds that were created before this instant.' },
  search: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_URL_LENGTH,
    description: `Either words or one URL. Words: at most ${MAX_SEARCH_WORDS} whole words in at most ${MAX_SEARCH_LENGTH} characters, in any case and order, that must all occur in the page's title or URL. Only the first ${MAX_WORDS} words of an embed and the first ${MAX_WORD_LENGTH} characters of a word are indexed; the page's id is not a word. URL: at most ${MAX_URL_LENGTH} characters; finds the embeds of that page, in any spelling of the URL. A URL with a page id finds all embeds with that id. Any other URL also finds the embeds that have all words of the URL, or its ${MAX_SEARCH_WORDS} longest if it has more.`,
    examples: ['meal planner'],
  },
  order_by: {
    type: 'string',
    enum: ORDER_FIELDS.map((field) => field.toLowerCase()),
    default: 'created_at',
    description: 'By what the list is put in order.',
  },
  direction: {
    type: 'string',
    enum: DIRECTIONS.map((direction) => direction.toLowerCase()),
    default: 'desc',
    description: 'Which end comes first: `desc` is the newest.',
  },
};

/** What some parameters are where embeds are looked for. */
export const FILTERS: Partial<Readonly<Record<Name, Schema>>> = {
  page_url: {
    ...PARAMETERS.page_url,
    description:
      'Only embeds of this page, in any spelling: case of the host, default port, dot segments, percent-encoding and fragment do not matter.',
  },
  page_id: {
    ...PARAMETERS.page_id,
    description: 'Only embeds of the page with this id, with or without its hyphens.',
  },
  mode: { ...MODE, description: 'Only embeds in this colour mode.' },
  font: { ...FONT_NAME, description: 'Only embeds with this font, exactly as it was sent.' },
};

const DEFAULTS: Partial<Record<Name, unknown>> = {
  mode: DEFAULT_MODE.toLowerCase(),
  font: DEFAULT_FONT,
  show_top_bar: DEFAULT_SHOW_TOP_BAR,
};

/** The body that an operation takes. */
export function bodySchema({ parameters, requiredParameters }: Operation): Schema {
  const isNew = requiredParameters.length > 0;
  const properties = parameters.map((name) => {
    const isOptional = isNew && name in DEFAULTS;
    return [name, isOptional ? { ...PARAMETERS[name], default: DEFAULTS[name] } : PARAMETERS[name]];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(isNew && { required: requiredParameters }),
    ...(parameters.includes('page_id') && {
      not: { properties: { page_url: {}, page_id: {} }, required: ['page_url', 'page_id'] },
    }),
    additionalProperties: false,
  };
}
