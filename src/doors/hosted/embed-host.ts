import { isEmbedId } from '../../domain/embed/id.ts';
import type { EmbedHosts } from '../../domain/embed/url.ts';

/**
 * Returns the name in `<name>.<EMBED_HOST>`, on any port. Null for other URLs, also for the embed host itself, which may
 * be a name below its alias.
 */
export function findEmbedName({ hostname }: URL, { embedHost, embedHostAlias }: EmbedHosts): string | null {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  for (const authority of [embedHost, embedHostAlias]) {
    if (authority === null) continue;
    const port = authority.indexOf(':');
    const base = port === -1 ? authority : authority.slice(0, port);
    if (host === base) return null;
    if (host.endsWith(`.${base}`)) return host.slice(0, -base.length - 1);
  }
  return null;
}

export function findEmbedId(url: URL, hosts: EmbedHosts): string | null {
  const name = findEmbedName(url, hosts);
  return name !== null && isEmbedId(name) ? name : null;
}
