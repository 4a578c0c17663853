import { createHash } from 'node:crypto';
import { Refusal } from '../../errors.ts';
import type { Draft, Embed } from './embed.ts';
import { DEFAULT_SETTINGS, inputFieldsOf } from './fields.ts';

/** What makes a create safe to retry: the caller's key, and what was asked for under it. */
export interface Once {
  /** The caller's key, behind what tells apart the creates that one request makes under it. */
  readonly key: string;
  /** Of the parameters: the same key with others is a mistake. */
  readonly fingerprint: string;
  /**
   * What is still to be found out about the embed before it is written; null when nothing is. Only the request that holds
   * the key does it.
   */
  readonly complete: ((embed: Embed) => Promise<Embed>) | null;
}

/** The embed of an idempotency key. */
export interface Inserted {
  readonly embed: Embed;
  /** Whether an earlier request with the same key created the embed. */
  readonly replayed: boolean;
}

/** A structured-field string, as the draft wants it, or the bare key that most clients send. */
export const KEY_PATTERN = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/**
 * The key in an `Idempotency-Key` field (draft-ietf-httpapi-idempotency-key-header-07); null when there is none.
 * @throws {Refusal} `malformed`
 */
export function parseIdempotencyKey(field: string | null): string | null {
  if (field === null) return null;
  const match = KEY_PATTERN.exec(field.trim());
  const key = match?.[1] ?? match?.[2];
  if (key === undefined)
    throw new Refusal('malformed', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.');
  return key;
}

/**
 * The fields of a create at the time when fingerprints were first stored. Their values are always part of it, others only
 * where they differ from the default: a key that was used before an upgrade keeps its fingerprint after it.
 */
const ORIGINAL_FIELD_COUNT = 4;
const CREATE_NAMES = inputFieldsOf('create').map(({ name }) => name);
const ORIGINAL_NAMES = CREATE_NAMES.slice(0, ORIGINAL_FIELD_COUNT);
const DEFAULTS: Readonly<Record<string, unknown>> = { ...DEFAULT_SETTINGS };
const LATER_NAMES = CREATE_NAMES.slice(ORIGINAL_FIELD_COUNT);

/** Returns the SHA-256 of the parameters of a create, in hex. */
export function fingerprintOf(draft: Draft): string {
  const values: Readonly<Record<string, unknown>> = { ...draft };
  const changed = LATER_NAMES.filter((name) => values[name] !== DEFAULTS[name]);
  const parts = [...ORIGINAL_NAMES.map((name) => values[name]), ...changed.map((name) => [name, values[name]])];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
