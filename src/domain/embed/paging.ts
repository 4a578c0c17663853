import type { Fault } from '../../errors.ts';
import { isEmbedId } from './id.ts';

export const DEFAULT_PAGE_SIZE = 10;
/** Both documented maxima, 50 and 100, are honoured: up to 100 is served, above is an error. */
export const MAX_PAGE_SIZE = 100;

/** Which part of the newest-first list is asked for. Cursors are ids: positions, whether the embed still exists or not. */
export interface Paging {
  readonly size: number;
  /** Whether the size is counted from the end of the range (`last`) and not from its beginning (`first`). */
  readonly fromEnd: boolean;
  /** Only embeds older than this id. */
  readonly after: string | undefined;
  /** Only embeds newer than this id. */
  readonly before: string | undefined;
}

/**
 * The paging from the arguments of a connection, in which null is the same as omitted (Relay clients send it for the
 * first page).
 * @param faults gets what is wrong with any of them
 */
export function readPaging(args: Readonly<Record<string, unknown>>, faults: Fault[]): Paging {
  const size = (path: string) => {
    const value = args[path] ?? undefined;
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_PAGE_SIZE) return value as number;
    faults.push({ path, message: `must be a whole number from 1 to ${MAX_PAGE_SIZE}` });
    return undefined;
  };
  const cursor = (path: string) => {
    const value = args[path] ?? undefined;
    if (value === undefined || (typeof value === 'string' && isEmbedId(value))) return value;
    faults.push({ path, message: 'must be the id of an embed' });
    return undefined;
  };
  const first = size('first');
  const last = size('last');
  const after = cursor('after');
  const before = cursor('before');
  if (args.first != null && args.last != null) {
    faults.push({ path: 'last', message: 'must not be sent together with first' });
  }
  return { size: first ?? last ?? DEFAULT_PAGE_SIZE, fromEnd: last !== undefined, after, before };
}

/** The same part of the list, as who reads the list from its other end would ask for it. */
export function reversed({ size, fromEnd, after, before }: Paging): Paging {
  return { size, fromEnd: !fromEnd, after: before, before: after };
}
