import { expect, test } from 'vitest';
import { createClientAddressOf } from '../../src/http/client-address.ts';
import { openApp } from '../open-app.ts';
import { openService } from '../open-service.ts';

const PROXIES = ['10.0.0.0/8', '192.0.2.1', '::1', 'fd00::/8'];

const xff = (value: string) => ({ 'x-forwarded-for': value });
const forwarded = (value: string) => ({ forwarded: value });

test.each<
  readonly [what: string, connection: string | undefined, headers: Record<string, string>, address: string | null]
>([
  ['no proxy', '203.0.113.9', {}, '203.0.113.9'],
  ['no connection', undefined, xff('203.0.113.1'), null],
  ['a header that no proxy sent', '203.0.113.9', xff('198.51.100.7'), '203.0.113.9'],
  ['a header from beside a trusted network', '11.0.0.1', xff('198.51.100.7'), '11.0.0.1'],
  ['a proxy without the header', '10.1.2.3', {}, '10.1.2.3'],
  ['a proxy with an empty header', '10.1.2.3', xff(''), '10.1.2.3'],
  ['one proxy', '10.1.2.3', xff('198.51.100.7'), '198.51.100.7'],
  ['a chain of trusted proxies', '10.1.2.3', xff('198.51.100.7, 192.0.2.1,fd12::1 , 10.9.9.9'), '198.51.100.7'],
  ['only trusted addresses', '10.1.2.3', xff('10.0.0.5, 10.0.0.6'), '10.0.0.5'],
  ['a left part that the caller sent', '10.1.2.3', xff('1.1.1.1, 10.0.0.5, 198.51.100.7, 10.9.9.9'), '198.51.100.7'],
  ['garbage that the caller sent', '10.1.2.3', xff('<script>, 198.51.100.7'), '198.51.100.7'],
  ['a malformed last entry', '10.1.2.3', xff('198.51.100.7, unknown'), '10.1.2.3'],
  ['a malformed entry behind a proxy', '10.1.2.3', xff('1.1.1.1, 999.1.1.1, 10.9.9.9'), '10.9.9.9'],
  ['an empty entry', '10.1.2.3', xff('1.1.1.1,, 10.9.9.9'), '10.9.9.9'],
  ['a port', '10.1.2.3', xff('198.51.100.7:4711'), '198.51.100.7'],
  ['IPv6', '::1', xff('2001:DB8:0:0::7'), '2001:db8::7'],
  ['IPv6 with brackets and a port', '::1', xff('[2001:db8::7]:4711'), '2001:db8::7'],
  ['IPv6 with brackets', '::1', xff('[2001:db8::7]'), '2001:db8::7'],
  ['IPv6 that ends like a mapped address', '::1', xff('2001:db8::ffff:1:2'), '2001:db8::ffff:1:2'],
  ['IPv6 that begins like a mapped address', '::1', xff('::ffff:1:2:3'), '::ffff:1:2:3'],
  ['words before an address', '10.1.2.3', xff('unknown 198.51.100.7'), '10.1.2.3'],
  ['IPv6 with a zone', 'fd00::1%eth0', xff('fe80::7%eth0'), 'fe80::7'],
  ['IPv4 mapped into IPv6', '::ffff:10.1.2.3', xff('::ffff:198.51.100.7'), '198.51.100.7'],
  ['a mapped address in hexadecimal', '::ffff:a01:203', xff('::FFFF:c633:6407'), '198.51.100.7'],
  ['a mapped address that is not trusted', '::ffff:203.0.113.9', xff('1.1.1.1'), '203.0.113.9'],
  ['many entries', '10.1.2.3', xff(`${'1.1.1.1, '.repeat(1_500)}198.51.100.7`), '198.51.100.7'],
  ['many trusted entries', '10.1.2.3', xff(`198.51.100.7${', 10.0.0.1'.repeat(1_500)}`), '198.51.100.7'],
  ['Forwarded', '10.1.2.3', forwarded('for=198.51.100.7;proto=https;by=10.0.0.1'), '198.51.100.7'],
  [
    'Forwarded with a chain',
    '10.1.2.3',
    forwarded('for=1.1.1.1, For="[2001:db8::7]:4711", for=10.0.0.2'),
    '2001:db8::7',
  ],
  [
    'Forwarded with a quote that the caller opened',
    '10.1.2.3',
    forwarded('for=1.1.1.1;host=", for=198.51.100.7'),
    '198.51.100.7',
  ],
  ['Forwarded with an obfuscated name', '10.1.2.3', forwarded('for=198.51.100.7, for=_hidden'), '10.1.2.3'],
  ['Forwarded without for', '10.1.2.3', forwarded('proto=https'), '10.1.2.3'],
  ['both headers', '10.1.2.3', { ...forwarded('for=1.1.1.1'), ...xff('198.51.100.7') }, '198.51.100.7'],
])('finds the address of a caller: %s', (_what, connection, headers, address) => {
  expect(createClientAddressOf(PROXIES)(connection, new Headers(headers))).toBe(address);
});

test('without trusted proxies, only the connection counts', () => {
  const addressOf = createClientAddressOf([]);
  const headers = new Headers(xff('198.51.100.7'));
  expect(['203.0.113.9', '::FFFF:203.0.113.9', undefined].map((connection) => addressOf(connection, headers))).toEqual([
    '203.0.113.9',
    '203.0.113.9',
    null,
  ]);
});

test('counts and logs callers behind a trusted proxy each for themselves', async () => {
  const { app, logged } = await openApp({ trustProxy: ['10.0.0.0/8'] });
  const send = async (ip: string, forwardedFor: string) => {
    const headers = { 'x-forwarded-for': forwardedFor, 'x-request-id': 'the-request' };
    return (await app.fetch(Object.assign(new Request('http://localhost:4000/v1/embeds', { headers }), { ip }))).status;
  };
  const statuses = new Set<number>();
  // each request claims another address in front
  for (let i = 0; i < 601; i++) statuses.add(await send('10.0.0.1', `1.1.${i >> 8}.${i & 255}, 198.51.100.7`));
  expect([...statuses]).toEqual([401, 429]);
  expect(await send('10.0.0.1', '198.51.100.8')).toBe(401);
  expect(await send('198.51.100.7', '198.51.100.9')).toBe(429);
  expect(logged.at(-1)).toMatchObject({ message: 'request', address: '198.51.100.7', status: 429 });
});

test('joins the lines of a header, in their order', async () => {
  const { origin, logged } = await openService({ trustProxy: ['127.0.0.1'] });
  await fetch(`${origin}/livez`, {
    headers: [
      ['x-forwarded-for', '1.1.1.1'],
      ['x-forwarded-for', '198.51.100.7'],
    ],
  });
  expect(logged.at(-1)).toMatchObject({ path: '/livez', address: '198.51.100.7' });
});
