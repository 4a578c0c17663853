import type { PageStatus } from '../../domain/page/state.ts';

const FORBIDDING_DIRECTIVES = ['noarchive', 'nosnippet', 'none', 'max-snippet:0'];

/** Directives with a value after a colon. Any other word before a colon is the name of a robot. */
const VALUED_DIRECTIVES = ['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after'];

const MAX_LENGTH = 10_000;

/**
 * Returns the status of a page whose robots directives forbid copies, or null. Values of `X-Robots-Tag` or of meta elements
 * are joined by commas or line breaks. Directives after the name of a robot, up to the end of the line, apply to that robot
 * only.
 */
export function prohibitionOf(values: string | null): PageStatus | null {
  const lines = (values ?? '').slice(0, MAX_LENGTH).toLowerCase().split('\n');
  const directive = lines.map(findForbiddingDirective).find((found) => found !== undefined);
  if (directive === undefined) return null;
  return { state: 'NOT_ALLOWED', reason: `The page forbids copies with the robots directive ${directive}.` };
}

function findForbiddingDirective(line: string): string | undefined {
  let isForAll = true;
  for (const part of line.split(',')) {
    const [name = '', ...rest] = part.split(':').map((word) => word.trim());
    const isNamed = rest.length > 0 && !VALUED_DIRECTIVES.includes(name);
    if (isNamed) isForAll = false;
    const directive = isNamed ? (rest[0] ?? '') : [name, ...rest].join(':');
    if (isForAll && FORBIDDING_DIRECTIVES.includes(directive)) return directive;
  }
  return undefined;
}
