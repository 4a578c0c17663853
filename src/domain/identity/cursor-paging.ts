import type { PagePolicy } from '#reader/page-url';
import { type SpelledParameters, spellParameters } from '../embed/input.ts';
import { DEFAULT_PAGE_SIZE, FIRST } from '../embed/paging.ts';
import { readValues } from '../input/input-reader.ts';
import type { ParameterSpec } from '../input/parameters.ts';

/** A page of a list that is read in one direction, newest first. */
export interface CursorPaging {
  readonly size: number;
  /** A position: only older entries. */
  readonly after: string | undefined;
}

export interface CursorPage<Row> {
  readonly rows: readonly Row[];
  /** There are more rows after the page. */
  readonly isCut: boolean;
  /** There are rows before the page. */
  readonly hasNewer: boolean;
}

/** Returns the parameters of such a list. */
export function cursorParameters(check: NonNullable<ParameterSpec['check']>): SpelledParameters {
  return spellParameters([FIRST, { name: 'after', restName: 'after', type: 'id', check }]);
}

/** Parses the arguments of a connection. Null counts as omitted, because Relay clients send it. */
export function parseCursorPaging(
  { first, after }: Readonly<Record<string, unknown>>,
  parameters: SpelledParameters,
  policy: PagePolicy,
): CursorPaging {
  const sent = { values: { first: first ?? undefined, after: after ?? undefined } };
  const values: { readonly first?: number; readonly after?: string } = readValues(sent, parameters.graphql, policy);
  return { size: values.first ?? DEFAULT_PAGE_SIZE, after: values.after };
}
