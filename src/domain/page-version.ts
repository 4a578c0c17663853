import { diffArrays } from 'diff/lib/diff/array.js';

/** The text of a page from one time on. */
export interface PageVersionText {
  /** The time when the service first fetched it. */
  readonly fetchedAt: Date;
  readonly paragraphs: readonly string[];
}

export const TEXT_CHANGES = {
  ADDED: 'The paragraph is new.',
  REMOVED: 'The paragraph was removed.',
} as const;

export interface TextChange {
  readonly kind: keyof typeof TEXT_CHANGES;
  readonly text: string;
}

/** A version, with what changed since the one before it that is kept. */
export interface ComparedVersion extends PageVersionText {
  /** In the order of the text. A changed paragraph was removed and added. Empty for the oldest version that is kept. */
  readonly changes: readonly TextChange[];
}

export const MAX_PAGE_VERSIONS = 10;
/** Texts with more differences count as replaced: to compare them takes too long. */
const MAX_DIFFERENCES = 200;

/** Returns the paragraphs of an article in plain text. Items, rows of tables and lines of code are paragraphs too. */
export function paragraphsOf(text: string): readonly string[] {
  return text.split('\n').flatMap((paragraph) => paragraph.replace(/\s+/g, ' ').trim() || []);
}

export function compareVersion(version: PageVersionText, before: PageVersionText | undefined): ComparedVersion {
  return { ...version, changes: before ? textChangesBetween(before.paragraphs, version.paragraphs) : [] };
}

function textChangesBetween(before: readonly string[], after: readonly string[]): readonly TextChange[] {
  const toChanges = (kind: TextChange['kind'], texts: readonly string[]) => texts.map((text) => ({ kind, text }));
  const parts = diffArrays([...before], [...after], { maxEditLength: MAX_DIFFERENCES });
  if (!parts) return [...toChanges('REMOVED', before), ...toChanges('ADDED', after)];
  return parts.flatMap(({ added, removed, value }) =>
    added || removed ? toChanges(added ? 'ADDED' : 'REMOVED', value) : [],
  );
}
