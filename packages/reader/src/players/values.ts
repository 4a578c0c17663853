/** Pattern of a coordinate in degrees. */
export const COORDINATE = String.raw`-?\d{1,3}(?:\.\d{1,15})?`;
const POSITION = new RegExp(`^#map=(\\d{1,2})/(${COORDINATE})/(${COORDINATE})`);

/** Returns west, south, east and north of a map of a size in pixels around the point of a fragment such as `#map=10/51.5/0`. */
export function boxAround(hash: string, { width, height }: { width: number; height: number }): string | null {
  const position = POSITION.exec(hash);
  if (position === null) return null;
  const [zoom = 0, latitude = 0, longitude = 0] = position.slice(1).map(Number);
  const halfWidth = (360 * (width / 256)) / 2 ** zoom / 2;
  const halfHeight = halfWidth * (height / width) * Math.cos((latitude * Math.PI) / 180);
  const edges = [longitude - halfWidth, latitude - halfHeight, longitude + halfWidth, latitude + halfHeight];
  return edges.map((edge) => edge.toFixed(5)).join(',');
}

/** Parameters of the time at which a video starts. */
const STARTS = ['start', 'startTime', 'time_continue', 'time', 't'];

/** Finds the seconds at which a video starts, in the query or the fragment of its URL. */
export function findStart({ searchParams, hash }: URL): { readonly start: string | null } {
  const named = STARTS.map((name) => searchParams.get(name)).find((value) => value !== null);
  return { start: readSeconds(named ?? /^#t=([\dhms]{1,12})$/.exec(hash)?.[1] ?? null) };
}

/** Reads seconds, or a time such as `1h2m3s`. */
function readSeconds(text: string | null): string | null {
  const [, hours, minutes, seconds] = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(text ?? '') ?? [];
  const total = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return total > 0 ? String(total) : null;
}

/** Decodes a part of a path in which `+` is a space. */
export function decodeWords(part: string | undefined): string | null {
  return new URLSearchParams(`words=${part}`).get('words');
}
