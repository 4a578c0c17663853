import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeJsonError,
  findRepeatedNames,
  hasTooManyNames,
  quote,
  requireJsonObject,
} from '../../src/domain/json.ts';

test.each([
  ['{}', []],
  ['[]', []],
  ['"a"', []],
  ['{"a":1,"b":2}', []],
  ['{"a":1,"a":2}', ['a']],
  ['{"a" :1, "b": 2,\r\n\t"a"\r\n\t :2}', ['a']],
  ['{"a":1,"a":2,"a":3,"b":1,"b":2}', ['a', 'b']],
  ['{"a":{"b":1},"b":2}', []],
  ['{"a":{"a":{"a":1}}}', []],
  ['{"a":{"b":1},"c":{"b":1}}', []],
  ['{"a":{"b":1,"b":2}}', ['b']],
  ['{"a":{},"b":1,"a":2}', ['a']],
  ['[{"a":1},{"a":1}]', []],
  ['["a","a"]', []],
  ['{"a":["a","a"],"b":"a"}', []],
  ['{"a":"x\\"a\\":1,\\"a","b":1}', []],
  ['{"\\u0061":1,"a":2}', ['a']],
  ['{"a\\"":1,"a\\"":2}', ['a"']],
  ['{"a\\\\":1,"a\\\\":2,"a":3}', ['a\\']],
  ['{"{":1,"}":2,"{":3}', ['{']],
  ['{"":1,"":2}', ['']],
])('the repeated names of %s are %j', (text, names) => {
  expect(findRepeatedNames(text)).toEqual(names);
});

test('no JSON text that is written by JSON.stringify repeats a name', () => {
  const property = fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
    expect(findRepeatedNames(JSON.stringify(value, null, space))).toEqual([]);
  });
  fc.assert(property, { seed: 20_261_123, numRuns: 500 });
});

test.each([
  ['', 'is empty; it must be a JSON object'],
  [' \n', 'is empty; it must be a JSON object'],
  ['{"a":}', 'is not valid JSON: see line 1, column 6'],
  ['{\n"a": 1,\r\n  x}', 'is not valid JSON: see line 3, column 3'],
  ['{\r"a" 1}', 'is not valid JSON: see line 2, column 5'],
  ['// x\n{}', 'is not valid JSON: see line 1, column 1'],
  ['{"a":1', 'is not valid JSON: see line 1, column 7'],
  ['['.repeat(100_000), 'is not valid JSON'],
])('the JSON %j %s', (text, message) => {
  expect(describeJsonError(text)).toBe(message);
});

test('an object of more than 100 names is found at any depth, unlike a list', () => {
  for (const count of [100, 101]) {
    const object = Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, null]));
    for (const value of [object, ['x', null, { a: { b: object } }]]) expect(hasTooManyNames(value)).toBe(count > 100);
    expect(hasTooManyNames({ list: Array(count).fill(1) })).toBe(false);
  }
});

test('a text that is no JSON object, or repeats a name, is refused with the reason', () => {
  expect(requireJsonObject('{"a":[1]}')).toEqual({ a: [1] });
  for (const [text, expected, message] of [
    ['{', undefined, 'The body is not valid JSON: see line 1, column 2.'],
    ['[]', undefined, 'The body must be a JSON object.'],
    ['null', 'a message', 'The body must be a message.'],
  ] as const) {
    expect(() => requireJsonObject(text, expected)).toThrow(expect.objectContaining({ code: 'malformed', message }));
  }
  const faults = [{ path: 'a', message: 'must be sent once' }];
  expect(() => requireJsonObject('{"a":1,"a":2}')).toThrow(expect.objectContaining({ code: 'malformed', faults }));
});

test('a message quotes plain values, and names the kind of others', () => {
  expect(['x', 1, null, [1], { a: 1 }].map(quote)).toEqual(['"x"', '1', 'null', 'a list', 'an object']);
});
