const FORBIDDING_DIRECTIVES = ['noarchive', 'nosnippet', 'none', 'max-snippet:0'];

/** Directives with a value after a colon. Any other word before a colon is the name of a robot. */
const VALUED_DIRECTIVES = ['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after'];

const MAX_LENGTH = 10_000;

/**
 * Checks whether robots directives forbid copies of a page. Values of `X-Robots-Tag` or of meta elements are joined by
 * commas or line breaks. Directives after the name of a robot, up to the end of the line, apply to that robot only.
 */
export function forbidsCopy(values: string | null): boolean {
  return (values ?? '').slice(0, MAX_LENGTH).toLowerCase().split('\n').some(doesLineForbidCopy);
}

function doesLineForbidCopy(line: string): boolean {
  let isForAll = true;
  return line.split(',').some((part) => {
    const [name = '', ...rest] = part.split(':').map((word) => word.trim());
    const isNamed = rest.length > 0 && !VALUED_DIRECTIVES.includes(name);
    if (isNamed) isForAll = false;
    const directive = isNamed ? (rest[0] ?? '') : [name, ...rest].join(':');
    return isForAll && FORBIDDING_DIRECTIVES.includes(directive);
  });
}
