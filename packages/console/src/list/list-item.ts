import type { TargetedMouseEvent } from 'preact';
import type { ListedEmbedFragment } from '../generated/operations.ts';
import type { Selection } from './selection.ts';

/** Properties that cards and rows of the table share, besides their embed. */
export interface ItemContext {
  readonly canWrite: boolean;
  /** The sites that may show embeds without sites of their own; null for all. */
  readonly accountSites: readonly string[] | null;
  /** The embeds whose changes are being saved. */
  readonly pendingIds: ReadonlySet<string>;
  readonly selection: Selection;
  readonly onDelete: (embed: ListedEmbedFragment) => void;
  readonly onRefresh: (embed: ListedEmbedFragment) => Promise<void>;
}

/** An embed in a list, of which only a window is rendered. */
export interface ItemProps extends ItemContext {
  readonly embed: ListedEmbedFragment;
  /** The position in the list, from 0. */
  readonly index: number;
  /** The length of the list, with the embeds that are not loaded yet. */
  readonly total: number;
}

/** Selects on a click with Shift, which would open a window, and marks the click as handled. */
export function selectOnShift({ selection }: ItemContext, id: string, event: TargetedMouseEvent<HTMLElement>): boolean {
  if (!event.shiftKey) return false;
  event.preventDefault();
  selection.toggle(id, true);
  return true;
}
