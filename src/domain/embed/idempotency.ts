import { createHash } from 'node:crypto';
import { Refusal } from '../../errors.ts';
import type { Draft, Embed } from './embed.ts';

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
  /** Told when the embed is one that was made before. */
  readonly onReplay?: (() => void) | undefined;
}

/** A structured-field string, as the draft wants it, or the bare key that most clients send. */
export const KEY = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

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

/** SHA-256 of what a draft asks for, in hex. */
export function fingerprintOf({ pageUrl, mode, font, showTopBar }: Draft): string {
  return createHash('sha256')
    .update(JSON.stringify([pageUrl, mode, font, showTopBar]))
    .digest('hex');
}
