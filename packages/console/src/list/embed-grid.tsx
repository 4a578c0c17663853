import type { RefObject } from 'preact';
import type { ListedEmbedFragment } from '../generated/operations.ts';
import { EmbedCard } from './embed-card.tsx';
import { type ActiveItem, EmbedItems } from './embed-items.tsx';
import type { ItemContext } from './list-item.ts';

interface Props extends ItemContext {
  readonly list: RefObject<HTMLElement | null>;
  readonly embeds: readonly ListedEmbedFragment[];
  readonly total: number;
  readonly active: ActiveItem;
  readonly isShown: boolean;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

/** The list as cards with live previews. */
export function EmbedGrid({ list, embeds, total, active, isShown, hasMore, onMore, ...context }: Props) {
  return (
    <ul
      ref={list as RefObject<HTMLUListElement>}
      class="grid"
      aria-labelledby="list-heading"
      onFocusIn={active.onFocusIn}
    >
      <EmbedItems
        list={list}
        embeds={embeds}
        activeIndex={active.index}
        isShown={isShown}
        hasMore={hasMore}
        onMore={onMore}
        renderItem={(embed, index) => (
          <EmbedCard key={embed.id} embed={embed} index={index} total={total} {...context} />
        )}
        renderGap={(key, height) => <li key={key} aria-hidden="true" class="gap" style={{ height: `${height}px` }} />}
      />
    </ul>
  );
}
