/** A schema of JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
export type Schema = Readonly<Record<string, unknown>>;

/** A schema that the document has under a name. */
export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object in which everything is always there. */
export function requiredObject(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}
