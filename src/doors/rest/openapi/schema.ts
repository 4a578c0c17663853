import { MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import { spellDescription, spellValue } from '../../../domain/input/parameters.ts';

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type Schema = Readonly<Record<string, unknown>>;

export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the schema of an object in which all properties are required. */
export function requiredObject(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

export function pluralOf(noun: string): string {
  return `${noun.replace(/y$/, 'ie')}s`;
}

/**
 * Describes a page of a list without filters.
 * @param item the name of the schema of an item
 */
export function listOf(
  noun: string,
  item: string,
  idPattern: RegExp,
  { totalCount }: { readonly totalCount: string },
): Schema {
  const total = { ...COUNT, description: totalCount };
  return requiredObject({
    [pluralOf(noun)]: { type: 'array', items: schemaRef(item), maxItems: MAX_PAGE_SIZE },
    total_count: total,
    pagination: requiredObject({
      end_cursor: {
        type: ['string', 'null'],
        pattern: idPattern.source,
        description: `The id of the last ${noun} of the page. Send it as \`after\`. Null if the page is empty.`,
      },
      has_next_page: { type: 'boolean', description: `Whether there are more ${pluralOf(noun)} after this page.` },
      total_count: total,
    }),
  });
}

export const TEXT: Schema = { type: 'string' };
export const TEXT_OR_NULL: Schema = { type: ['string', 'null'] };
export const INSTANT: Schema = { type: 'string', format: 'date-time' };
export const INSTANT_OR_NULL: Schema = { type: ['string', 'null'], format: 'date-time' };
export const URL_OR_NULL: Schema = { type: ['string', 'null'], format: 'uri' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };

/** A variable of the environment, and mutations that REST does not have. */
const UNCHANGED = { ACCESS_TOKEN: 'ACCESS_TOKEN', updateEmbeds: 'updateEmbeds', deleteEmbeds: 'deleteEmbeds' };

/** Translates names and enum values in backticks to REST's spelling. @param others other spellings, by word */
export function describeForRest(description: string, others: Readonly<Record<string, string>> = UNCHANGED): string {
  return spellDescription(description, others);
}

type Values = Readonly<Record<string, string>>;

/** Returns the values of an enum of GraphQL in REST's spelling. */
export function valuesInRest(values: Values): readonly string[] {
  return Object.keys(values).map((value) => spellValue(value, 'rest'));
}

/** Describes an enum of GraphQL in REST's spelling, with a line for each value. */
export function describeValues(values: Values = {}, description = ''): string {
  const listed = Object.entries(values).map(([value, text]) => `- \`${value}\`: ${text}`);
  return describeForRest([description, listed.join('\n')].filter((part) => part !== '').join('\n\n'));
}

export function enumOf(values: Values): Schema {
  return { type: 'string', enum: valuesInRest(values), description: describeValues(values) };
}
