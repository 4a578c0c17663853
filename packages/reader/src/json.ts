export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a text of which nothing is known. Null if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a text that is not empty, and null for any other value. */
export function findText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
