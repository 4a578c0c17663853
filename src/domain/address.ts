import ipaddr from 'ipaddr.js';

/** IPv6 that is handed out to the public today (RFC 4291 section 2.4, IANA). All else is reserved, local or a tunnel. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Inside 2000::/3 but not public hosts: special-purpose registry (RFC 6890), 6to4 (RFC 3056), documentation. */
const RESERVED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '3ffe::/16', '5f00::/16'].map((cidr) =>
  ipaddr.IPv6.parseCIDR(cidr),
);

/** Blocks of the special-purpose registry that the parser's own `unicast` lets through. */
const RESERVED_V4 = ['192.88.99.0/24', '192.0.0.0/24', '198.18.0.0/15', '240.0.0.0/4'].map((cidr) =>
  ipaddr.IPv4.parseCIDR(cidr),
);

/** Whether an IP address (dotted IPv4 or IPv6, without brackets) belongs to a host on the public internet. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv6) {
    if (address.isIPv4MappedAddress()) return isPublicV4(address.toIPv4Address());
    return address.match(GLOBAL_UNICAST) && !RESERVED_V6.some((block) => address.match(block));
  }
  return isPublicV4(address as ipaddr.IPv4);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !RESERVED_V4.some((block) => address.match(block));
}

/** Top-level names that never resolve on the public internet (RFC 6761, RFC 6762, RFC 8375, ICANN's `.internal`). */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa'];

/** Whether a hostname as the URL standard serialises it (lower case, IPv4 dotted, IPv6 in brackets) can be public. */
export function isPublicHostname(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublicAddress(hostname.slice(1, -1));
  const name = hostname.replace(/\.$/, '');
  if (ipaddr.IPv4.isValidFourPartDecimal(name)) return isPublicAddress(name);
  const labels = name.split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  return !PRIVATE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}
