import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MAX_ROWS } from '../api/embed-rows.ts';
import type { Session } from '../api/session.ts';
import { type ListCommands, SelectionBar } from '../bulk/selection-bar.tsx';
import { useBulkChange } from '../bulk/use-bulk-change.ts';
import { FilterChips } from '../filters/filter-chips.tsx';
import { argumentsOf, conditionsOf, type ListQuery, readListQuery, writeListQuery } from '../filters/list-query.ts';
import type { EmbedContentFragment, ListedEmbedFragment } from '../generated/operations.ts';
import { goTo, hrefOfList, replaceRoute } from '../route.ts';
import { useShortcuts } from '../shortcuts.ts';
import { lazyView } from '../ui/lazy-view.tsx';
import { EmbedGrid } from './embed-grid.tsx';
import { type ActiveItem, useActiveItem } from './embed-items.tsx';
import { EmbedTable } from './embed-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { ListHead, useListView } from './list-head.tsx';
import { LoadError, LocalNotice, NoResults, Skeletons } from './list-states.tsx';
import { type Selection, useSelection } from './selection.ts';
import { useEmbedRows } from './use-embed-rows.ts';

const FilterDialog = lazyView(async () => (await import('../filters/filter-dialog.tsx')).FilterDialog, false);
const AttentionChip = lazyView(async () => (await import('../filters/attention-chip.tsx')).AttentionChip, false);

interface Props {
  readonly session: Session;
  readonly isShown: boolean;
  /** The filters and the order, as a query string. */
  readonly query: string;
  /** The number of event streams so far; the list is read again after each. */
  readonly streamCount: number;
  /** The sites that may show embeds without sites of their own; null for all. */
  readonly accountSites: readonly string[] | null;
  readonly pendingIds: ReadonlySet<string>;
  /** Embeds that are deleted unless the user undoes it. */
  readonly hiddenIds: ReadonlySet<string>;
  readonly onDelete: (embeds: readonly ListedEmbedFragment[]) => void;
  readonly onRefresh: (embed: ListedEmbedFragment) => Promise<void>;
}

/** The list of all embeds, or of those that match the filters, as cards or as a table. */
export function EmbedList({ session, isShown, query: queryText, streamCount, hiddenIds, ...props }: Props) {
  const { canWrite } = session;
  const query = useMemo(() => readListQuery(queryText), [queryText]);
  const rows = useEmbedRows(query, streamCount);
  const embeds = useMemo(() => rows.embeds.filter(({ id }) => !hiddenIds.has(id)), [rows.embeds, hiddenIds]);
  const total = rows.total === null ? null : Math.max(embeds.length, rows.total - (rows.embeds.length - embeds.length));
  const selection = useSelection(embeds, writeListQuery(query));
  const bulk = useBulkChange(session, rows.reload);
  const [view, setView] = useListView();
  const [isFiltering, setFiltering] = useState(false);
  const [isDeletingAll, setDeletingAll] = useState(false);
  const whole = { list: argumentsOf(query), total: total ?? 0 };
  const list = useRef<HTMLElement>(null);
  const active = useActiveItem(list, embeds);

  const search = useSearch(query);
  const isFirstList = useRef(true);
  useEffect(() => {
    if (!isFirstList.current && isShown) scrollTo(0, 0);
    isFirstList.current = false;
  }, [rows.key]);

  const setOrder = (isOldestFirst: boolean) => show({ ...query, isOldestFirst });
  const isInList = () => list.current?.contains(document.activeElement) === true;
  const commands: ListCommands = {
    filter: () => setFiltering(true),
    changeView: () => setView(view === 'cards' ? 'table' : 'cards'),
    clear() {
      selection.clear();
      if (!bulk.isRunning) bulk.dismiss();
    },
    async export() {
      if (!selection.isWhole)
        return exportEmbeds(query.isOldestFirst ? selection.embeds : [...selection.embeds].reverse());
      if (bulk.isRunning) return;
      const oldestFirst = argumentsOf({ ...query, isOldestFirst: true });
      exportEmbeds((await bulk.readAll({ list: oldestFirst, total: total ?? 0 })) ?? []);
    },
    delete() {
      const activeEmbed = embeds[active.index];
      if (!canWrite || (selection.isWhole && bulk.isRunning)) return;
      if (selection.isWhole) setDeletingAll(true);
      else if (selection.embeds.length > 0) props.onDelete(selection.embeds);
      else if (activeEmbed && isInList()) props.onDelete([activeEmbed]);
    },
  };
  useListShortcuts({ commands, active, selection, isInList }, isShown);

  const isFiltered = conditionsOf(query).length > 0;
  const isEmpty = total === 0 && !isFiltered && !rows.isOutdated && !rows.isLocal;
  const shared = {
    ...props,
    canWrite,
    selection,
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
        total={rows.isOutdated ? null : total}
        isTotalExact={rows.isTotalExact}
        isFiltered={isFiltered}
        isEmpty={isEmpty}
        canWrite={canWrite}
        search={query.search}
        view={view}
        isOldestFirst={query.isOldestFirst}
        onSearch={search}
        onView={setView}
        onOrder={setOrder}
        onFilter={commands.filter}
      >
        {!query.needsAttention && (
          <AttentionChip
            session={session}
            streamCount={streamCount}
            embeds={embeds}
            onShow={() => show({ ...query, needsAttention: true })}
          />
        )}
      </ListHead>
      {isFiltered && <FilterChips query={query} onChange={show} />}
      {rows.isLocal && rows.error && <LocalNotice error={rows.error} onRetry={rows.reload} />}
      <div aria-busy={rows.isOutdated}>
        {isEmpty && <EmptyState canWrite={canWrite} />}
        {total === 0 && !isEmpty && <NoResults search={query.search.trim()} />}
        {total === null && !rows.error && <Skeletons view={view} />}
        {embeds.length > 0 &&
          (view === 'cards' ? (
            <EmbedGrid {...shared} />
          ) : (
            <EmbedTable {...shared} isOldestFirst={query.isOldestFirst} onOrder={setOrder} />
          ))}
        {rows.error && !rows.isLocal && <LoadError error={rows.error} onRetry={rows.reload} />}
        {embeds.length === MAX_ROWS && <EndNote />}
      </div>
      <SelectionBar
        bulk={bulk}
        selection={selection}
        commands={commands}
        whole={whole}
        shownCount={embeds.length}
        canWrite={canWrite}
        isFiltered={isFiltered}
        isTotalExact={rows.isTotalExact}
        isDeletingAll={isDeletingAll}
        onDeletingAll={setDeletingAll}
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

function EndNote() {
  return (
    <p class="note">The list ends after {MAX_ROWS.toLocaleString('en')} embeds. To see others, search or filter.</p>
  );
}

function show(query: ListQuery): void {
  goTo(hrefOfList(writeListQuery(query)));
}

/** Returns a function that stays the same, for the delay of the search field. */
function useSearch(query: ListQuery): (text: string) => void {
  const latest = useRef(query);
  latest.current = query;
  return useCallback((text: string) => {
    const next = { ...latest.current, search: text };
    // one entry of the history for all letters
    if (text.trim() === '' || latest.current.search.trim() === '') show(next);
    else replaceRoute(hrefOfList(writeListQuery(next)));
  }, []);
}

interface ShortcutTargets {
  readonly commands: ListCommands;
  readonly active: ActiveItem;
  readonly selection: Selection;
  readonly isInList: () => boolean;
}

function useListShortcuts({ commands, active, selection, isInList }: ShortcutTargets, isShown: boolean): void {
  // the first key only returns the focus to the active item
  const move = (step: number) => active.moveTo(isInList() ? active.index + step : Math.max(0, active.index));
  useShortcuts(
    {
      '/': () => document.getElementById('search')?.focus(),
      f: commands.filter,
      v: commands.changeView,
      j: () => move(1),
      k: () => move(-1),
      x: () => active.id !== null && active.index >= 0 && selection.toggle(active.id, false),
      a: selection.selectAll,
      c: commands.clear,
      b: () => document.getElementById('bulk-bar')?.focus(),
      e: commands.export,
      Delete: commands.delete,
      '#': commands.delete,
    },
    isShown,
  );
}

async function exportEmbeds(oldestFirst: readonly EmbedContentFragment[]): Promise<void> {
  if (oldestFirst.length === 0) return;
  const { downloadCsv, writeEmbeds } = await import('../import/csv-file.ts');
  const day = new Date().toISOString().slice(0, 10);
  downloadCsv(writeEmbeds(oldestFirst), `embeds-${day}.csv`);
}
