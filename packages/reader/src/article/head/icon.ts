import { resolveWebUrl } from '../links.ts';

export interface IconLink {
  readonly rel: string;
  readonly href: string;
  readonly sizes: string;
  readonly media: string;
}

/** In pixels: enough for a sharp icon of 20 CSS pixels on a screen of double density. */
const ENOUGH_PX = 32;

/** Chooses the icon of a site: one of at least 32 pixels, else any. Null without one on the web. */
export function findIcon(links: readonly IconLink[], base: string): string | null {
  const icons = links
    .filter(
      ({ rel, media }) =>
        /(?:^|\s)(?:icon|apple-touch-icon(?:-precomposed)?)(?:\s|$)/i.test(rel) && !/dark/i.test(media),
    )
    .map((link) => ({ url: resolveWebUrl(link.href || null, base), isEnough: isEnough(link) }))
    .filter(({ url }) => url !== null);
  return (icons.find(({ isEnough }) => isEnough) ?? icons[0])?.url ?? null;
}

function isEnough({ rel, href, sizes }: IconLink): boolean {
  if (/apple-touch-icon/i.test(rel) || /\.svg(?:$|[?#])/i.test(href) || sizes === 'any') return true;
  return (Number(/^(\d{1,4})x/i.exec(sizes)?.[1]) || 0) >= ENOUGH_PX;
}
