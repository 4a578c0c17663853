import { isEmbedId } from '../../domain/embed/id.ts';
import type { EmbedHost } from '../../domain/embed/url.ts';

/** The name in front of the embed host, when a URL has one: `<name>.<EMBED_HOST>`, on whatever port; else null. */
export function findEmbedName({ hostname }: URL, { embedHost }: EmbedHost): string | null {
  const [embedHostname = ''] = embedHost.split(':', 1);
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return host.endsWith(`.${embedHostname}`) ? host.slice(0, -embedHostname.length - 1) : null;
}

/** The id of the embed whose page a URL names, or null. Host names have no case; ids are lower case. */
export function findEmbedId(url: URL, host: EmbedHost): string | null {
  const name = findEmbedName(url, host);
  return name !== null && isEmbedId(name) ? name : null;
}
