import type { RefObject } from 'preact';
import type { ListedEmbedFragment } from '../generated/operations.ts';
import { goTo, hrefOfEmbed } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { Time } from '../ui/time.tsx';
import { type ActiveItem, EmbedItems } from './embed-items.tsx';
import { hostOf, isPending, labelOfValue, titleOf } from './embed-view-model.ts';
import { type ItemContext, type ItemProps, selectOnShift } from './list-item.ts';
import { shortStateOf } from './page-status.tsx';
import { SiteIcon } from './thumbnail.tsx';

interface Props extends ItemContext {
  readonly list: RefObject<HTMLElement | null>;
  readonly embeds: readonly ListedEmbedFragment[];
  readonly total: number;
  readonly active: ActiveItem;
  readonly isShown: boolean;
  readonly isOldestFirst: boolean;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  readonly onOrder: (isOldestFirst: boolean) => void;
}

const COLUMN_COUNT = 7;

/** Keys that move the focus, with the number of rows. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** The list as a table with one line for each embed. One row is in the tab order; the arrow keys move it. */
export function EmbedTable({
  list,
  embeds,
  total,
  active,
  isShown,
  isOldestFirst,
  hasMore,
  onMore,
  onOrder,
  ...context
}: Props) {
  const { selection } = context;
  const isAllSelected = embeds.length > 0 && selection.embeds.length === embeds.length;
  const activeIndex = Math.max(0, active.index);

  function onKeyDown(event: KeyboardEvent) {
    const row = event.target as HTMLElement;
    const embed = embeds[active.index];
    if (row.tagName !== 'TR' || !embed || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      const next = Math.max(0, Math.min(active.index + step, embeds.length - 1));
      if (event.shiftKey && !selection.has(embed.id)) selection.toggle(embed.id, false);
      const target = embeds[next];
      if (event.shiftKey && target) selection.toggle(target.id, true);
      active.moveTo(next);
    } else if (event.key === ' ') selection.toggle(embed.id, event.shiftKey);
    else if (event.key === 'Enter') goTo(hrefOfEmbed(embed.id));
    else return;
    event.preventDefault();
  }

  return (
    <div class="table-frame">
      <table
        class="table"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows have the focus, as in the pattern of a grid
        role="grid"
        aria-labelledby="list-heading"
        aria-rowcount={total + 1}
        aria-colcount={COLUMN_COUNT}
        aria-multiselectable="true"
        onKeyDown={onKeyDown}
        onFocusIn={active.onFocusIn}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th class="cell-select">
              <label>
                <input
                  type="checkbox"
                  aria-label={isAllSelected ? 'Clear the selection' : `Select all ${embeds.length} shown`}
                  checked={isAllSelected}
                  onClick={() => (isAllSelected ? selection.clear() : selection.selectAll())}
                />
              </label>
            </th>
            <th>Title</th>
            <th class="cell-site">Site</th>
            <th class="cell-state">State</th>
            <th class="cell-mode">Mode</th>
            <th class="cell-font">Font</th>
            <th class="cell-created" aria-sort={isOldestFirst ? 'ascending' : 'descending'}>
              <button type="button" class="sort" onClick={() => onOrder(!isOldestFirst)}>
                Created <span aria-hidden="true">{isOldestFirst ? '↑' : '↓'}</span>
              </button>
            </th>
          </tr>
        </thead>
        <tbody ref={list as RefObject<HTMLTableSectionElement>}>
          <EmbedItems
            list={list}
            embeds={embeds}
            activeIndex={active.index}
            isShown={isShown}
            hasMore={hasMore}
            onMore={onMore}
            renderItem={(embed, index) => (
              <EmbedRow
                key={embed.id}
                embed={embed}
                index={index}
                total={total}
                isActive={index === activeIndex}
                {...context}
              />
            )}
            renderGap={(key, height) => (
              // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in a gap has the focus
              <tr key={key} aria-hidden="true" class="gap" style={{ height: `${height}px` }}>
                <td />
              </tr>
            )}
          />
        </tbody>
      </table>
    </div>
  );
}

function EmbedRow({ embed, index, isActive, ...context }: ItemProps & { readonly isActive: boolean }) {
  const { selection, pendingIds } = context;
  const { id, mode, font, createdAt, page } = embed;
  const title = titleOf(embed);
  const isNew = isPending(embed);
  const isSelected = selection.has(id);
  const state = shortStateOf(page);
  return (
    <tr
      data-embed={id}
      tabIndex={isActive ? 0 : -1}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-busy={isNew || pendingIds.has(id)}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={(event) => {
        if ((event.target as Element).closest('a, input')) return;
        if (!selectOnShift(context, id, event)) selection.toggle(id, false);
      }}
    >
      <td class="cell-select">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${title}`}
          checked={isSelected}
          disabled={isNew}
          onClick={({ shiftKey }) => selection.toggle(id, shiftKey)}
        />
      </td>
      <td class="cell-title">
        <SiteIcon embed={embed} />
        {isNew ? (
          title
        ) : (
          <a href={hrefOfEmbed(id)} title={title} tabIndex={-1} onClick={(event) => selectOnShift(context, id, event)}>
            {title}
          </a>
        )}
        {/* on phones in place of columns */}
        <span class="row-meta">
          {hostOf(embed.pageUrl)} · <Time at={createdAt} /> · {labelOfValue(mode)} · {font}
        </span>
      </td>
      <td class="cell-site">{hostOf(embed.pageUrl)}</td>
      <td class="cell-state" data-state={page.state} title={page.reason ?? undefined}>
        {page.state !== 'SHOWN' && <Icon name="warning" />}
        <span>{isNew ? 'Creating…' : state}</span>
      </td>
      <td class="cell-mode">{labelOfValue(mode)}</td>
      <td class="cell-font">{font}</td>
      <td class="cell-created">
        <Time at={createdAt} />
      </td>
    </tr>
  );
}
