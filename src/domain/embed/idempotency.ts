import { hash } from 'node:crypto';
import { Refusal } from '../../errors.ts';
import type { ConflictRule, Draft, Embed, Written } from './embed.ts';
import { DEFAULT_SETTINGS, inputFieldsOf } from './fields.ts';
import type { SettingsPatch } from './settings.ts';

export interface Once {
  /** The client's key, with a prefix that differs for each create of one request. */
  readonly key: string;
  /** Hash of the parameters. The same key with another fingerprint is rejected. */
  readonly fingerprint: string;
  /** Completes the embed before it is written; null if it is complete. Only the request that holds the key calls it. */
  readonly complete: ((embed: Embed) => Promise<Embed>) | null;
}

export interface Inserted extends Written {
  readonly replayed: boolean;
}

/** A string of draft-ietf-httpapi-idempotency-key-header-07, or the bare key that most clients send. */
export const KEY_PATTERN = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/** @throws {Refusal} `malformed` */
export function parseIdempotencyKey(field: string | null): string | null {
  if (field === null) return null;
  const match = KEY_PATTERN.exec(field.trim());
  const key = match?.[1] ?? match?.[2];
  if (key === undefined)
    throw new Refusal('malformed', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.');
  return key;
}

/** Later fields count only if they differ from their default, so that stored fingerprints stay valid after an upgrade. */
const ORIGINAL_FIELD_COUNT = 4;
const CREATE_NAMES = inputFieldsOf('create').map(({ name }) => name);
const ORIGINAL_NAMES = CREATE_NAMES.slice(0, ORIGINAL_FIELD_COUNT);
const DEFAULTS: Readonly<Record<string, unknown>> = { ...DEFAULT_SETTINGS, externalId: null, onConflict: 'ERROR' };
const LATER_NAMES = [...CREATE_NAMES.slice(ORIGINAL_FIELD_COUNT), 'onConflict'];

/** @param patch the settings of the create, which can remove some of an embed that exists */
export function fingerprintOf(draft: Draft, onConflict: ConflictRule = 'ERROR', patch: SettingsPatch = {}): string {
  const values: Readonly<Record<string, unknown>> = { ...draft, onConflict };
  const changed = LATER_NAMES.filter((name) => values[name] !== DEFAULTS[name]);
  const parts = [...ORIGINAL_NAMES.map((name) => values[name]), ...changed.map((name) => [name, values[name]])];
  const isPatch = onConflict === 'UPDATE' && Object.keys(patch).length > 0;
  const settings = isPatch ? JSON.stringify(patch) : draft.settings;
  if (settings !== null) parts.push(['settings', settings]);
  return hash('sha256', JSON.stringify(parts));
}
