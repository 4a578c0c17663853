import { EMBED_ID } from '../../../domain/embed/id.ts';
import { MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import type { RestEmbed } from '../embeds.ts';
import { FONT_NAME, ID_SCHEMA, MODE, PARAMETERS } from './parameter-schemas.ts';
import { named, type Schema, wholeObject } from './schema.ts';

/** Every field of what answers show: a new one does not compile without its schema. */
const EMBED_FIELDS: Readonly<Record<keyof RestEmbed, Schema>> = {
  id: ID_SCHEMA,
  created_at: {
    type: 'string',
    format: 'date-time',
    description: 'When the embed was made, in UTC, to the millisecond.',
  },
  embed_url: {
    type: 'string',
    format: 'uri',
    description: 'The URL to place in an iframe. It opens without a token.',
  },
  page_id: {
    type: 'string',
    format: 'uuid',
    description: 'The id of the source page: the one that its URL carries, else a UUIDv5 of the URL.',
  },
  page_url: { type: 'string', format: 'uri', description: 'The URL of the source page, as it was sent.' },
  mode: PARAMETERS.mode,
  font: PARAMETERS.font,
  show_top_bar: PARAMETERS.show_top_bar,
};

const total: Schema = {
  type: 'integer',
  minimum: 0,
  description:
    'How many embeds the account has in all; with a filter, how many of them it is for: exact up to 1,000, and at least so many where `total_count_is_exact` is false.',
};
const isExact: Schema = { type: 'boolean', description: 'Only with a filter: whether `total_count` is exact.' };

/** All of them are always there, and with a filter one more. */
function withExactness(properties: Readonly<Record<string, Schema>>): Schema {
  const whole = wholeObject(properties);
  return { ...whole, properties: { ...properties, total_count_is_exact: isExact } };
}

/** What answers and parameters are made of. */
export const ANSWERS: Readonly<Record<string, Schema>> = {
  Embed: {
    type: 'object',
    description: 'A hosted, iframe-ready view of a public page.',
    properties: EMBED_FIELDS,
    required: Object.keys(EMBED_FIELDS),
  },
  Mode: MODE,
  Font: FONT_NAME,
  EmbedAnswer: wholeObject({ embed: named('Embed') }),
  EmbedList: withExactness({
    embeds: { type: 'array', items: named('Embed'), maxItems: MAX_PAGE_SIZE },
    total_count: total,
    pagination: named('Pagination'),
  }),
  Pagination: withExactness({
    end_cursor: {
      type: ['string', 'null'],
      pattern: EMBED_ID.source,
      description:
        'The id of the last embed of this page, or of the one at which a search was given up, to be sent as `after`; null when the page is empty.',
    },
    has_next_page: {
      type: 'boolean',
      description: 'Whether the list goes on after this page; where a search was given up, it may.',
    },
    total_count: total,
  }),
  Deletion: wholeObject({ message: { type: 'string', description: 'A sentence that says that the embed is gone.' } }),
};
