import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';

export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/** For the first try; c-ares doubles it for the second. */
const QUERY_TIMEOUT_MS = 1_000;
const QUERY_TRIES = 2;
/** Waiting time for IPv6 addresses after the IPv4 ones: some servers never answer AAAA queries. */
const IPV6_GRACE_MS = 500;

/**
 * Resolves a public name through the system's name servers; empty if that fails. Unlike `lookup`, a query can be
 * cancelled and does not block one of libuv's four threads, which the file system needs too.
 */
export async function resolveByDns(
  hostname: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const ipv6 = resolver.resolve6(hostname).catch(() => []);
  const ipv4 = await resolver.resolve4(hostname).catch(() => []);
  const grace = ipv4.length > 0 ? [pause(IPV6_GRACE_MS, [], { ref: false })] : [];
  const addresses = [...(await Promise.race([ipv6, ...grace])), ...ipv4];
  resolver.cancel();
  return addresses;
}

export async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}
