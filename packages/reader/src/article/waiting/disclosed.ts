type Attributes = Readonly<Record<string, string>>;

const MAX_PANELS = 1_000;

/** Finds the panels of tabs and accordions, which a click of the reader shows (WAI-ARIA Authoring Practices). */
export class DisclosedPanels {
  readonly #ids = new Set<string>();

  /** Remembers the panels of a tab, or of a button in a heading. */
  onopentag(attributes: Attributes, isInHeading: () => boolean): void {
    const { role, 'aria-controls': panels, 'aria-expanded': isExpanded } = attributes;
    if (!panels || !(role === 'tab' || (isExpanded !== undefined && isInHeading())) || this.#ids.size > MAX_PANELS)
      return;
    for (const id of panels.split(/\s+/).slice(0, 10)) this.#ids.add(id);
  }

  isPanel(attributes: Attributes): boolean {
    if (attributes.role === 'tabpanel' || attributes.hidden === 'until-found') return true;
    return attributes.id !== undefined && this.#ids.has(attributes.id);
  }
}
