import type { Markup } from '../../reader/src/html.ts';
import type { Anchor, Heading } from './markdown.ts';

/** A page of the reference before it gets its frame. */
export interface Page {
  readonly url: string;
  readonly title: string;
  /** The text of links to the page; the title if omitted. */
  readonly label?: string;
  /** The method or kind of an operation, shown in the navigation. */
  readonly badge?: string;
  readonly description: string;
  readonly content: Markup;
  /** Headings for the table of contents of the page. */
  readonly headings: readonly Heading[];
  /** Places that only the search lists. */
  readonly anchors: readonly Anchor[];
  /** Wide pages have samples beside the text, and no table of contents. */
  readonly isWide?: boolean;
}

export interface Group {
  readonly title: string;
  readonly pages: readonly Page[];
}

/** The label of the page on a whole API. Its title names the API. */
export const OVERVIEW = 'Overview';
