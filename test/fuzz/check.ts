import fc, { type Arbitrary } from 'fast-check';
import { expect } from 'vitest';
import { type Client, openApp } from '../open-app.ts';

/** One of so many cases runs by default. `all-cases.long.test.ts` runs all. */
const CASES_PER_RUN = process.env.MODE === 'long' ? 1 : 8;

/** Returns the number of cases to run. */
export const runsOf = (cases: number) => Math.ceil(cases / CASES_PER_RUN);

/** Returns the cases to run: all, or some from everywhere in the list. */
export const someOf = <T>(cases: readonly T[]) => cases.filter((_, i) => i % CASES_PER_RUN === 0);

/** Makes every run the same. A failure prints the seed, the path and the smallest failing case. */
const SEED = 20_261_121;

/** Tests a property with generated values. */
export async function check<T>(runs: number, arbitrary: Arbitrary<T>, property: (value: T) => Promise<void>) {
  await fc.assert(fc.asyncProperty(arbitrary, property), { seed: SEED, numRuns: runs });
}

/** Opens an app without a rate limit, and a client of Ada with all scopes. */
export async function openUnlimitedApp(): Promise<{ ada: Client; expectNoBugs: () => void }> {
  const { as, logged } = await openApp({ rateLimit: 0 });
  return {
    ada: await as('ada'),
    expectNoBugs: () => expect(logged.filter((line) => 'err' in line)).toEqual([]),
  };
}

/** Plain, Unicode and ill-formed strings, numbers, and strings with a special meaning in some language. */
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

/** JSON values of every type. */
export const anyJson: Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  anyText,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, [], {}, [[]]),
);
