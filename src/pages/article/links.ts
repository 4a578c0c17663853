const MAX_URL_LENGTH = 2_048;
const MAX_CANDIDATES = 16;
const WEB = ['http:', 'https:'];
const LINKS = [...WEB, 'mailto:', 'tel:'];

/** The absolute http(s) URL that a reference of a page means, without credentials, or null. */
export function webUrl(reference: string | null | undefined, base: string): string | null {
  return resolve(reference, base, WEB);
}

/** As `webUrl`, for what a reader follows: mail addresses and telephone numbers too. */
export function linkUrl(reference: string | null | undefined, base: string): string | null {
  return resolve(reference, base, LINKS);
}

function resolve(reference: string | null | undefined, base: string, schemes: readonly string[]): string | null {
  if (typeof reference !== 'string' || reference.length > MAX_URL_LENGTH) return null;
  const url = URL.parse(reference, base);
  if (!url || !schemes.includes(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href.length <= MAX_URL_LENGTH ? url.href : null;
}

/** A `srcset` with absolute URLs (HTML, section 4.8.4.2.1), or null when no candidate is left. */
export function webSrcset(srcset: string | null | undefined, base: string): string | null {
  const words = (srcset ?? '').slice(0, MAX_URL_LENGTH * MAX_CANDIDATES).split(/[\t\n\f\r ]+/);
  const candidates: string[] = [];
  for (let i = 0; i < words.length && candidates.length < MAX_CANDIDATES; i++) {
    let reference = words[i] ?? '';
    while (reference.startsWith(',')) reference = reference.slice(1);
    if (reference === '') continue;
    let descriptor = '';
    if (reference.endsWith(',')) {
      while (reference.endsWith(',')) reference = reference.slice(0, -1);
    } else {
      // "a.jpg 1x,b.jpg 2x": what follows the comma is the next candidate
      const [first = '', ...rest] = (words[++i] ?? '').split(',');
      descriptor = first;
      if (rest.join(',') !== '') words[i--] = rest.join(',');
    }
    if (descriptor !== '' && !/^\d{1,6}(?:\.\d{1,4})?[wx]$/.test(descriptor)) continue;
    // a comma at the end of a URL would part candidates
    const url = webUrl(reference, base)?.replace(/,$/, '%2C');
    if (url) candidates.push(descriptor === '' ? url : `${url} ${descriptor}`);
  }
  return candidates.length > 0 ? candidates.join(', ') : null;
}
