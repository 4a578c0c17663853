import type { PagePolicy } from '../../../reader/src/page-url.ts';
import { isPublicAddress, isPublicHostname, PUBLIC_PORTS } from '../../../reader/src/public-address.ts';
import type { Resolve } from './dns.ts';
import { FetchFailure } from './failure.ts';

export interface Target {
  readonly url: URL;
  readonly port: number;
  /** All addresses of the host, each of them checked. */
  readonly addresses: readonly string[];
}

/** Addresses of this service, which must not fetch itself: an embed could embed itself. */
export interface OwnAddresses {
  /** Host of the embeds. Without a port it stands for all ports, because a proxy may be in front of the service. */
  readonly embedHost: string;
  readonly host: string;
  readonly port: number;
}

interface TargetRules {
  readonly policy: PagePolicy;
  readonly ownAddresses: OwnAddresses;
  readonly resolve: Resolve;
}

/** Names below `localhost` resolve to this machine (RFC 6761 section 6.3). */
const LOOPBACK = /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|\[::\])$/;

/** @throws {FetchFailure} if the policy forbids the port, the host or at least one of its addresses */
export async function requireTarget(url: URL, rules: TargetRules, signal: AbortSignal): Promise<Target> {
  const hostname = url.hostname.replace(/\.$/, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (isOwnAddress(hostname, port, rules.ownAddresses)) throw new FetchFailure('own-host');
  const allowsPrivate = rules.policy.allowPrivatePages;
  if (!allowsPrivate && !PUBLIC_PORTS.includes(port)) throw new FetchFailure('blocked-port');
  if (!allowsPrivate && !isPublicHostname(url.hostname)) throw new FetchFailure('blocked-address');
  const addresses = await resolveHost(url.hostname, rules.resolve, signal);
  if (!allowsPrivate && !addresses.every(isPublicAddress)) throw new FetchFailure('blocked-address');
  return { url, port, addresses };
}

function isOwnAddress(hostname: string, port: number, own: OwnAddresses): boolean {
  const [, embedHostname = '', embedPort] = /^(.*?)(?::(\d+))?$/.exec(own.embedHost) ?? [];
  const isEmbedHostname = hostname === embedHostname || hostname.endsWith(`.${embedHostname}`);
  if (isEmbedHostname && (embedPort === undefined || Number(embedPort) === port)) return true;
  return port === own.port && (hostname === own.host || LOOPBACK.test(hostname));
}

/** The URL parser has already normalised every notation of an IP address. */
async function resolveHost(hostname: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  if (hostname.startsWith('[')) return [hostname.slice(1, -1)];
  if (/^[\d.]+$/.test(hostname)) return [hostname.replace(/\.$/, '')];
  const addresses = await rejectOnAbort(resolve(hostname, signal), signal);
  if (addresses.length === 0) throw new FetchFailure('unreachable');
  return addresses;
}

function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  if (signal.aborted) reject(signal.reason);
  return Promise.race([work, aborted]);
}
