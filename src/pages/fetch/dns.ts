import { lookup, Resolver } from 'node:dns/promises';

/** Every IP address of a host name. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/** How long a name server may take at first; it is asked twice, the second time with more patience. */
const QUERY_TIMEOUT_MS = 1_000;
const QUERY_TRIES = 2;
/** How much later than the IPv4 addresses the others may come: some servers never answer for IPv6. */
const LATER_FAMILY_MS = 500;

/**
 * The addresses of a public name, asked of the system's name servers over sockets of its own, which can be given up.
 * `lookup` would hold one of libuv's four threads for as long as the system waits, and a few names whose servers are
 * silent would keep the whole process from its files.
 */
export async function resolveByDns(
  hostname: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  const giveUp = () => resolver.cancel();
  signal.addEventListener('abort', giveUp, { once: true });
  let later: NodeJS.Timeout | undefined;
  const v4 = resolver.resolve4(hostname).then((addresses) => {
    later = setTimeout(giveUp, LATER_FAMILY_MS);
    return addresses;
  });
  try {
    const answers = await Promise.allSettled([resolver.resolve6(hostname), v4]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    clearTimeout(later);
    signal.removeEventListener('abort', giveUp);
  }
}

/** The addresses of a name as the system knows them, from its hosts file and the local network too. */
export async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}
