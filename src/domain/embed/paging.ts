import type { InputReader } from '../input/input-reader.ts';
import { type ParameterSpec, textCheck, wholeNumberCheck } from '../input/parameters.ts';
import { isEmbedId } from './id.ts';

export const DEFAULT_PAGE_SIZE = 10;
/** The specification names both 50 and 100 as the maximum. */
export const MAX_PAGE_SIZE = 100;

/** A page of the list, newest first. Cursors are ids, both exclusive, and stay valid after the embed is deleted. */
export interface Paging {
  readonly size: number;
  /** Counts from the end of the range (`last`) instead of its beginning (`first`). */
  readonly fromEnd: boolean;
  readonly after: string | undefined;
  readonly before: string | undefined;
}

const checkPageSize = wholeNumberCheck(1, MAX_PAGE_SIZE);
export const checkCursor = textCheck(isEmbedId, 'must be the id of an embed');

export const FIRST: ParameterSpec = {
  name: 'first',
  restName: 'first',
  restAlias: 'limit',
  type: 'integer',
  check: checkPageSize,
};

export const PAGING: readonly ParameterSpec[] = [
  FIRST,
  { name: 'last', restName: null, type: 'integer', check: checkPageSize },
  { name: 'after', restName: 'after', type: 'id', check: checkCursor },
  { name: 'before', restName: null, type: 'id', check: checkCursor },
];

export function readPaging(reader: InputReader): Paging {
  const first = reader.read<number>('first');
  const last = reader.read<number>('last');
  const after = reader.read<string>('after');
  const before = reader.read<string>('before');
  if (reader.has('first') && reader.has('last')) reader.addFault('last', 'must not be sent together with first');
  return { size: first ?? last ?? DEFAULT_PAGE_SIZE, fromEnd: last !== undefined, after, before };
}

/** Translates a page of the list in reverse order. */
export function reversePaging({ size, fromEnd, after, before }: Paging): Paging {
  return { size, fromEnd: !fromEnd, after: before, before: after };
}
