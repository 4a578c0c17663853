import { useQuery } from '@urql/preact';
import { useEffect, useRef } from 'preact/hooks';
import { EmbedsDocument, type ListedEmbedFragment } from '../../generated/console-operations.ts';
import { type ApiError, apiErrorOf } from '../api/api-error.ts';
import { pageVariables } from '../api/cache.ts';
import { Icon } from '../ui/icons.tsx';
import { EmbedCard } from './embed-card.tsx';

/** The next page starts to load at this distance from the viewport. */
const PRELOAD_MARGIN = '600px';
const SKELETON_COUNT = 6;

interface Props {
  readonly search: string;
  /** The cursor before the page; null for the first page. */
  readonly after: string | null;
  readonly isLast: boolean;
  readonly onMore: (after: string) => void;
  readonly isShown: boolean;
  readonly canWrite: boolean;
  readonly pendingIds: ReadonlySet<string>;
  readonly onDelete: (embed: ListedEmbedFragment) => void;
  readonly onRefresh: (embed: ListedEmbedFragment) => Promise<void>;
}

/** One page of the list. The last page loads the next one when its end comes near the viewport. */
export function ListPage({ search, after, isLast, onMore, pendingIds, ...props }: Props) {
  const [{ data, error, fetching }, reload] = useQuery({
    query: EmbedsDocument,
    variables: pageVariables(search, after),
  });
  if (error && !data)
    return (
      <LoadError
        message={errorText(apiErrorOf(error))}
        onRetry={() => reload({ requestPolicy: 'network-only' })}
        isBusy={fetching}
      />
    );
  if (!data) return <Skeletons />;
  const { edges, pageInfo } = data.embeds;
  return (
    <>
      {edges.map(({ node }) => (
        <EmbedCard key={node.id} embed={node} isSaving={pendingIds.has(node.id)} {...props} />
      ))}
      {isLast && pageInfo.hasNextPage && pageInfo.endCursor && <LoadMore after={pageInfo.endCursor} onMore={onMore} />}
    </>
  );
}

/** Returns the message of an error. The only argument that the API can reject here is the search. */
function errorText({ message, faults }: ApiError): string {
  const [fault] = Object.values(faults);
  return fault ? `The search ${fault}.` : message;
}

/** Loads the next page automatically, or by button for keyboards and screen readers. */
function LoadMore({ after, onMore }: { readonly after: string; readonly onMore: (after: string) => void }) {
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(
      // a busy browser reports several changes in one call, oldest first
      (entries) => {
        if (entries.at(-1)?.isIntersecting) onMore(after);
      },
      { rootMargin: PRELOAD_MARGIN },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [after, onMore]);
  return (
    <li ref={ref} class="whole-row">
      <button type="button" class="button" onClick={() => onMore(after)}>
        Load more
      </button>
    </li>
  );
}

function Skeletons() {
  return (
    <>
      <li class="visually-hidden" role="status">
        Loading embeds…
      </li>
      {Array.from({ length: SKELETON_COUNT }, (_, i) => (
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

function LoadError(props: { readonly message: string; readonly onRetry: () => void; readonly isBusy: boolean }) {
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
