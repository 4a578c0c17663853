import { resolveWebUrl } from '../links.ts';

export interface IconLink {
  readonly rel: string;
  readonly href: string;
  readonly sizes: string;
  readonly media: string;
}

/** In pixels: enough for a sharp icon of 32 CSS pixels, as on cards, on a screen of double density. */
const ENOUGH_PX = 64;

/** Chooses the icon of a site: the first of at least 64 pixels, else the largest. Null without one on the web. */
export function findIcon(links: readonly IconLink[], base: string): string | null {
  const icons = links
    .filter(
      ({ rel, media }) =>
        /(?:^|\s)(?:icon|apple-touch-icon(?:-precomposed)?)(?:\s|$)/i.test(rel) && !/dark/i.test(media),
    )
    .map((link) => ({ url: resolveWebUrl(link.href || null, base), px: Math.min(sizeOf(link), ENOUGH_PX) }))
    .filter(({ url }) => url !== null)
    .sort((one, other) => other.px - one.px);
  return icons[0]?.url ?? null;
}

/** Returns the width in pixels; 0 if it is not said. */
function sizeOf({ rel, href, sizes }: IconLink): number {
  if (/apple-touch-icon/i.test(rel) || /\.svg(?:$|[?#])/i.test(href) || sizes === 'any') return ENOUGH_PX;
  return Math.max(0, ...[...sizes.matchAll(/(\d{1,4})x/gi)].map(([, width]) => Number(width)));
}
