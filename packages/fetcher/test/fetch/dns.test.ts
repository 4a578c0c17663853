import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { resolveByDns } from '../../src/fetch/dns.ts';
import { createPageFetcher } from '../../src/fetch/fetch.ts';
import { openNameServer, type Zone } from './name-server.ts';

const never = new AbortController().signal;

async function openResolver(zone: Zone) {
  const server = await openNameServer(zone);
  return { ...server, resolve: (name: string, signal = never) => resolveByDns(name, signal, [server.address]) };
}

test('resolves a name to its IPv4 and IPv6 addresses', async () => {
  const { resolve } = await openResolver({
    'A site.example': ['93.184.215.14', '93.184.215.15'],
    'AAAA site.example': ['2606:2800:21f:cb07::1'],
    'A old.example': ['93.184.215.16'],
    'AAAA old.example': [],
    'AAAA new.example': ['2606:2800:21f:cb07::2'],
  });
  expect(await resolve('site.example')).toEqual(['2606:2800:21f:cb07::1', '93.184.215.14', '93.184.215.15']);
  expect(await resolve('site.example.')).toHaveLength(3);
  expect(await resolve('old.example')).toEqual(['93.184.215.16']);
  expect(await resolve('new.example')).toEqual(['2606:2800:21f:cb07::2']);
  expect(await resolve('unknown.example')).toEqual([]);
  expect(await resolve(`${'a'.repeat(300)}.example`)).toEqual([]);
});

test('refuses a name with one private address among public ones, for IPv4 and IPv6', async () => {
  const { resolve } = await openResolver({
    'A six.example': ['93.184.215.14'],
    'AAAA six.example': ['fd00::7'],
    'A mapped.example': ['93.184.215.14'],
    'AAAA mapped.example': ['::ffff:7f00:1'],
    'A four.example': ['93.184.215.14', '192.168.0.7'],
    'AAAA four.example': ['2606:2800:21f:cb07::1'],
  });
  const fetcher = createPageFetcher({
    policy: { allowPrivatePages: false },
    ownAddresses: { embedHost: 'embeds.example', host: '127.0.0.1', port: 4000 },
    userAgent: 'Test',
    resolve,
    dial: () => Promise.reject(new Error('no connection expected')),
  });
  for (const name of ['six', 'mapped', 'four']) {
    expect(await fetcher.fetch(`http://${name}.example/`), name).toEqual({ kind: 'failed', reason: 'blocked-address' });
  }
});

test('returns the IPv4 addresses when the name server never answers AAAA queries', async () => {
  const { resolve } = await openResolver({ 'A site.example': ['93.184.215.14'], 'AAAA site.example': 'silent' });
  expect(await resolve('site.example')).toEqual(['93.184.215.14']);
});

test('queries without a response block neither other queries nor file access, and can be cancelled', async () => {
  const silent = Array.from({ length: 20 }, (_, i) => `silent-${i}.example`);
  const zone = Object.fromEntries(silent.flatMap((name) => [`A ${name}`, `AAAA ${name}`].map((q) => [q, 'silent'])));
  const { resolve, queries } = await openResolver({ ...zone, 'A site.example': ['93.184.215.14'] });
  const caller = new AbortController();
  let settled = 0;
  const pending = silent.map((name) => resolve(name, caller.signal).finally(() => settled++));
  await expect.poll(() => new Set(queries).size).toBe(2 * silent.length);
  expect(await resolve('site.example')).toEqual(['93.184.215.14']);
  expect(await readFile('package.json', 'utf8')).toContain('"name"');
  expect(settled).toBe(0);
  caller.abort();
  expect(await Promise.all(pending)).toEqual(silent.map(() => []));
});
