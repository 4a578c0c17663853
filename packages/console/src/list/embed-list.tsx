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

  const latest = useRef(query);
  latest.current = query;
  const show = (next: ListQuery) => goTo(hrefOfList(writeListQuery(next)));
  const search = useCallback((text: string) => {
    const next = { ...latest.current, search: text };
    // one entry of the history for all letters
    if (text.trim() === '' || latest.current.search.trim() === '') show(next);
    else replaceRoute(hrefOfList(writeListQuery(next)));
  }, []);
  const isFirstList = useRef(true);
  useEffect(() => {
    if (!isFirstList.current && isShown) scrollTo(0, 0);
    isFirstList.current = false;
  }, [rows.key]);

  const exportSelected = () => {
    const day = new Date().toISOString().slice(0, 10);
    const oldestFirst = query.isOldestFirst ? selection.embeds : [...selection.embeds].reverse();
    if (oldestFirst.length > 0) downloadCsv(writeEmbeds(oldestFirst), `embeds-${day}.csv`);
  };
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
      <div class="view-head">
        <h1 id="list-heading" tabIndex={-1}>
          Embeds
          {total !== null && !rows.isOutdated && (
            <span class="count" data-total={total}>
              <span class="visually-hidden">, </span>
              {total.toLocaleString('en')}
              {!rows.isTotalExact && '+'}
              <span class="visually-hidden">{isFiltered ? ' found' : ' in total'}</span>
            </span>
          )}
        </h1>
        {!isEmpty && <SearchField search={query.search} onSearch={search} />}
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

function conditionCountOf({ search, filters, from, to }: ListQuery): number {
  return [search.trim(), from, to, ...Object.keys(filters)].filter((text) => text !== '').length;
}
