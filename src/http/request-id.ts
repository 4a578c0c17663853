import { randomBytes } from 'node:crypto';

/** The `X-Request-Id` values that are accepted from a proxy. */
export const REQUEST_ID = /^[\w.-]{8,64}$/;

const BYTES = 16;
const DIGITS = 2 * BYTES;
const BATCH = 256;

/** Creates a generator of random ids: 32 hexadecimal digits. They are cut from a batch, which costs a tenth of `randomUUID`. */
export function createRequestIdGenerator(): () => string {
  let digits = '';
  let position = 0;
  return () => {
    if (position === digits.length) [digits, position] = [randomBytes(BATCH * BYTES).toString('hex'), 0];
    position += DIGITS;
    return digits.slice(position - DIGITS, position);
  };
}
