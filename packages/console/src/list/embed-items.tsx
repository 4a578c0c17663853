import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ListedEmbedFragment } from '../generated/operations.ts';
import { type ListPart, partsOf, useListWindow } from './list-window.ts';

/** The item that has the focus, or had it last. It stays rendered when it is scrolled away. */
export interface ActiveItem {
  readonly id: string | null;
  readonly index: number;
  /** Moves the focus to an item, and scrolls to it. */
  readonly moveTo: (index: number) => void;
  readonly onFocusIn: (event: FocusEvent) => void;
}

export function useActiveItem(list: RefObject<HTMLElement | null>, embeds: readonly ListedEmbedFragment[]): ActiveItem {
  const [id, setId] = useState<string | null>(null);
  const isMoving = useRef(false);
  const lastIndex = useRef(-1);
  const index = id === null ? -1 : embeds.findIndex((embed) => embed.id === id);
  // the active embed was removed: the next one takes its place
  const isRemoved = id !== null && index < 0 && lastIndex.current >= 0;
  if (index >= 0) lastIndex.current = index;

  const moveTo = (wanted: number) => {
    const target = embeds[Math.max(0, Math.min(wanted, embeds.length - 1))];
    if (!target) return document.getElementById('list-heading')?.focus();
    isMoving.current = true;
    setId(target.id);
    if (target.id === id) focusActive();
  };
  const focusActive = () => {
    const item = list.current?.querySelector<HTMLElement>(`[data-embed="${id}"]`);
    const target = item?.matches('[tabindex]') ? item : item?.querySelector<HTMLElement>('[data-focus]');
    if (!item || !target) return;
    isMoving.current = false;
    target.focus({ preventScroll: true });
    item.scrollIntoView({ block: 'nearest' });
  };
  useLayoutEffect(() => {
    if (isMoving.current) focusActive();
  });
  useLayoutEffect(() => {
    const hasFocus = document.activeElement === null || document.activeElement === document.body;
    if (isRemoved && hasFocus) moveTo(lastIndex.current);
  }, [isRemoved]);

  return {
    id,
    index,
    moveTo,
    onFocusIn({ target }) {
      const item = (target as Element).closest<HTMLElement>('[data-embed]');
      if (item?.dataset.embed) setId(item.dataset.embed);
    },
  };
}

interface Props {
  readonly list: RefObject<HTMLElement | null>;
  readonly embeds: readonly ListedEmbedFragment[];
  readonly activeIndex: number;
  readonly isShown: boolean;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  readonly renderItem: (embed: ListedEmbedFragment, index: number) => ComponentChildren;
  readonly renderGap: (key: string, height: number) => ComponentChildren;
}

/** The items near the viewport, and gaps in place of all others. Loads more embeds when the end comes near. */
export function EmbedItems(props: Props) {
  const { list, embeds, activeIndex, isShown, hasMore, onMore, renderItem, renderGap } = props;
  const listWindow = useListWindow(list, embeds.length, isShown);
  const isEndNear = listWindow.last + 2 * listWindow.columns >= embeds.length;
  useLayoutEffect(() => {
    if (isShown && hasMore && isEndNear && listWindow.rowHeight > 0) onMore();
    // also after each reading of the list: it closes the request for a page that was on its way
  }, [isShown, hasMore, isEndNear, embeds]);
  // an element that stays the same is not rendered again when the window moves
  const items = useMemo(() => new Map<string, ComponentChildren>(), [renderItem]);
  const itemOf = (embed: ListedEmbedFragment, index: number) => {
    const item = items.get(embed.id) ?? renderItem(embed, index);
    items.set(embed.id, item);
    return item;
  };
  const render = (part: ListPart) => {
    if ('height' in part) return renderGap(part.key, part.height);
    return embeds.slice(part.from, part.to).map((embed, i) => itemOf(embed, part.from + i));
  };
  return <>{partsOf(listWindow, embeds.length, activeIndex).flatMap(render)}</>;
}
