import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isPublicAddress, isPublicHostname } from '../src/public-address.ts';

/** IANA IPv4 Special-Purpose Address Registry: blocks with their first, last and an inner address. */
const SPECIAL_V4: readonly (readonly [block: string, ...addresses: string[]])[] = [
  ['0.0.0.0/8', '0.0.0.0', '0.0.0.1', '0.255.255.255'],
  ['10.0.0.0/8', '10.0.0.0', '10.1.2.3', '10.255.255.255'],
  ['100.64.0.0/10', '100.64.0.0', '100.100.100.200', '100.127.255.255'],
  ['127.0.0.0/8', '127.0.0.0', '127.0.0.1', '127.255.255.255'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['172.16.0.0/12', '172.16.0.0', '172.20.0.1', '172.31.255.255'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.8', '192.0.0.9', '192.0.0.10', '192.0.0.170', '192.0.0.192', '192.0.0.255'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.2', '192.88.99.255'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.1.1', '192.168.255.255'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255'],
  ['224.0.0.0/4, multicast', '224.0.0.0', '239.255.255.255'],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.254', '255.255.255.255'],
  ['the host agent of Azure', '168.63.129.16'],
];

/** IANA IPv6 Special-Purpose Address Registry, and other addresses outside global unicast. */
const SPECIAL_V6: typeof SPECIAL_V4 = [
  ['::1/128', '::1'],
  ['::/128', '::'],
  ['::/96, IPv4-compatible', '::7f00:1', '::808:808', '::8.8.8.8', '::169.254.169.254'],
  ['::ffff:0:0/96, IPv4-mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254'],
  ['::ffff:0:0:0/96, IPv4-translated', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ['64:ff9b::/96, NAT64', '64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::/48, local NAT64', '64:ff9b:1::', '64:ff9b:1:fffe::10.0.0.1'],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::/64', '100:0:0:1::', '100:0:0:1::1'],
  ['2001::/23', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001::/32, Teredo', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['2001:1::1/128', '2001:1::1', '2001:1::2', '2001:1::3'],
  ['2001:2::/48', '2001:2::', '2001:2:0:ffff::1'],
  ['2001:3::/32', '2001:3::', '2001:3:ffff::1'],
  ['2001:4:112::/48', '2001:4:112::', '2001:4:112:ffff::1'],
  ['2001:5::/32', '2001:5::1'],
  ['2001:10::/28', '2001:10::', '2001:1f:ffff::'],
  ['2001:20::/28', '2001:20::', '2001:2f:ffff::'],
  ['2001:30::/28', '2001:30::', '2001:3f:ffff::'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff::1'],
  ['2002::/16, 6to4', '2002::', '2002:7f00:1::', '2002:808:808::1', '2002:ffff::1'],
  ['2620:4f:8000::/48', '2620:4f:8000::', '2620:4f:8000:ffff::1'],
  ['3ffe::/16, the 6bone', '3ffe::1', '3ffe:ffff::1'],
  ['3fff::/20', '3fff::', '3fff:fff:ffff::1'],
  ['4000::/2, not handed out', '4000::1', '5f00::1', '7fff::1'],
  ['fc00::/7', 'fc00::', 'fd00:ec2::254', 'fdff:ffff::1'],
  ['fe80::/10', 'fe80::', 'fe80::1', 'fe80::a9fe:a9fe', 'febf:ffff::1'],
  ['fec0::/10', 'fec0::', 'feff::1'],
  ['ff00::/8, multicast', 'ff00::', 'ff02::1', 'ffff::1'],
];

test.each([...SPECIAL_V4, ...SPECIAL_V6])('%s is not public', (_block, ...addresses) => {
  for (const address of addresses) {
    expect(isPublicAddress(address), address).toBe(false);
    const host = address.includes(':') ? `[${address}]` : address;
    expect(isPublicHostname(new URL(`http://${host}/`).hostname), host).toBe(false);
  }
});

test('an IPv4-mapped address is public exactly if the IPv4 address is', () => {
  for (const [, ...addresses] of SPECIAL_V4) {
    for (const address of addresses) expect(isPublicAddress(`::ffff:${address}`), address).toBe(false);
  }
  expect(isPublicAddress('::ffff:8.8.8.8')).toBe(true);
});

test.each([
  ...['1.0.0.0', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...['191.255.255.255', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
  ...[
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700::1111',
    '2620:4f:7fff::1',
    '2620:4f:8001::1',
    '2a00::1',
  ],
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test('unusual spellings of an address are rejected', () => {
  for (const text of ['', '1', '8.8.8', '010.8.8.8', '0x8.8.8.8', '8.8.8.8.', ' 8.8.8.8', '134744072', 'example.com']) {
    expect(isPublicAddress(text), text).toBe(false);
  }
  for (const text of ['2606:4700::1111%eth0', '2606:4700::1111%1', '[2606:4700::1111]', '2606:4700:::1111']) {
    expect(isPublicAddress(text), text).toBe(false);
  }
});

test.each([
  ...['localhost', 'localhost.', 'a.localhost', 'localhost..', 'intranet', 'printer.local', 'printer.local.'],
  ...['metadata.google.internal', 'router.home.arpa', 'home.arpa', '.', '..', 'a..example.com', '.example.com'],
])('the name %s is not public', (name) => {
  expect(isPublicHostname(name)).toBe(false);
});

test.each(['example.com', 'example.com.', 'mylocalhost.com', 'local.example.com', 'xn--bcher-kva.example'])(
  'the name %s can be public',
  (name) => {
    expect(isPublicHostname(name)).toBe(true);
  },
);

test.each([
  ...[
    'http://2130706433/',
    'http://0x7f000001/',
    'http://017700000001/',
    'http://127.1/',
    'http://0/',
    'http://0x7f.1/',
  ],
  ...[
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http://127.0.0.1./',
    'http://LOCALHOST/',
  ],
  ...['http://[0:0:0:0:0:ffff:7f00:1]/', 'http://[::FFFF:127.0.0.1]/', 'http://ⓛocalhost/', 'http://2852039166/'],
])('the URL %s is rejected, because its host is not public', (url) => {
  expect(isPublicHostname(new URL(url).hostname)).toBe(false);
});

test('host names are not parsed as addresses', () => {
  const isValid = vi.spyOn(ipaddr.IPv4, 'isValid');
  const parse = vi.spyOn(ipaddr.IPv4, 'parse');
  onTestFinished(() => void vi.restoreAllMocks());
  for (const name of ['example.com', 'www.example.co.uk', '1.example.com', 'xn--bcher-kva.example', '1and1.com']) {
    expect(isPublicHostname(name), name).toBe(true);
    expect(isPublicAddress(name), name).toBe(false);
  }
  expect([...isValid.mock.calls, ...parse.mock.calls]).toEqual([]);
  expect(isPublicHostname('8.8.8.8')).toBe(true);
  expect(parse).toHaveBeenCalled();
});

test('a host is recognised as an IPv4 address exactly if parsing it succeeds', () => {
  const octet = fc.oneof(fc.nat(999), fc.constantFrom('', '0', '00', '010', '256', '0x8', '1e1', '+1', ' 1', '٣', 'a'));
  const dotted = fc.array(octet, { minLength: 1, maxLength: 5 }).map((octets) => octets.join('.'));
  const text = fc.oneof(dotted, fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.domain(), fc.string());
  const isPublicByParse = (host: string) =>
    ipaddr.IPv4.isValidFourPartDecimal(host) &&
    ipaddr.IPv4.parse(host).range() === 'unicast' &&
    host !== '168.63.129.16';
  const property = fc.property(text, fc.constantFrom('', '.'), (host, dot) => {
    if (!host.includes(':')) expect(isPublicAddress(host), host).toBe(isPublicByParse(host));
    if (/^[\d.]+$/.test(host) && URL.canParse(`http://${host}${dot}/`)) {
      const { hostname } = new URL(`http://${host}${dot}/`);
      expect(isPublicHostname(hostname), host).toBe(isPublicByParse(hostname));
    }
  });
  fc.assert(property, { seed: 20_261_121, numRuns: 5_000 });
});
