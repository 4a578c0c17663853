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
  readonly total: Schema;
}

/** Describes a page of a list without filters. */
export function listOf(name: string, { item, noun, idPattern, total }: ListOptions): Schema {
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

export const text = (description: string): Schema => ({ type: 'string', description });
export const textOrNull = (description: string): Schema => ({ type: ['string', 'null'], description });
export const instant = (description: string): Schema => ({ type: 'string', format: 'date-time', description });
export const instantOrNull = (description: string): Schema => ({
  type: ['string', 'null'],
  format: 'date-time',
  description,
});
export const urlOrNull = (description: string): Schema => ({ type: ['string', 'null'], format: 'uri', description });
export const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });

/** Describes an enum of GraphQL in REST's spelling, with a line for each value. */
export function enumOf(values: Readonly<Record<string, string>>): Schema {
  const spelled = Object.entries(values).map(
    ([value, description]) => [spellValue(value, 'rest'), description] as const,
  );
  return {
    type: 'string',
    enum: spelled.map(([value]) => value),
    description: spelled.map(([value, description]) => `- \`${value}\`: ${description}`).join('\n'),
  };
}
