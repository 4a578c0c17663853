import { expect, test } from 'vitest';
import { addDays, dayOf, daysIn, parseSite, parseViewRange } from '../../src/domain/views.ts';
import { faultsOf } from './faults.ts';

const POLICY = { allowPrivatePages: false };

test('days are those of UTC, and a range includes its last one', () => {
  expect(dayOf(new Date('2026-01-31T23:59:59.999Z'))).toBe('2026-01-31');
  expect([addDays('2026-02-28', 1), addDays('2024-02-28', 1), addDays('2026-01-01', -1)]).toEqual([
    '2026-03-01',
    '2024-02-29',
    '2025-12-31',
  ]);
  expect(daysIn({ from: '2026-01-31', to: '2026-01-31' })).toBe(1);
  expect(daysIn({ from: '2026-01-31', to: '2026-02-02' })).toBe(3);
});

test('a range is read in the spelling of each API, by day unless the client says otherwise', () => {
  const [from, to] = ['2025-01-01', '2026-02-04'];
  const parse = (values: object, spelling: 'rest' | 'graphql') => parseViewRange({ values }, POLICY, spelling);
  expect(parse({ from, to }, 'rest')).toEqual({ from, to, by: 'DAY' });
  expect(parse({ from, to, by: 'site' }, 'rest')).toEqual({ from, to, by: 'SITE' });
  expect(parse({ from, to, by: 'SITE' }, 'graphql')).toEqual({ from, to, by: 'SITE' });
  expect(parse({ from, to: from }, 'graphql')).toEqual({ from, to: from, by: 'DAY' });
});

test.each([
  7,
  ['2026-01-31'],
  '',
  '2026-01-3',
  '2026-01-311',
  'x2026-01-31',
  '2026-04-31',
  '2026-13-01',
  '+010000-01',
  '2026',
  '31 Jan 2026',
])('%j is no day', (day) => {
  const message = 'must be a date such as 2026-01-31';
  expect(faultsOf(() => parseViewRange({ values: { from: day, to: '2026-01-31' } }, POLICY, 'rest'))).toEqual([
    { path: 'from', message },
  ]);
});

test.each([
  ['2026-01-31', '2026-01-30', 'must not be before from'],
  ['2025-01-01', '2026-02-05', 'must be at most 399 days after from'],
])('the range from %s to %s is refused', (from, to, message) => {
  const faults = faultsOf(() => parseViewRange({ values: { from, to } }, POLICY, 'graphql'));
  expect(faults).toEqual([{ path: 'to', message }]);
});

test.each([
  ['example.com', 'example.com'],
  ['Example.COM.', 'example.com'],
  ['my_site.example', 'my_site.example'],
  ['localhost', 'localhost'],
  ['a', 'a'],
  ['127.0.0.1', '127.0.0.1'],
  ['[::1]', '[::1]'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  [`${'a'.repeat(64)}.example`, null],
  [`${'a.'.repeat(126)}a`, `${'a.'.repeat(126)}a`],
  [`${'a.'.repeat(127)}a`, null],
  ['', null],
  ['.', null],
  ['a..b', null],
  ['-a.example', null],
  ['a-.example', null],
  ['a.example..', null],
  ['example.com:443', null],
  ['bücher.example', null],
  ['[::1', null],
  ['[::1]:80', null],
  ['[0:0::1]', null],
  ['x[::1]', null],
])('the host %j is the site %j', (text, site) => {
  expect(parseSite(text)).toBe(site);
});
