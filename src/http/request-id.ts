import { randomBytes } from 'node:crypto';

/** The `X-Request-Id` values that are accepted from a proxy. */
export const REQUEST_ID = /^[\w.-]{8,64}$/;

const ID_BYTES = 16;
const ID_DIGITS = 2 * ID_BYTES;
/** An id that is kept keeps the digits of its batch. */
const IDS_PER_BATCH = 32;

/** Creates a generator of random ids: 32 hexadecimal digits. They are cut from a batch, which costs a tenth of `randomUUID`. */
export function createRequestIdGenerator(): () => string {
  let digits = '';
  let position = 0;
  return () => {
    if (position === digits.length) [digits, position] = [randomBytes(IDS_PER_BATCH * ID_BYTES).toString('hex'), 0];
    position += ID_DIGITS;
    return digits.slice(position - ID_DIGITS, position);
  };
}
