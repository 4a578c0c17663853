/** A schema of JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
export type Schema = Readonly<Record<string, unknown>>;

/** A schema that the document has under a name. */
export function named(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object in which everything is always there. */
export function wholeObject(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}
