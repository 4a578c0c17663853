const MAX_URL_LENGTH = 2_048;
const MAX_CANDIDATES = 16;
const WEB_SCHEMES = ['http:', 'https:'];
const LINK_SCHEMES = [...WEB_SCHEMES, 'mailto:', 'tel:'];

/** Resolves a reference to an absolute http(s) URL without credentials, or null. */
export function resolveWebUrl(reference: string | null | undefined, base: string): string | null {
  return resolve(reference, base, WEB_SCHEMES);
}

export function resolveLinkUrl(reference: string | null | undefined, base: string): string | null {
  return resolve(reference, base, LINK_SCHEMES);
}

function resolve(reference: string | null | undefined, base: string, schemes: readonly string[]): string | null {
  if (typeof reference !== 'string' || reference.length > MAX_URL_LENGTH) return null;
  const url = URL.parse(reference, base);
  if (!url || !schemes.includes(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href.length <= MAX_URL_LENGTH ? url.href : null;
}

/** Resolves the URLs of a `srcset` (HTML section 4.8.4.2.1). Invalid candidates are dropped; null if none is left. */
export function resolveSrcset(srcset: string | null | undefined, base: string): string | null {
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
      // in "a.jpg 1x,b.jpg 2x" the next candidate follows the comma directly
      const [first = '', ...rest] = (words[++i] ?? '').split(',');
      descriptor = first;
      if (rest.join(',') !== '') words[i--] = rest.join(',');
    }
    if (descriptor !== '' && !/^\d{1,6}(?:\.\d{1,4})?[wx]$/.test(descriptor)) continue;
    // a comma at the end of a URL would separate candidates
    const url = resolveWebUrl(reference, base)?.replace(/,$/, '%2C');
    if (url) candidates.push(descriptor === '' ? url : `${url} ${descriptor}`);
  }
  return candidates.length > 0 ? candidates.join(', ') : null;
}

/** Returns the last two labels of a host, which its subdomains share. */
export function siteOf(url: string): string | undefined {
  return URL.parse(url)?.hostname.split('.').slice(-2).join('.');
}
