import type { PageFacts } from '../facts.ts';
import { selectAll, selectClosest, selectFirst } from '../tree/select.ts';

/** Tools that make the pages of manuals. Text on such a page is an article, as if the page declared one. */
const MANUAL_TOOL =
  /\b(?:asciidoc(?:tor)?|docbook|docutils|doxygen|gi-docgen|gtk-doc|hevea|javadoc|latex2html|latexml|lilypond|makeinfo|mdbook|mkdocs|publican|rustdoc|sphinx|tex4ht|texi2(?:any|html)|yard)\b/i;
/** Marks what is a part of an article, not one by itself. */
const PART = 'data-part';
/** Shorter tables may only align the parts of a page. */
const MIN_ROWS = 10;

export function isManual({ metas }: PageFacts): boolean {
  return MANUAL_TOOL.test(metas.get('generator') ?? '');
}

/** Marks lists of definitions, and the rows and cells of long tables. */
export function markParts(document: Document): void {
  const tables = Map.groupBy(selectAll(document, 'tr'), (row) => selectClosest(row, 'table'));
  const rows = [...tables.values()].filter(({ length }) => length >= MIN_ROWS).flat();
  const cells = rows.flatMap(({ children }) => [...children]);
  // a list of one definition may only align the parts of a page, too
  const definitions = selectAll(document, 'dt').length > 1 ? selectAll(document, 'dl, dd') : [];
  for (const part of [...definitions, ...rows, ...cells]) part.setAttribute(PART, '');
}

/** Detects that Readability has taken a part of a list or of a long table for the whole, and made a box of it. */
export function isPartOnly(root: Element): boolean {
  return selectFirst(root, `div[${PART}]`) !== null;
}
