import { selectAll } from '../tree/select.ts';

/** Templates that stand where React puts a part of the page, and parts that wait for it, by the same number. */
const PLACE = /^[BP]:[\da-f]{1,8}$/;
const WAITING = /^S:[\da-f]{1,8}$/;
const PLACES = '[id^="B:"], [id^="P:"]';
const END_PREFIX = '/';

type Attributes = Readonly<Record<string, string>>;

export function isPlaceOfStreamed(name: string, attributes: Attributes): boolean {
  return name === 'template' && PLACE.test(attributes.id ?? '');
}

export function isStreamed(name: string, attributes: Attributes): boolean {
  return name === 'div' && attributes.hidden !== undefined && WAITING.test(attributes.id ?? '');
}

/** Finds the ends of the texts that React shows until a part arrives. They are marked by comments. */
export class StreamedFallbacks {
  #open: { readonly id: string; depth: number } | null = null;

  onplace(attributes: Attributes): void {
    if (attributes.id?.startsWith('B:')) this.#open ??= { id: attributes.id, depth: 1 };
  }

  /** Returns the id of the marker to insert at this comment, or null. */
  oncomment(data: string): string | null {
    if (this.#open === null) return null;
    if (/^\$[?!]?$/.test(data)) this.#open.depth++;
    if (data === '/$') this.#open.depth--;
    if (this.#open.depth > 0) return null;
    const { id } = this.#open;
    this.#open = null;
    return END_PREFIX + id;
  }
}

/** Puts streamed parts in their places, as React's scripts do. In a page with places, a part without one stays hidden. */
export function placeStreamed(document: Document): void {
  const parts = new Map(selectAll(document, 'div[id^="S:"]').map((part) => [part.id.slice(2), part]));
  const places = selectAll(document, PLACES);
  // nothing tells where the parts belong
  if (places.length === 0) return;
  const ends = new Map(selectAll(document, `[id^="${END_PREFIX}B:"]`).map((end) => [end.id, end]));
  // a part may contain the places of others
  for (const place of places) {
    const part = PLACE.test(place.id) ? parts.get(place.id.slice(2)) : undefined;
    if (!part || part.contains(place)) continue;
    removeFallback(place, ends.get(END_PREFIX + place.id));
    parts.delete(place.id.slice(2));
    place.replaceWith(...part.childNodes);
    part.remove();
  }
  for (const part of parts.values()) if (WAITING.test(part.id)) part.remove();
}

/** Removes what stands between a place and its end, which is beside it. */
function removeFallback(place: Element, end: Element | undefined): void {
  const fallback: ChildNode[] = [];
  for (let node = end && place.nextSibling; node; node = node.nextSibling) {
    fallback.push(node);
    if (node !== end) continue;
    for (const one of fallback) one.remove();
    return;
  }
}
