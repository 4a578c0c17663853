/** A line of a file, as the reader numbers them. */
const LINE = /<span id="s-L(\d{1,6})" class="embed-line">/g;
/** Lines in the fragments of code hosts: `#L10`, `#L10-L20`, `#L10-20`, `#L10C1-L20C5`, `#lines-10:20`. */
const LINES = /^#(?:L|lines-)(\d{1,6})(?:C\d{1,6})?(?:[-:]L?(\d{1,6})(?:C\d{1,6})?)?$/;

/** Marks the lines of a file that the fragment of its URL names. */
export function markLines(content: string, pageUrl: string): string {
  const [, first, last = first] = LINES.exec(new URL(pageUrl).hash) ?? [];
  if (first === undefined) return content;
  const [from = 0, to = 0] = [Number(first), Number(last)].sort((a, b) => a - b);
  return content.replace(LINE, (tag, line: string) =>
    Number(line) >= from && Number(line) <= to ? tag.replace('embed-line', 'embed-line marked') : tag,
  );
}
