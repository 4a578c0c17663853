/** Directives that forbid to show a copy of a page, in part or in whole. */
const FORBIDDING = ['noarchive', 'nosnippet', 'none', 'max-snippet:0'];

/** Directives that take a value after a colon; any other word before a colon is the name of a robot. */
const VALUED = ['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after'];

const MAX_LENGTH = 10_000;

/**
 * Whether robots directives forbid to copy a page. `values` are those of `X-Robots-Tag`, joined by commas or line
 * breaks, or the content of a meta element. Directives behind the name of a robot are for that robot only, up to the
 * next name; what would be ours is read to the end of its line.
 */
export function forbidsCopy(values: string | null): boolean {
  return (values ?? '').slice(0, MAX_LENGTH).toLowerCase().split('\n').some(lineForbidsCopy);
}

function lineForbidsCopy(line: string): boolean {
  let isForAll = true;
  return line.split(',').some((part) => {
    const [name = '', ...rest] = part.split(':').map((word) => word.trim());
    const isNamed = rest.length > 0 && !VALUED.includes(name);
    if (isNamed) isForAll = false;
    const directive = isNamed ? (rest[0] ?? '') : [name, ...rest].join(':');
    return isForAll && FORBIDDING.includes(directive);
  });
}
