import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MAX_ROWS } from '../api/embed-rows.ts';
import type { Session } from '../api/session.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import { useBulkChange } from '../bulk/use-bulk-change.ts';
import { FilterChips } from '../filters/filter-chips.tsx';
import { FilterDialog } from '../filters/filter-dialog.tsx';
import { type ListQuery, readListQuery, writeListQuery } from '../filters/list-query.ts';
import { SearchField } from '../filters/search-field.tsx';
import type { ListedEmbedFragment } from '../generated/operations.ts';
import { downloadCsv, writeEmbeds } from '../import/csv-file.ts';
import { goTo, hrefOfList, IMPORT, NEW, replaceRoute } from '../route.ts';
import { useShortcuts } from '../shortcuts.ts';
import { Icon } from '../ui/icons.tsx';
import { EmbedGrid } from './embed-grid.tsx';
import { useActiveItem } from './embed-items.tsx';
import { EmbedTable } from './embed-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { LoadError, LocalNotice, NoResults, Skeletons } from './list-states.tsx';
import { ListTools, useListView } from './list-tools.tsx';
import { useSelection } from './selection.ts';
import { useEmbedRows } from './use-embed-rows.ts';

interface Props {
  readonly session: Session;
  readonly isShown: boolean;
  /** The filters and the order, as a query string. */
  readonly query: string;
  /** The number of event streams so far; the list is read again after each. */
  readonly streamCount: number;
  readonly pendingIds: ReadonlySet<string>;
  /** Embeds that are deleted unless the user undoes it. */
  readonly hiddenIds: ReadonlySet<string>;
  readonly onDelete: (embeds: readonly ListedEmbedFragment[]) => void;
  readonly onRefresh: (embed: ListedEmbedFragment) => Promise<void>;
}

const NO_FAILURES: ReadonlyMap<string, string> = new Map();

/** The list of all embeds, or of those that match the filters, as cards or as a table. */
export function EmbedList({ session, isShown, query: queryText, streamCount, hiddenIds, ...props }: Props) {
  const { canWrite } = session;
  const query = useMemo(() => readListQuery(queryText), [queryText]);
  const rows = useEmbedRows(query, streamCount);
  const embeds = useMemo(() => rows.embeds.filter(({ id }) => !hiddenIds.has(id)), [rows.embeds, hiddenIds]);
  const total = rows.total === null ? null : Math.max(embeds.length, rows.total - (rows.embeds.length - embeds.length));
  const selection = useSelection(embeds, writeListQuery(query));
  const { change, apply, stop, dismiss } = useBulkChange(session);
  const [view, setView] = useListView();
  const [isFiltering, setFiltering] = useState(false);
  const list = useRef<HTMLElement>(null);
  const active = useActiveItem(list, embeds);

  const search = useSearch(query);
  useScrollToTop(rows.key, isShown);

  const exportSelected = () => downloadEmbeds(selection.embeds, query.isOldestFirst);
  const activeEmbed = embeds[active.index];
  const isInList = () => list.current?.contains(document.activeElement) === true;
  const deleteSelected = () => {
    if (!canWrite) return;
    if (selection.embeds.length > 0) props.onDelete(selection.embeds);
    else if (activeEmbed && isInList()) props.onDelete([activeEmbed]);
  };
  const setOrder = (isOldestFirst: boolean) => show({ ...query, isOldestFirst });
  useShortcuts(
    {
      '/': () => document.getElementById('search')?.focus(),
      f: () => setFiltering(true),
      v: () => setView(view === 'cards' ? 'table' : 'cards'),
      j: () => active.moveTo(isInList() ? active.index + 1 : Math.max(0, active.index)),
      k: () => active.moveTo(isInList() ? active.index - 1 : Math.max(0, active.index)),
      x: () => activeEmbed && selection.toggle(activeEmbed.id, false),
      a: selection.selectAll,
      c: clear,
      e: exportSelected,
      Delete: deleteSelected,
      '#': deleteSelected,
    },
    isShown,
  );

  function clear(): void {
    selection.clear();
    dismiss();
  }

  const isFiltered = conditionCountOf(query) > 0;
  const isEmpty = total === 0 && !isFiltered && !rows.isOutdated && !rows.isLocal;
  const shared = {
    ...props,
    canWrite,
    selection,
    failures: change?.failures ?? NO_FAILURES,
    onDelete: (embed: ListedEmbedFragment) => props.onDelete([embed]),
    list,
    embeds,
    total: total ?? 0,
    active,
    isShown,
    hasMore: rows.hasMore && !rows.isLoading && !rows.error,
    onMore: rows.loadMore,
  };
  return (
    <main id={isShown ? 'main' : undefined} class="list-view" hidden={!isShown} tabIndex={-1}>
      <ListHead
        canWrite={canWrite}
        total={rows.isOutdated ? null : total}
        isTotalExact={rows.isTotalExact}
        isFiltered={isFiltered}
        isEmpty={isEmpty}
        search={query.search}
        onSearch={search}
      />
      {!isEmpty && (
        <div class="list-head">
          <FilterChips query={query} onChange={show} />
          <ListTools
            view={view}
            isOldestFirst={query.isOldestFirst}
            onView={setView}
            onOrder={setOrder}
            onFilter={() => setFiltering(true)}
          />
        </div>
      )}
      {rows.isLocal && rows.error && <LocalNotice error={rows.error} onRetry={rows.reload} />}
      <div aria-busy={rows.isOutdated}>
        {isEmpty && <EmptyState canWrite={canWrite} />}
        {total === 0 && !isEmpty && <NoResults search={query.search.trim()} />}
        {total === null && !rows.error && <Skeletons />}
        {embeds.length > 0 &&
          (view === 'cards' ? (
            <EmbedGrid {...shared} />
          ) : (
            <EmbedTable {...shared} isOldestFirst={query.isOldestFirst} onOrder={setOrder} />
          ))}
        {rows.error && !rows.isLocal && <LoadError error={rows.error} onRetry={rows.reload} />}
        {embeds.length === MAX_ROWS && (
          <p class="note">
            The list ends after {MAX_ROWS.toLocaleString('en')} embeds. To see others, search or filter.
          </p>
        )}
      </div>
      <BulkBar
        count={selection.embeds.length}
        total={total ?? 0}
        shownCount={embeds.length}
        canWrite={canWrite}
        change={change}
        onSelectAll={selection.selectAll}
        onClear={clear}
        onSet={async (settings) => selection.set(await apply(selection.embeds, settings))}
        onStop={stop}
        onExport={exportSelected}
        onDelete={deleteSelected}
      />
      {isFiltering && (
        <FilterDialog
          query={query}
          onClose={() => setFiltering(false)}
          onApply={(next) => {
            setFiltering(false);
            show(next);
          }}
        />
      )}
    </main>
  );
}

const show = (query: ListQuery) => goTo(hrefOfList(writeListQuery(query)));

/** Returns a function that searches while the user types. All letters of a word are one entry of the history. */
function useSearch(query: ListQuery): (text: string) => void {
  const latest = useRef(query);
  latest.current = query;
  return useCallback((text: string) => {
    const next = { ...latest.current, search: text };
    if (text.trim() === '' || latest.current.search.trim() === '') show(next);
    else replaceRoute(hrefOfList(writeListQuery(next)));
  }, []);
}

/** Scrolls up for another list, but not for the first one. */
function useScrollToTop(key: string, isShown: boolean): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && isShown) scrollTo(0, 0);
    isFirst.current = false;
  }, [key]);
}

/** Downloads embeds in the order of the list as a CSV file, oldest first. */
function downloadEmbeds(embeds: readonly ListedEmbedFragment[], isOldestFirst: boolean): void {
  const day = new Date().toISOString().slice(0, 10);
  const oldestFirst = isOldestFirst ? embeds : [...embeds].reverse();
  if (oldestFirst.length > 0) downloadCsv(writeEmbeds(oldestFirst), `embeds-${day}.csv`);
}

interface ListHeadProps {
  readonly canWrite: boolean;
  /** Null while the total of the current list is not known. */
  readonly total: number | null;
  readonly isTotalExact: boolean;
  readonly isFiltered: boolean;
  /** The account has no embeds. */
  readonly isEmpty: boolean;
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

/** The heading with the total, the search field, and the links to create embeds. */
function ListHead({ canWrite, total, isTotalExact, isFiltered, isEmpty, search, onSearch }: ListHeadProps) {
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
      {!isEmpty && <SearchField search={search} onSearch={onSearch} />}
      {canWrite && (
        <a class="button import-link" href={IMPORT}>
          <Icon name="upload" />
          <span>Import</span>
        </a>
      )}
      {canWrite && !isEmpty && (
        <a class="button primary" href={NEW}>
          <Icon name="plus" />
          New embed
        </a>
      )}
    </div>
  );
}

function conditionCountOf({ search, filters, from, to }: ListQuery): number {
  return [search.trim(), from, to, ...Object.keys(filters)].filter((text) => text !== '').length;
}
