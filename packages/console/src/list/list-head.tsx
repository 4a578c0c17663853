import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { SearchField } from '../filters/search-field.tsx';
import { IMPORT, NEW } from '../route.ts';
import { Icon } from '../ui/icons.tsx';

const VIEW_KEY = 'embed-gateway:view';

export type ListView = 'cards' | 'table';

/** Remembers the view in the browser. */
export function useListView(): readonly [ListView, (view: ListView) => void] {
  const [view, setView] = useState<ListView>(readView);
  const choose = (next: ListView) => {
    try {
      localStorage.setItem(VIEW_KEY, next);
    } catch {}
    setView(next);
  };
  return [view, choose];
}

function readView(): ListView {
  try {
    return localStorage.getItem(VIEW_KEY) === 'table' ? 'table' : 'cards';
  } catch {
    return 'cards';
  }
}

interface Props {
  /** Null until the first page is loaded, and while the list is another one. */
  readonly total: number | null;
  readonly isTotalExact: boolean;
  readonly isFiltered: boolean;
  /** There is nothing to search. */
  readonly isEmpty: boolean;
  readonly canWrite: boolean;
  readonly search: string;
  readonly view: ListView;
  readonly isOldestFirst: boolean;
  readonly onSearch: (text: string) => void;
  readonly onView: (view: ListView) => void;
  readonly onOrder: (isOldestFirst: boolean) => void;
  readonly onFilter: () => void;
  /** Shown beside the title. */
  readonly children: ComponentChildren;
}

/** Moves the focus to the title of the list, or to the other view that is shown, if what had it is gone. */
export function focusViewIfLost(): void {
  if (document.activeElement !== document.body) return;
  document
    .querySelector<HTMLElement>('#main #list-heading, #main:not(:has(#list-heading))')
    ?.focus({ preventScroll: true });
}

/** The title of the list and its tools, in one row where there is room. */
export function ListHead({
  total,
  isTotalExact,
  isFiltered,
  isEmpty,
  canWrite,
  search,
  onSearch,
  children,
  ...tools
}: Props) {
  return (
    <div class="view-head">
      <h1 id="list-heading" tabIndex={-1}>
        Embeds
        {total !== null && (
          <span class="count" data-total={total}>
            <span class="visually-hidden">, </span>
            {total.toLocaleString('en')}
            {!isTotalExact && '+'}
            <span class="visually-hidden">{isFiltered ? ' found' : ' in total'}</span>
          </span>
        )}
      </h1>
      {children}
      {!isEmpty && <SearchField search={search} onSearch={onSearch} />}
      {!isEmpty && <ListTools {...tools} />}
      {canWrite && (
        <a class="button import-link" href={IMPORT}>
          <Icon name="upload" />
          <span>Import</span>
        </a>
      )}
      {canWrite && !isEmpty && (
        <a class="button primary new-link" href={NEW}>
          <Icon name="plus" />
          <b>
            New<span> embed</span>
          </b>
        </a>
      )}
    </div>
  );
}

function ListTools({
  view,
  isOldestFirst,
  onView,
  onOrder,
  onFilter,
}: Pick<Props, 'view' | 'isOldestFirst' | 'onView' | 'onOrder' | 'onFilter'>) {
  return (
    <div class="list-tools">
      <button type="button" class="button" aria-keyshortcuts="f" onClick={onFilter}>
        <Icon name="sliders" />
        Filter
      </button>
      <button
        type="button"
        class="button"
        aria-label={`Order: ${isOldestFirst ? 'oldest' : 'newest'} first`}
        onClick={() => onOrder(!isOldestFirst)}
      >
        {isOldestFirst ? 'Oldest' : 'Newest'} <span aria-hidden="true">{isOldestFirst ? '↑' : '↓'}</span>
      </button>
      <fieldset class="segments small" aria-label="View">
        <button type="button" aria-pressed={view === 'cards'} title="Cards" onClick={() => onView('cards')}>
          <Icon name="cards" />
          <span class="visually-hidden">Cards</span>
        </button>
        <button type="button" aria-pressed={view === 'table'} title="Table" onClick={() => onView('table')}>
          <Icon name="table" />
          <span class="visually-hidden">Table</span>
        </button>
      </fieldset>
    </div>
  );
}
