import { useQuery } from '@urql/preact';
import { useEffect, useState } from 'preact/hooks';
import { EmbedsDocument, type ListedEmbedFragment } from '../../generated/console-operations.ts';
import { pageOf } from '../api/cache.ts';
import { NEW } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { EmptyState } from './empty-state.tsx';
import { ListPage } from './list-page.tsx';
import { SearchField } from './search-field.tsx';

interface Props {
  readonly isShown: boolean;
  /** How many streams of changes have begun. */
  readonly streams: number;
  readonly mayWrite: boolean;
  /** The embeds that are being changed. */
  readonly busy: ReadonlySet<string>;
  readonly onDelete: (embed: ListedEmbedFragment) => void;
}

/** All embeds, or those that a search finds, newest first. */
export function EmbedList({ isShown, streams, mayWrite, busy, onDelete }: Props) {
  const [search, setSearch] = useState('');
  const [{ data, fetching }, again] = useQuery({ query: EmbedsDocument, variables: pageOf(search) });
  const total = fetching ? undefined : data?.embeds.totalCount;
  useEffect(() => {
    if (streams > 0) again({ requestPolicy: 'cache-and-network' });
  }, [streams]);
  const isEmpty = total === 0 && search === '';
  return (
    <main id={isShown ? 'main' : undefined} class="list-view" hidden={!isShown} tabIndex={-1}>
      <div class="view-head">
        <h1 id="list-heading" tabIndex={-1}>
          Embeds
          {total !== undefined && (
            <span class="count" data-total={total}>
              <span class="spoken">, </span>
              {total.toLocaleString('en')}
              {!data?.embeds.totalCountIsExact && '+'}
              <span class="spoken">{search === '' ? ' in all' : ' found'}</span>
            </span>
          )}
        </h1>
        {!isEmpty && <SearchField onSearch={setSearch} />}
        {mayWrite && !isEmpty && (
          <a class="button primary" href={NEW}>
            <Icon name="plus" />
            New embed
          </a>
        )}
      </div>
      {isEmpty && <EmptyState mayWrite={mayWrite} />}
      {total === 0 && search !== '' && <NothingFound search={search} />}
      {total !== 0 && (
        <Pages
          key={`${Math.max(1, streams)} ${search}`}
          search={search}
          isShown={isShown}
          mayWrite={mayWrite}
          busy={busy}
          onDelete={onDelete}
        />
      )}
    </main>
  );
}

/** As many pages as were scrolled to. */
function Pages({ search, ...props }: Omit<Props, 'streams'> & { readonly search: string }) {
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

function NothingFound({ search }: { readonly search: string }) {
  return (
    <section class="empty">
      <h2>No embed has “{search}”</h2>
      <p class="lead">
        Whole words of a page’s title or URL are found, in any order: “planner”, not “plan”. So is a whole URL.
      </p>
    </section>
  );
}
