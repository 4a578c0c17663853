/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type Schema = Readonly<Record<string, unknown>>;

export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the schema of an object in which all properties are required. */
export function requiredObject(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}
