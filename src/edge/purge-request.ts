import type { PurgeTarget } from '../config/values.ts';

/** A changed key, with the URLs of embeds that have it. */
export interface Purge {
  readonly key: string;
  readonly urls: readonly string[];
}

/** The limit of Cloudflare. */
const MAX_KEYS_PER_REQUEST = 100;

/** Returns what a request to the target names: the key of a purge or its URLs. */
export function purgedNames({ url }: PurgeTarget, { key, urls }: Purge): readonly string[] {
  return url.includes('{url}') ? urls : [key];
}

/** Returns how many names one request carries at most. */
export function maxNamesPerRequest({ url }: PurgeTarget): number {
  return /\{(key|url)\}/.test(url) ? 1 : MAX_KEYS_PER_REQUEST;
}

/** Creates a request that Fastly (header), Cloudflare (body) and the supplied configurations accept. */
export function createPurgeRequest(target: PurgeTarget, names: readonly string[]) {
  const { url: template, header } = target;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (!template.includes('{url}')) headers['surrogate-key'] = names.join(' ');
  if (header) headers[header.name] = header.value;
  const [name = ''] = names;
  const url = template.replace(/\{(?:key|url)\}/g, () => encodeURIComponent(name));
  const body = url === template ? JSON.stringify({ tags: names }) : null;
  return { url, init: { method: 'POST', headers, body } };
}
