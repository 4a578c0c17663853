import { useEffect, useState } from 'preact/hooks';
import type { ListedEmbedFragment } from '../generated/operations.ts';

interface Selected {
  readonly ids: ReadonlySet<string>;
  /** The item from which a range begins. */
  readonly anchor: string | null;
  readonly isWhole?: boolean;
}

const NONE: Selected = { ids: new Set(), anchor: null };

export interface Selection {
  /** The selected embeds, in the order of the list. */
  readonly embeds: readonly ListedEmbedFragment[];
  has(id: string): boolean;
  /** @param isRange selects everything from the last toggled embed to this one */
  toggle(id: string, isRange: boolean): void;
  set(ids: readonly string[]): void;
  /** The selection is all embeds that match the list, also those that are not loaded. */
  readonly isWhole: boolean;
  selectAll(): void;
  selectWhole(): void;
  clear(): void;
}

/** @param listKey another list starts with an empty selection */
export function useSelection(embeds: readonly ListedEmbedFragment[], listKey: string): Selection {
  const [{ ids: selectedIds, anchor, isWhole = false }, setSelected] = useState(NONE);
  useEffect(() => setSelected(NONE), [listKey]);
  const listedIds = embeds.map(({ id }) => id);
  return {
    embeds: isWhole ? embeds : selectedIds.size === 0 ? [] : embeds.filter(({ id }) => selectedIds.has(id)),
    has: (id) => isWhole || selectedIds.has(id),
    toggle(id, isRange) {
      const ids = isWhole ? new Set(listedIds) : selectedIds;
      const ends = [listedIds.indexOf(anchor ?? id), listedIds.indexOf(id)].sort((a, b) => a - b);
      const [from = -1, to = -1] = ends;
      if (isRange && from >= 0) {
        setSelected({ ids: new Set([...ids, ...listedIds.slice(from, to + 1)]), anchor });
      } else {
        const others = [...ids].filter((other) => other !== id);
        setSelected({ ids: new Set(ids.has(id) ? others : [...others, id]), anchor: id });
      }
    },
    set: (chosen) => setSelected({ ids: new Set(chosen), anchor: null }),
    isWhole,
    selectWhole: () => setSelected({ ids: new Set(listedIds), anchor: null, isWhole: true }),
    selectAll: () => setSelected({ ids: new Set(listedIds), anchor: null }),
    clear: () => setSelected(NONE),
  };
}
