import type { CursorPage, CursorPaging } from '../../domain/identity/cursor-paging.ts';

/**
 * Reads a page of a list whose ids are its cursors, newest first. Its cursor need not be the id of a row.
 * @param find reads the newest rows that meet the condition
 */
export async function readCursorPage<Row>(
  { size, after }: CursorPaging,
  find: (id: { readonly lt?: string; readonly gte?: string }, take: number) => Promise<readonly Row[]>,
): Promise<CursorPage<Row>> {
  // one more row than requested shows whether the page is cut
  const rows = await find(after === undefined ? {} : { lt: after }, size + 1);
  const newer = after === undefined ? [] : await find({ gte: after }, 1);
  return { rows: rows.slice(0, size), isCut: rows.length > size, hasNewer: newer.length > 0 };
}
