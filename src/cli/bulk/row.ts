import { type Draft, EMBED_MODES } from '../../domain/embed/embed.ts';
import { parseDraft } from '../../domain/embed/input.ts';
import type { PagePolicy } from '../../domain/page/url.ts';
import { Refusal, shownFaults } from '../../errors.ts';

/** A row as it came, in the words of REST, or what stands in the place of one. */
export type Row = { readonly line: number } & (
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly text: string; readonly fault: string }
);

/** What a row says, and behind it the names of the rules. */
const RULE_NAMES: ReadonlyMap<string, string> = new Map([
  ['page_url', 'pageUrl'],
  ['mode', 'mode'],
  ['font', 'font'],
  ['show_top_bar', 'showTopBar'],
]);
export const READ = [...RULE_NAMES.keys()];
/** What an export says besides: it is made anew. */
export const DERIVED = ['id', 'created_at', 'embed_url', 'page_id'] as const;
/** What is said of a refused row, and the text of what is no row at all: passed over when it comes back, mended. */
const REFUSED = ['refused_line', 'refused_because', 'refused_text'] as const;

const IGNORED: readonly string[] = [...DERIVED, ...REFUSED];

/** The columns of refused rows. */
export const REFUSED_COLUMNS = [...REFUSED, ...READ];

export function isKnown(name: string): boolean {
  return RULE_NAMES.has(name) || IGNORED.includes(name);
}

/** A row that was judged. */
export type RowResult = { readonly draft: Draft } | { readonly reasons: readonly string[] };

/** Holds a row against the rules of every door. All its faults are found at once. */
export function validateRow(row: Row, policy: PagePolicy): RowResult {
  if ('fault' in row) return { reasons: [row.fault] };
  try {
    return { draft: parseDraft(translate(row.values), policy) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const faults = error.faults.map(({ path, message, allowed }) => ({
      path: READ.find((name) => RULE_NAMES.get(name) === path) ?? path.slice(UNKNOWN.length),
      message,
      ...(allowed && { allowed: allowed.map((value) => value.toLowerCase()) }),
    }));
    return { reasons: shownFaults(faults).map(({ path, message }) => `${path} ${message}`) };
  }
}

/** Marks a name that is none of ours: the rules are sure to refuse it. */
const UNKNOWN = '?';

/** In the words of the rules. */
function translate(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(values).filter(([name]) => !IGNORED.includes(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [RULE_NAMES.get(name) ?? UNKNOWN + name, name === 'mode' ? modeOf(value) : value]),
  );
}

/** Modes are written in lower case here; another spelling is unknown. */
function modeOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return EMBED_MODES.find((mode) => mode.toLowerCase() === value) ?? value.toLowerCase();
}

/** A refused row as it is written, to be mended. */
export function refusedOf(row: Row, reasons: readonly string[]): Readonly<Record<string, unknown>> {
  const refused = { refused_line: row.line, refused_because: reasons };
  if ('fault' in row) return { ...refused, refused_text: row.text };
  return { ...refused, ...row.values, ...refused };
}
