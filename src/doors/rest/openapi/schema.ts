import { MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import { spellValue } from '../../../domain/input/parameters.ts';

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type Schema = Readonly<Record<string, unknown>>;

export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the schema of an object in which all properties are required. */
export function requiredObject(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

interface ListOptions {
  /** The name of the schema of an item. */
  readonly item: string;
  readonly noun: string;
  readonly idPattern: RegExp;
  readonly descriptions: { readonly totalCount: string };
}

export function pluralOf(noun: string): string {
  return `${noun.replace(/y$/, 'ie')}s`;
}

/** Describes a page of a list without filters. */
export function listOf(name: string, { item, noun, idPattern, descriptions }: ListOptions): Schema {
  const total = { ...COUNT, description: descriptions.totalCount };
  return requiredObject({
    [name]: { type: 'array', items: schemaRef(item), maxItems: MAX_PAGE_SIZE },
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

/** Describes an enum of GraphQL in REST's spelling, with a line for each value. */
export function enumOf(values: Readonly<Record<string, string>>): Schema {
  const spelled = Object.entries(values).map(
    ([value, description]) =>
      [spellValue(value, 'rest'), description.replace(/`[A-Z_]+`/g, (other) => spellValue(other, 'rest'))] as const,
  );
  return {
    type: 'string',
    enum: spelled.map(([value]) => value),
    description: spelled.map(([value, description]) => `- \`${value}\`: ${description}`).join('\n'),
  };
}
