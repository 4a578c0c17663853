import { isEmbedId } from '../../domain/embed/id.ts';
import type { EmbedHost } from '../../domain/embed/url.ts';

/** Returns the name in `<name>.<EMBED_HOST>`, on any port, or null. */
export function findEmbedName({ hostname }: URL, { embedHost }: EmbedHost): string | null {
  const [embedHostname = ''] = embedHost.split(':', 1);
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return host.endsWith(`.${embedHostname}`) ? host.slice(0, -embedHostname.length - 1) : null;
}

export function findEmbedId(url: URL, host: EmbedHost): string | null {
  const name = findEmbedName(url, host);
  return name !== null && isEmbedId(name) ? name : null;
}
