import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { resolveByDns } from '../../src/pages/fetch/dns.ts';
import { createPageFetcher } from '../../src/pages/fetch/fetch.ts';
import { openNameServer, type Zone } from './name-server.ts';

const never = new AbortController().signal;

async function openNames(zone: Zone) {
  const server = await openNameServer(zone);
  return { ...server, resolve: (name: string, signal = never) => resolveByDns(name, signal, [server.address]) };
}

test('a name has all its addresses, of both kinds', async () => {
  const { resolve } = await openNames({
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

test('a name with one private address among public ones is refused, whatever its kind', async () => {
  const { resolve } = await openNames({
    'A six.example': ['93.184.215.14'],
    'AAAA six.example': ['fd00::7'],
    'A mapped.example': ['93.184.215.14'],
    'AAAA mapped.example': ['::ffff:7f00:1'],
    'A four.example': ['93.184.215.14', '192.168.0.7'],
    'AAAA four.example': ['2606:2800:21f:cb07::1'],
  });
  const fetcher = createPageFetcher({
    policy: { allowPrivatePages: false },
    isOwnHost: () => false,
    userAgent: 'Test',
    resolve,
    dial: () => Promise.reject(new Error('nobody is to be asked')),
  });
  for (const name of ['six', 'mapped', 'four']) {
    expect(await fetcher.fetch(`http://${name}.example/`), name).toEqual({ kind: 'failed', reason: 'blocked-address' });
  }
});

test('a server that never answers for IPv6 does not keep the IPv4 addresses back', async () => {
  const { resolve } = await openNames({ 'A site.example': ['93.184.215.14'], 'AAAA site.example': 'silent' });
  expect(await resolve('site.example')).toEqual(['93.184.215.14']);
});

test('names whose servers are silent hold up neither other names nor files, and can be given up', async () => {
  const silent = Array.from({ length: 20 }, (_, i) => `silent-${i}.example`);
  const zone = Object.fromEntries(silent.flatMap((name) => [`A ${name}`, `AAAA ${name}`].map((q) => [q, 'silent'])));
  const { resolve, queries } = await openNames({ ...zone, 'A site.example': ['93.184.215.14'] });
  const caller = new AbortController();
  let ended = 0;
  const hung = silent.map((name) => resolve(name, caller.signal).finally(() => ended++));
  await expect.poll(() => new Set(queries).size).toBe(2 * silent.length);
  expect(await resolve('site.example')).toEqual(['93.184.215.14']);
  expect(await readFile('package.json', 'utf8')).toContain('"name"');
  expect(ended).toBe(0);
  caller.abort();
  expect(await Promise.all(hung)).toEqual(silent.map(() => []));
});
