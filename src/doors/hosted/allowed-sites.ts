import { isAllowedSite } from '../../domain/embed/settings.ts';
import type { IncomingRequest } from '../../http/exchange.ts';

/** The destinations of frames (Fetch section 2.2.5). */
const FRAMES: readonly string[] = ['iframe', 'frame', 'embed', 'object'];

/**
 * Finds a site that may not show an embed, by what the browser tells: the host of `Origin`, or else of `Referer`. A host page
 * can hide both, so this is a courtesy, and `frame-ancestors` is the rule.
 */
export function isForOtherSite(
  { headers }: IncomingRequest,
  ownHost: string,
  sites: readonly string[] | null,
): boolean {
  if (sites === null) return false;
  const destination = headers.get('sec-fetch-dest');
  if (destination !== null && destination !== 'empty' && !FRAMES.includes(destination)) return false;
  const origin = headers.get('origin');
  const source = origin === null || origin === 'null' ? headers.get('referer') : origin;
  const { hostname } = URL.parse(source ?? '') ?? {};
  return hostname !== undefined && hostname !== ownHost && !isAllowedSite(sites, hostname);
}
