import { randomUUID } from 'node:crypto';

/** The `X-Request-Id` values that are accepted from a proxy. */
export const REQUEST_ID = /^[\w.-]{8,64}$/;

/** Returns a random id: 32 hexadecimal digits. */
export function newRequestId(): string {
  return randomUUID().replaceAll('-', '');
}
