import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { RequestHeaders } from './exchange.ts';

/** Returns the address of a caller in its shortest usual form; null if it is not known. */
export type ClientAddressOf = (connection: string | undefined, headers: RequestHeaders) => string | null;

/**
 * Takes the address of a caller from `X-Forwarded-For`, or from `Forwarded` (RFC 7239) if that is missing, but only on
 * connections from trusted proxies. Reads from the right and skips trusted addresses, because a caller can send any others
 * in front. At an entry that is no address, the proxy that added it counts as the caller.
 * @param proxies addresses, and networks such as `10.0.0.0/8`
 */
export function createClientAddressOf(proxies: readonly string[]): ClientAddressOf {
  if (proxies.length === 0) return (connection) => parseAddress(connection);
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  return (connection, headers) => {
    let address = parseAddress(connection);
    const entries = forwardedAddresses(headers);
    while (address !== null && isTrusted(address)) {
      const previous = parseAddress(entries.pop());
      if (previous === null) break;
      address = previous;
    }
    return address;
  };
}

function forwardedAddresses(headers: RequestHeaders): string[] {
  const forwardedFor = headers.get('x-forwarded-for');
  if (forwardedFor !== null) return forwardedFor.split(',');
  // also within quotes: a caller could open one to hide what a proxy appends
  const elements = headers.get('forwarded')?.split(',') ?? [];
  return elements.map((element) => /(?:^|;)\s*for="?([^";]*)/i.exec(element)?.[1] ?? '');
}

/** Accepts a port, brackets and a zone. An IPv4 address that is mapped into IPv6 becomes an IPv4 address. */
function parseAddress(text = ''): string | null {
  if (isIPv4(text)) return text;
  const [, bracketed, dotted, bare] =
    /^\s*(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?|([\da-f:.]+(?:%[^\s%]+)?))\s*$/i.exec(text) ?? [];
  const address = (bracketed ?? dotted ?? bare ?? '').replace(/%.*$/, '');
  if (isIP(address) === 0) return null;
  if (!isIPv6(address)) return address;
  // ipaddr.js does not tell `::8.8.8.8` from `::ffff:8.8.8.8`; the URL parser does
  return ipaddr.process(new URL(`http://[${address}]`).hostname.slice(1, -1)).toString();
}
