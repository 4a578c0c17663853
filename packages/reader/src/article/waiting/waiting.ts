import { DisclosedPanels, isDisclosure, type Place } from './disclosed.ts';
import { isPlaceOfStreamed, isStreamed, placeStreamed, StreamedFallbacks } from './streamed.ts';

type Attributes = Readonly<Record<string, string>>;

/** Finds text that is in a page, but waits for a script or a click, from the events of a parser. */
export class WaitingText {
  readonly #panels = new DisclosedPanels();
  readonly #fallbacks = new StreamedFallbacks();
  #hasStreamed = false;

  /** Returns the element to build. Titles of accordions are headings, shadow roots are boxes, and some templates are the places of parts that follow. */
  onopentag(name: string, attributes: Attributes, place: Place): string {
    this.#panels.onopentag(attributes, place);
    if (/^(?:button|div|a|span)$/.test(name) && isDisclosure(attributes) && !place.isInHeading()) return 'h3';
    if (name !== 'template') return name;
    if (!isPlaceOfStreamed(name, attributes)) return attributes.shadowrootmode === undefined ? name : 'div';
    this.#fallbacks.onplace(attributes);
    return 'div';
  }

  /** Returns the id of the marker to insert at this comment, or null. */
  oncomment(data: string): string | null {
    return this.#fallbacks.oncomment(data);
  }

  /** Detects elements whose text counts although they are hidden. */
  isShown(name: string, attributes: Attributes): boolean {
    if (!isStreamed(name, attributes)) return this.#panels.isPanel(name, attributes);
    this.#hasStreamed = true;
    return true;
  }

  onend(document: Document): void {
    if (this.#hasStreamed) placeStreamed(document);
  }
}
