import fc, { type Arbitrary } from 'fast-check';
import { expect } from 'vitest';
import { type Client, openApp } from '../open-app.ts';

/** Many cases on a busy machine take their time. Each file says so itself: this one is loaded once for all of them. */
export const MANY_CASES = { testTimeout: 60_000 };

/** Every run is the same; a failure prints this seed, the path to the case, and the case at its smallest. */
const SEED = 20_261_121;

/** Holds a property against so many cases. */
export async function check<T>(runs: number, arbitrary: Arbitrary<T>, property: (value: T) => Promise<void>) {
  await fc.assert(fc.asyncProperty(arbitrary, property), { seed: SEED, numRuns: runs });
}

/** An app that any number of requests may be sent to, with a full token of Ada's. */
export async function openFuzzed(): Promise<{ ada: Client; expectNoBugs: () => void }> {
  const { as, logged } = await openApp({ rateLimit: 0 });
  return {
    ada: await as('ada'),
    expectNoBugs: () => expect(logged.filter((line) => 'err' in line)).toEqual([]),
  };
}

/** Texts of every kind: plain, Unicode with what is ill-formed in it, numbers, and what means something to somebody. */
export const anyText: Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    '__proto__',
    'constructor',
    'null',
    'true',
    '0',
    '-1',
    '1e9',
    '\u0000',
    '\ud800',
    '%00',
    '../',
  ),
);

/** Values of every kind that JSON can hold. */
export const anyJson: Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  anyText,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, [], {}, [[]]),
);
