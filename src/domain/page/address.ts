import ipaddr from 'ipaddr.js';

/** IPv6 that is handed out to the public today (RFC 4291 section 2.4). All else is reserved, local or a translation. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** In no special-purpose registry, but not public hosts: the 6bone, handed back (RFC 3701). */
const FORMER_6BONE = ipaddr.IPv6.parseCIDR('3ffe::/16');

/** The host of a virtual machine on Azure, to which it tells its secrets; its number looks public. */
const AZURE_HOST = '168.63.129.16';

/**
 * Whether an IP address (dotted IPv4 or IPv6, without brackets or zone) belongs to a host on the public internet: it is
 * in no block of IANA's special-purpose registries (RFC 6890), also none that tunnels IPv4 or is reachable globally.
 */
export function isPublicAddress(text: string): boolean {
  if (isDottedIPv4(text)) return isPublicV4(ipaddr.IPv4.parse(text));
  if (!ipaddr.IPv6.isValid(text) || text.includes('%')) return false;
  // the URL parser knows `::8.8.8.8` from `::ffff:8.8.8.8`
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]/`).hostname.slice(1, -1));
  if (address.isIPv4MappedAddress()) return isPublicV4(address.toIPv4Address());
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast' && !address.match(FORMER_6BONE);
}

/** ipaddr.js creates and catches an error for each text that is not an IPv4 address, so it gets no host names. */
function isDottedIPv4(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST;
}

/** Top-level names that never resolve on the public internet (RFC 6761, RFC 6762, RFC 8375, ICANN's `.internal`). */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa'];

/** Whether a hostname as the URL standard serialises it (lower case, IPv4 dotted, IPv6 in brackets) can be public. */
export function isPublicHostname(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublicAddress(hostname.slice(1, -1));
  const name = hostname.replace(/\.$/, '');
  if (isDottedIPv4(name)) return isPublicAddress(name);
  const labels = name.split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  return !PRIVATE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}
