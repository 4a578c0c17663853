type Attributes = Readonly<Record<string, string>>;

const MAX_PANELS = 1_000;
/** Class names of contents that are folded without a role. */
const FOLDED =
  /(?:^|[\s_-])(?:accordion|expand|collaps(?:e|ible)|toggle|callout|spoiler|faq|expander|disclosure|tab)[_-]{0,2}(?:content|body|panel|pane|text|inner|answer|details)(?:$|[\s_-])/i;
/** Attributes of marks with the id of their note, which a click shows. */
const NOTE_REFERENCES = ['data-definition', 'data-footnote', 'data-footnote-id', 'data-note-id'];
/** Attributes of buttons with the id of what they open, and the names and ids that tell that it is a note. */
const NOTE_CONTROLS = ['popovertarget', 'aria-controls'];
const NOTE_NAME =
  /(?:^|[\s_-])(?:(?:foot|side|margin|end)-?note|note-?ref|fn-?ref)|(?:^|\s)(?:note|fn|sn|mn)[-_:]?(?:\d|$)/i;

/** Class names of the titles of accordions. */
const TITLE = /accordion|faq|question|disclosure|collapsible|expander|tab-?title/i;
/** Attributes in which components keep the names of their parts. */
const DATA = /^data-(?:component-part|slot|testid|type|name)$/;
const NOTE_LINK = /(?:^|[\s_-])(?:foot-?note|side-?note|note-?ref|fn-?ref)/i;

/** Menus have such elements. */
const LISTS = ['ul', 'ol', 'menu', 'nav'];

/** Where in a page an element is that the parser opens. */
export interface Place {
  readonly isInHeading: () => boolean;
  /** The element is in the heading of a section, with no words before it. */
  readonly startsSection: () => boolean;
}

/** Finds the panels of tabs, accordions and notes, which a click of the reader shows (WAI-ARIA Authoring Practices). */
export class DisclosedPanels {
  readonly #ids = new Set<string>();
  /** The heading that the parser is in, or that it has left, has a button that names no panel. */
  #isHeadingControl = false;
  /** The element that the parser has opened is the first one behind such a heading. */
  #isBehindControl = false;

  /** Remembers the panels of a tab, of the title of an accordion, or of a button in a heading. */
  onopentag(attributes: Attributes, { isInHeading, startsSection }: Place): void {
    const note = findNoteReference(attributes) ?? findNoteLink(attributes);
    if (note !== null && this.#ids.size <= MAX_PANELS) this.#ids.add(note);
    this.#isBehindControl = this.#isHeadingControl && !isInHeading();
    if (this.#isBehindControl) this.#isHeadingControl = false;
    const { role, 'aria-controls': panels, 'aria-expanded': isExpanded } = attributes;
    if (isExpanded === 'false' && !panels && attributes['aria-haspopup'] === undefined && startsSection())
      this.#isHeadingControl = true;
    const isControl = role === 'tab' || isDisclosure(attributes) || (isExpanded !== undefined && isInHeading());
    if (!panels || !isControl || this.#ids.size > MAX_PANELS) return;
    for (const id of panels.split(/\s+/).slice(0, 10)) this.#ids.add(id);
  }

  isPanel(name: string, attributes: Attributes): boolean {
    if (this.#isBehindControl && !LISTS.includes(name)) return true;
    if (attributes.role === 'tabpanel' || attributes.hidden === 'until-found') return true;
    if (attributes.id !== undefined && this.#ids.has(attributes.id)) return true;
    return attributes.class !== undefined && FOLDED.test(attributes.class);
  }
}

/** Detects the title of a section that a click opens. */
export function isDisclosure({ class: names = '', ...attributes }: Attributes): boolean {
  if (attributes['aria-controls'] === undefined || attributes['aria-expanded'] === undefined) return false;
  return TITLE.test(names) || Object.entries(attributes).some(([key, value]) => DATA.test(key) && TITLE.test(value));
}

/** Returns the id of the note to which a mark links, or null. */
function findNoteLink({ href, role, class: names = '' }: Attributes): string | null {
  const isMark = role === 'doc-noteref' || NOTE_LINK.test(names);
  return isMark && href?.startsWith('#') ? href.slice(1) : null;
}

/** Returns the id of the note to which a mark refers by an attribute, or null. */
export function findNoteReference(attributes: Attributes): string | null {
  const { class: names = '', id = '' } = attributes;
  // Bigfoot
  if (attributes['data-footnote-number'] && id.startsWith('fnref')) return id.replace('fnref', 'fn');
  const controls = NOTE_CONTROLS.filter(
    (key) => attributes[key] !== undefined && NOTE_NAME.test(`${names} ${id} ${attributes[key]}`),
  );
  const name = [...NOTE_REFERENCES, ...controls].find((key) => /^[\w:.-]{1,100}$/.test(attributes[key] ?? ''));
  return name === undefined ? null : (attributes[name] ?? null);
}
