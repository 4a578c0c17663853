import { lookup, Resolver } from 'node:dns/promises';

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
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const v4 = resolver.resolve4(hostname).then((addresses) => {
    timer = setTimeout(cancel, IPV6_GRACE_MS);
    return addresses;
  });
  try {
    const answers = await Promise.allSettled([resolver.resolve6(hostname), v4]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

export async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}
