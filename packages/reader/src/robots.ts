import type { PageStatus } from './page-state.ts';

/** The directives that count: those for all robots too (`respect`), or only those that name this service (`named`). */
export type RobotsMode = 'respect' | 'named';

/** The name of this service in directives: the product token of its user agent (RFC 9309 section 2.2.1). */
export const ROBOT_NAME = 'embedgateway';

const FORBIDDING_DIRECTIVES = ['noarchive', 'nosnippet', 'none', 'max-snippet:0'];
const HIDING_DIRECTIVES = ['nosnippet', 'max-snippet:0'];

/** Directives with a value after a colon. Any other word before a colon is the name of a robot. */
const VALUED_DIRECTIVES = ['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after'];
const NAME = /^[a-z][a-z0-9_-]*$/;

const MAX_LENGTH = 10_000;

/**
 * Returns the status of a page whose robots directives forbid copies, or null. The values of `X-Robots-Tag` or of meta
 * elements are joined by line breaks. Directives after the name of a robot, up to the end of the line, apply to that robot
 * only.
 */
export function prohibitionOf(values: string | null, mode: RobotsMode): PageStatus | null {
  const directive = directivesOf(values, mode).find((each) => FORBIDDING_DIRECTIVES.includes(each));
  if (directive === undefined) return null;
  return { state: 'NOT_ALLOWED', reason: `The page forbids copies with the robots directive ${directive}.` };
}

/** Returns whether robots directives keep the description of a page off its card. */
export function hidesDescription(values: string | null, mode: RobotsMode): boolean {
  return directivesOf(values, mode).some((directive) => HIDING_DIRECTIVES.includes(directive));
}

function directivesOf(values: string | null, mode: RobotsMode): readonly string[] {
  const lines = (values ?? '').slice(0, MAX_LENGTH).toLowerCase().split('\n');
  return lines.flatMap((line) => {
    let robot: string | null = null;
    return line.split(',').flatMap((part) => {
      const words = part.split(':').map((word) => word.trim());
      const [first = '', ...rest] = words;
      const isNamed = rest.length > 0 && NAME.test(first) && !VALUED_DIRECTIVES.includes(first);
      if (isNamed) robot = first;
      const counts = robot === ROBOT_NAME || (robot === null && mode === 'respect');
      return counts ? [(isNamed ? rest : words).join(':')] : [];
    });
  });
}
