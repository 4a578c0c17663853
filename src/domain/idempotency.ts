import { createHash } from 'node:crypto';
import { Refusal } from '../errors.ts';

/** What makes a create safe to retry: the caller's key, and what was asked for under it. */
export interface Once {
  readonly key: string;
  /** SHA-256 of the parameters, in hex: the same key with others is a mistake. */
  readonly fingerprint: string;
}

/** A structured-field string, as the draft wants it, or the bare key that most clients send. */
const KEY = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/**
 * The key in an `Idempotency-Key` field (draft-ietf-httpapi-idempotency-key-header-07); null when there is none.
 * @throws {Refusal} `malformed`
 */
export function parseIdempotencyKey(field: string | null): string | null {
  if (field === null) return null;
  const match = KEY.exec(field.trim());
  const key = match?.[1] ?? match?.[2];
  if (key === undefined)
    throw new Refusal('malformed', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.');
  return key;
}

/** @param place tells apart creates that one request makes under one key */
export function createOnce(key: string, place: string, parameters: object): Once {
  const sorted = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  return { key: `${place}:${key}`, fingerprint: createHash('sha256').update(JSON.stringify(sorted)).digest('hex') };
}
