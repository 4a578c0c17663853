import { useQuery } from '@urql/preact';
import { useEffect, useRef } from 'preact/hooks';
import { EmbedsDocument, type ListedEmbedFragment } from '../../generated/console-operations.ts';
import { type ApiError, apiErrorOf } from '../api/api-error.ts';
import { pageOf } from '../api/cache.ts';
import { Icon } from '../ui/icons.tsx';
import { EmbedCard } from './embed-card.tsx';

/** A page begins to load when its place is so near. */
const AHEAD = '600px';
const SKELETONS = 6;

interface Props {
  readonly search: string;
  /** The cursor that the page begins after; null for the first one. */
  readonly after: string | null;
  readonly isLast: boolean;
  readonly onMore: (after: string) => void;
  readonly isShown: boolean;
  readonly mayWrite: boolean;
  readonly busy: ReadonlySet<string>;
  readonly onDelete: (embed: ListedEmbedFragment) => void;
}

/** One page of the list and, at the end of the last one, the way to the next. */
export function ListPage({ search, after, isLast, onMore, busy, ...props }: Props) {
  const [{ data, error, fetching }, again] = useQuery({ query: EmbedsDocument, variables: pageOf(search, after) });
  if (error && !data)
    return (
      <Failed
        message={wordsOf(apiErrorOf(error))}
        onRetry={() => again({ requestPolicy: 'network-only' })}
        isBusy={fetching}
      />
    );
  if (!data) return <Skeletons />;
  const { edges, pageInfo } = data.embeds;
  return (
    <>
      {edges.map(({ node }) => (
        <EmbedCard key={node.id} embed={node} isBusy={busy.has(node.id)} {...props} />
      ))}
      {isLast && pageInfo.hasNextPage && pageInfo.endCursor && <More after={pageInfo.endCursor} onMore={onMore} />}
    </>
  );
}

/** All that can be wrong with what is asked for is the search. */
function wordsOf({ message, faults }: ApiError): string {
  const [fault] = Object.values(faults);
  return fault ? `The search ${fault}.` : message;
}

/** Loads more when it comes near; the button is for who gets there first, and for who uses no pointer. */
function More({ after, onMore }: { readonly after: string; readonly onMore: (after: string) => void }) {
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      // a busy browser reports several changes at once, the oldest first
      (entries) => {
        if (entries.at(-1)?.isIntersecting) onMore(after);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [after, onMore]);
  return (
    <li ref={place} class="whole-row">
      <button type="button" class="button" onClick={() => onMore(after)}>
        Load more
      </button>
    </li>
  );
}

function Skeletons() {
  return (
    <>
      <li class="spoken" role="status">
        Loading embeds…
      </li>
      {Array.from({ length: SKELETONS }, (_, i) => (
        <li key={i} class="card skeleton" aria-hidden="true">
          <div class="thumbnail" />
          <div class="card-body">
            <i />
            <i />
          </div>
        </li>
      ))}
    </>
  );
}

function Failed(props: { readonly message: string; readonly onRetry: () => void; readonly isBusy: boolean }) {
  return (
    <li class="whole-row failed" role="alert">
      <Icon name="warning" />
      <p>{props.message}</p>
      <button type="button" class="button" onClick={props.onRetry} aria-busy={props.isBusy}>
        Try again
      </button>
    </li>
  );
}
