import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Rows are rendered at this distance from the viewport, once those at the smaller one are missing: so rows share a layout. */
const MARGIN_PX = 400;
const MIN_MARGIN_PX = 150;

/** Until the first items are rendered and measured. */
const FIRST_ITEMS = 24;

export interface ListWindow {
  readonly columns: number;
  /** The distance between the tops of two rows; 0 until it is measured. All rows of a list are equally high. */
  readonly rowHeight: number;
  readonly gap: number;
  /** The rendered items: from the first one, up to but without the last one. */
  readonly first: number;
  readonly last: number;
}

/** A part of a list: items that are rendered, or a gap in place of rows that are not. */
export type ListPart =
  | { readonly from: number; readonly to: number }
  | { readonly key: string; readonly height: number };

/**
 * Returns the items near the viewport.
 * @param isActive while false, as in a hidden view, the window keeps its value
 */
export function useListWindow(list: RefObject<HTMLElement | null>, count: number, isActive: boolean): ListWindow {
  const [shown, setShown] = useState<ListWindow>({ columns: 1, rowHeight: 0, gap: 0, first: 0, last: FIRST_ITEMS });
  useLayoutEffect(() => {
    const element = list.current;
    if (!isActive || !element) return;
    const update = () => {
      const windowAt = measure(element);
      setShown((last) => (windowAt && !covers(last, windowAt(MIN_MARGIN_PX)) ? windowAt(MARGIN_PX) : last));
    };
    const observer = new ResizeObserver(update);
    observer.observe(element);
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', update);
    update();
    return () => {
      observer.disconnect();
      removeEventListener('scroll', update);
      removeEventListener('resize', update);
    };
  }, [isActive, count > 0]);
  return shown;
}

/** Returns whether all items of a window are in another one of the same layout. */
function covers(shown: ListWindow, { columns, rowHeight, gap, first, last }: ListWindow): boolean {
  const isSame = shown.columns === columns && shown.rowHeight === rowHeight && shown.gap === gap;
  return isSame && shown.first <= first && shown.last >= last;
}

/** Returns a function from a margin to the window; null without items. */
function measure(list: HTMLElement): ((marginPx: number) => ListWindow) | null {
  const item = list.querySelector<HTMLElement>('[data-embed]');
  if (!item) return null;
  const { gridTemplateColumns, rowGap } = getComputedStyle(list);
  const columns = gridTemplateColumns === 'none' ? 1 : gridTemplateColumns.split(' ').length;
  const gap = Number.parseFloat(rowGap) || 0;
  const rowHeight = item.getBoundingClientRect().height + gap;
  if (rowHeight === 0) return null;
  const { top } = list.getBoundingClientRect();
  return (marginPx) => {
    const firstRow = Math.max(0, Math.floor((-top - marginPx) / rowHeight));
    const lastRow = Math.max(firstRow, Math.ceil((innerHeight - top + marginPx) / rowHeight));
    return { columns, rowHeight, gap, first: firstRow * columns, last: lastRow * columns };
  };
}

/**
 * Returns the parts of a list of `count` items.
 * @param pinned the index of an item that stays rendered because it has the focus; -1 for none
 */
export function partsOf(
  { columns, rowHeight, gap, first, last }: ListWindow,
  count: number,
  pinned: number,
): readonly ListPart[] {
  const rows = Math.ceil(count / columns);
  const pinnedRow = Math.floor(pinned / columns);
  // the last row stays when the list becomes shorter than the window: without an item, nothing could be measured
  const firstRow = Math.min(first / columns, Math.max(0, rows - 1));
  const lastRow = Math.min(Math.ceil(last / columns), rows);
  const ranges = [{ from: firstRow, to: lastRow }];
  if (pinned >= 0 && pinnedRow < firstRow) ranges.unshift({ from: pinnedRow, to: pinnedRow + 1 });
  if (pinned >= 0 && pinnedRow >= lastRow) ranges.push({ from: pinnedRow, to: pinnedRow + 1 });
  const parts: ListPart[] = [];
  let next = 0;
  const addGap = (row: number) => {
    if (row > next) parts.push({ key: `gap-${parts.length}`, height: (row - next) * rowHeight - gap });
  };
  for (const { from, to } of ranges) {
    addGap(from);
    parts.push({ from: from * columns, to: Math.min(to * columns, count) });
    next = to;
  }
  addGap(rows);
  return parts;
}
