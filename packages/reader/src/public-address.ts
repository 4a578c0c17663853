import ipaddr from 'ipaddr.js';

/** The ports of public hosts to which the service connects. */
export const PUBLIC_PORTS: readonly number[] = [80, 443];

/** IPv6 addresses that are assigned to the public (RFC 4291 section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Returned to IANA (RFC 3701), and in no special-purpose registry. */
const FORMER_6BONE = ipaddr.IPv6.parseCIDR('3ffe::/16');

/** A public-looking address that gives virtual machines on Azure their secrets. */
const AZURE_HOST = '168.63.129.16';

/**
 * Checks an IP address (dotted IPv4, or IPv6 without brackets and zone) against IANA's special-purpose registries (RFC
 * 6890). Globally reachable blocks and IPv4 tunnels in these registries do not count as public.
 */
export function isPublicAddress(text: string): boolean {
  if (isDottedIPv4(text)) return isPublicV4(ipaddr.IPv4.parse(text));
  if (!ipaddr.IPv6.isValid(text) || text.includes('%')) return false;
  // ipaddr.js does not tell `::8.8.8.8` from `::ffff:8.8.8.8`; the URL parser does
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]/`).hostname.slice(1, -1));
  if (address.isIPv4MappedAddress()) return isPublicV4(address.toIPv4Address());
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast' && !address.match(FORMER_6BONE);
}

/** Filters host names first, for which ipaddr.js would create and catch an error. */
function isDottedIPv4(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST;
}

/** Names that never resolve on the public internet (RFC 6761, RFC 6762, RFC 8375, ICANN's `.internal`). */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa'];

/** Checks a hostname as the URL standard serialises it: lower case, IPv4 dotted, IPv6 in brackets. */
export function isPublicHostname(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublicAddress(hostname.slice(1, -1));
  const name = hostname.replace(/\.$/, '');
  if (isDottedIPv4(name)) return isPublicAddress(name);
  const labels = name.split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  return !PRIVATE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}
