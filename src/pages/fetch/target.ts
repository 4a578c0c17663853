import { isPublicAddress, isPublicHostname } from '../../domain/page/address.ts';
import type { PagePolicy } from '../../domain/page/url.ts';
import type { Resolve } from './dns.ts';
import { FetchFailure } from './failure.ts';

/** Where one hop of a fetch goes. */
export interface Target {
  readonly url: URL;
  readonly port: number;
  /** Every address of the host, each of them checked. */
  readonly addresses: readonly string[];
}

export interface TargetRules {
  readonly policy: PagePolicy;
  /** Whether `hostname:port` is a host of this service. */
  readonly isOwnHost: (host: string) => boolean;
  readonly resolve: Resolve;
}

const PUBLIC_PORTS = [80, 443];

/** Where a URL leads, if that is somewhere that may be fetched. A single address that is not public refuses them all. */
export async function requireTarget(url: URL, rules: TargetRules, signal: AbortSignal): Promise<Target> {
  const hostname = url.hostname.replace(/\.$/, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (rules.isOwnHost(`${hostname}:${port}`)) throw new FetchFailure('own-host');
  const isOpen = rules.policy.allowPrivatePages;
  if (!isOpen && !PUBLIC_PORTS.includes(port)) throw new FetchFailure('blocked-port');
  if (!isOpen && !isPublicHostname(url.hostname)) throw new FetchFailure('blocked-address');
  const addresses = await resolveHost(url.hostname, rules.resolve, signal);
  if (!isOpen && !addresses.every(isPublicAddress)) throw new FetchFailure('blocked-address');
  return { url, port, addresses };
}

/** An IP address stands for itself; the URL parser has brought it, whatever its notation, into its usual form. */
async function resolveHost(hostname: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  if (hostname.startsWith('[')) return [hostname.slice(1, -1)];
  if (/^[\d.]+$/.test(hostname)) return [hostname.replace(/\.$/, '')];
  const addresses = await unlessAborted(resolve(hostname, signal), signal);
  if (addresses.length === 0) throw new FetchFailure('unreachable');
  return addresses;
}

/** A resolver that cannot be stopped is left behind. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
