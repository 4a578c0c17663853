import { LRUCache } from 'lru-cache';
import type { PageFetcher } from '#fetcher';
import { bytesOfEntry, CACHE_BYTES } from '../cache-bytes.ts';
import { DEFAULT_SETTINGS } from '../domain/embed/fields.ts';
import { fontCssUrlOf } from '../domain/embed/url.ts';

/** `unclear`: the provider did not answer in time, or with an error of its own. */
type Availability = 'known' | 'unknown' | 'unclear';

interface Options {
  readonly fetcher: PageFetcher;
  /** URL template of the provider's style sheets, with `{family}` for the font; null for no provider. */
  readonly fontCssUrl: string | null;
  /** Tells the fonts that the service serves itself. */
  readonly isBundled: (family: string) => boolean;
}

const FRESH_MS = 3_600_000;
const RETRY_MS = 60_000;
/** Statuses with which providers reject a family: Google Fonts 400, others 404. */
const UNKNOWN_STATUSES = [400, 404];

/** Creates a check whether embeds can show a font. It never rejects. */
export function createFontCheck({ fetcher, fontCssUrl, isBundled }: Options) {
  const checked = new LRUCache<string, Availability, number>({
    maxSize: CACHE_BYTES.fonts,
    sizeCalculation: (_, url) => bytesOfEntry(url),
    ttl: FRESH_MS,
    async fetchMethod(url, _stale, { context: timeoutMs, options }) {
      const availability = await askProvider(url, timeoutMs);
      if (availability === 'unclear') options.ttl = RETRY_MS;
      return availability;
    },
    ignoreFetchAbort: true,
  });

  async function askProvider(url: string, timeoutMs: number): Promise<Availability> {
    const result = await fetcher.fetch(url, { timeoutMs });
    // a style sheet without a font face is how some providers reject a family
    if (result.kind === 'file' && result.mediaType === 'text/css' && typeof result.content === 'string') {
      return result.content.includes('@font-face') ? 'known' : 'unknown';
    }
    return result.kind === 'failed' && UNKNOWN_STATUSES.includes(result.status ?? 0) ? 'unknown' : 'unclear';
  }

  return {
    /** Returns a warning that names the parameter `font`; null if the font is available, or the provider cannot tell in time. */
    async findWarning(font: string, timeoutMs: number): Promise<string | null> {
      if (font === DEFAULT_SETTINGS.font || isBundled(font)) return null;
      const shown = `font "${font}"`;
      if (fontCssUrl === null) {
        return `${shown} is not one of the fonts that this service has, so readers see the text in their own fonts`;
      }
      const url = fontCssUrlOf(fontCssUrl, font);
      const availability = timeoutMs > 0 ? await checked.fetch(url, { context: timeoutMs }) : checked.get(url);
      if (availability !== 'unknown') return null;
      return `${shown} is unknown to ${new URL(url).host}, so readers see the text in their own fonts; check the spelling of the family`;
    },
  };
}
