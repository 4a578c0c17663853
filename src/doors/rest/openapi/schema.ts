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

/** Returns the schema of a list of one or more values, each once. */
export function setOf(items: Schema): Schema {
  return { type: 'array', items, minItems: 1, uniqueItems: true };
}

export function pluralOf(noun: string): string {
  return `${noun.replace(/y$/, 'ie')}s`;
}

/** A variable of the environment, and mutations that REST does not have. */
const UNCHANGED = { ACCESS_TOKEN: 'ACCESS_TOKEN', updateEmbeds: 'updateEmbeds', deleteEmbeds: 'deleteEmbeds' };

/** Translates names and enum values in backticks to REST's spelling. @param others other spellings, by word */
export function describeForRest(description: string, others: Readonly<Record<string, string>> = UNCHANGED): string {
  return spellDescription(description, others);
}

type Values = Readonly<Record<string, string>>;

/** Returns the values of an enum of GraphQL in REST's spelling. */
export function valuesInRest(values: Values): readonly string[] {
  return Object.keys(values).map(spellValue);
}

/** Describes an enum of GraphQL in REST's spelling, with a line for each value. */
export function describeValues(values: Values = {}, description = ''): string {
  const listed = Object.entries(values).map(([value, text]) => `- \`${value}\`: ${text}`);
  return describeForRest([description, listed.join('\n')].filter((part) => part !== '').join('\n\n'));
}
