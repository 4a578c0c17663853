import { useQuery } from '@urql/preact';
import { useState } from 'preact/hooks';
import { EmbedsDocument, type ListedEmbedFragment } from '../../generated/console-operations.ts';
import { PAGE_SIZE } from './cache.ts';
import { EmptyState } from './empty-state.tsx';
import { Icon } from './icons.tsx';
import { ListPage } from './list-page.tsx';
import { NEW } from './route.ts';

interface Props {
  readonly isShown: boolean;
  readonly mayWrite: boolean;
  /** The embeds that are being changed. */
  readonly busy: ReadonlySet<string>;
  readonly onDelete: (embed: ListedEmbedFragment) => void;
}

/** All embeds, newest first: as many pages as were scrolled to. */
export function EmbedList({ isShown, mayWrite, busy, onDelete }: Props) {
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  const [{ data }] = useQuery({ query: EmbedsDocument, variables: { first: PAGE_SIZE } });
  const total = data?.embeds.totalCount;
  const addPage = (after: string) => setCursors((all) => (all.includes(after) ? all : [...all, after]));
  return (
    <main id={isShown ? 'main' : undefined} class="list-view" hidden={!isShown} tabIndex={-1}>
      <div class="view-head">
        <h1 id="list-heading" tabIndex={-1}>
          Embeds
          {total !== undefined && (
            <span class="count" data-total={total}>
              <span class="spoken">, </span>
              {total.toLocaleString('en')}
              <span class="spoken"> in all</span>
            </span>
          )}
        </h1>
        {mayWrite && total !== 0 && (
          <a class="button primary" href={NEW}>
            <Icon name="plus" />
            New embed
          </a>
        )}
      </div>
      {total === 0 ? (
        <EmptyState mayWrite={mayWrite} />
      ) : (
        <ul class="grid" aria-labelledby="list-heading">
          {cursors.map((after, i) => (
            <ListPage
              key={after}
              after={after}
              isLast={i === cursors.length - 1}
              onMore={addPage}
              mayWrite={mayWrite}
              busy={busy}
              onDelete={onDelete}
            />
          ))}
        </ul>
      )}
    </main>
  );
}
