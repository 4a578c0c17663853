import { useQuery } from '@urql/preact';
import { useEffect, useState } from 'preact/hooks';
import { EmbedsDocument, type ListedEmbedFragment } from '../../generated/console-operations.ts';
import { pageVariables } from '../api/cache.ts';
import { NEW } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { EmptyState } from './empty-state.tsx';
import { ListPage } from './list-page.tsx';

interface Props {
  readonly isShown: boolean;
  /** The number of event streams so far; lists are read again after each. */
  readonly streamCount: number;
  readonly canWrite: boolean;
  /** The embeds whose changes are being saved. */
  readonly pendingIds: ReadonlySet<string>;
  readonly onDelete: (embed: ListedEmbedFragment) => void;
  readonly onRefresh: (embed: ListedEmbedFragment) => Promise<void>;
}

/** The list of all embeds, or of search results, newest first. */
export function EmbedList({ isShown, streamCount, canWrite, pendingIds, onDelete, onRefresh }: Props) {
  const [search, setSearch] = useState('');
  const [{ data, fetching }, reload] = useQuery({ query: EmbedsDocument, variables: pageVariables(search) });
  const total = fetching ? undefined : data?.embeds.totalCount;
  useEffect(() => {
    if (streamCount > 0) reload({ requestPolicy: 'cache-and-network' });
  }, [streamCount]);
  const isEmpty = total === 0 && search === '';
  return (
    <main id={isShown ? 'main' : undefined} class="list-view" hidden={!isShown} tabIndex={-1}>
      <div class="view-head">
        <h1 id="list-heading" tabIndex={-1}>
          Embeds
          {total !== undefined && (
            <span class="count" data-total={total}>
              <span class="visually-hidden">, </span>
              {total.toLocaleString('en')}
              {!data?.embeds.totalCountIsExact && '+'}
              <span class="visually-hidden">{search === '' ? ' in total' : ' found'}</span>
            </span>
          )}
        </h1>
        {!isEmpty && <SearchField onSearch={setSearch} />}
        {canWrite && !isEmpty && (
          <a class="button primary" href={NEW}>
            <Icon name="plus" />
            New embed
          </a>
        )}
      </div>
      {isEmpty && <EmptyState canWrite={canWrite} />}
      {total === 0 && search !== '' && <NoResults search={search} />}
      {total !== 0 && (
        <Pages
          key={`${Math.max(1, streamCount)} ${search}`}
          search={search}
          isShown={isShown}
          canWrite={canWrite}
          pendingIds={pendingIds}
          onDelete={onDelete}
          onRefresh={onRefresh}
        />
      )}
    </main>
  );
}

/** The pages that the user has scrolled to. */
function Pages({ search, ...props }: Omit<Props, 'streamCount'> & { readonly search: string }) {
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  const addPage = (after: string) => setCursors((all) => (all.includes(after) ? all : [...all, after]));
  useEffect(() => scrollTo(0, 0), []);
  return (
    <ul class="grid" aria-labelledby="list-heading">
      {cursors.map((after, i) => (
        <ListPage
          key={after}
          search={search}
          after={after}
          isLast={i === cursors.length - 1}
          onMore={addPage}
          {...props}
        />
      ))}
    </ul>
  );
}

function NoResults({ search }: { readonly search: string }) {
  return (
    <section class="empty">
      <h2>No embed matches “{search}”</h2>
      <p class="lead">
        Search for words of a title or URL or their beginnings, in any order (“plan” finds “planner”), or for a complete
        URL.
      </p>
    </section>
  );
}

const TYPING_PAUSE_MS = 250;

/** Reports the search text when the user stops typing, and at once when the field is cleared. */
function SearchField({ onSearch }: { readonly onSearch: (search: string) => void }) {
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(onSearch, text === '' ? 0 : TYPING_PAUSE_MS, text.trim());
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return (
    <search class="search">
      <Icon name="search" />
      <input
        class="input"
        type="search"
        aria-label="Search embeds"
        placeholder="Search"
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && setText('')}
      />
    </search>
  );
}
