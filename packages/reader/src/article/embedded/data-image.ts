/** In characters of the URL. Larger pictures are left out. */
export const MAX_DATA_LENGTH = 100_000;
/** Smaller pictures hold the place of one that a script loads. */
const MIN_LENGTH = 200;

const RASTER_IMAGE = /^data:image\/(png|jpe?g|gif|webp|avif)(?:;charset=[\w-]{1,20})?;base64,([A-Za-z\d+/=\s%]+)$/i;
const SVG_IMAGE = /^data:image\/svg\+xml((?:;[\w-]{1,20}(?:=[\w-]{1,20})?)*),([\s\S]*)$/i;

/** Returns a `data:` URL of a raster image in its shortest form, or null if it is none. */
export function findRasterImage(url: string): string | null {
  if (url.length > MAX_DATA_LENGTH || url.length < MIN_LENGTH) return null;
  const [, type = '', encoded = ''] = RASTER_IMAGE.exec(url.trim()) ?? [];
  const data = decode(encoded)?.replace(/\s+/g, '') ?? '';
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(data)) return null;
  return `data:image/${type.toLowerCase().replace('jpg', 'jpeg')};base64,${data}`;
}

/** Returns the markup in a `data:` URL of an SVG, or null if it is none. */
export function findSvgMarkup(url: string): string | null {
  if (url.length > MAX_DATA_LENGTH) return null;
  const [, parameters = '', encoded] = SVG_IMAGE.exec(url.trim()) ?? [];
  const text = encoded === undefined ? null : decode(encoded);
  if (text === null) return null;
  return /;base64$/i.test(parameters) ? Buffer.from(text, 'base64').toString('utf8') : text;
}

function decode(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
