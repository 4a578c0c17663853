import type { CombinedError } from '@urql/core';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { apiErrorOf } from '../api/api-error.ts';
import { Icon } from './icons.tsx';

/** A page of a list. */
export interface PageProps {
  /** The cursor before the page; null for the first page. */
  readonly after: string | null;
  readonly isLast: boolean;
  readonly onMore: (after: string) => void;
}

/** The pages that the user has loaded, one after another. */
export function PagedRows({ renderPage }: { readonly renderPage: (page: PageProps) => ComponentChildren }) {
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  const onMore = (cursor: string) => setCursors((all) => [...all, cursor]);
  return <>{cursors.map((after, i) => renderPage({ after, isLast: i === cursors.length - 1, onMore }))}</>;
}

interface WholeRowProps {
  /** Columns of the table; undefined in a list. */
  readonly columns?: number | undefined;
  readonly class?: string;
  readonly role?: 'alert' | 'status';
  readonly children: ComponentChildren;
}

/** A row in place of items, in a list or over all columns of a table. */
export function WholeRow({ columns, ...props }: WholeRowProps) {
  if (columns === undefined) return <li {...props} />;
  return (
    <tr>
      <td colSpan={columns}>
        <div {...props} />
      </td>
    </tr>
  );
}

interface FailedRowProps {
  readonly columns?: number;
  readonly error: CombinedError;
  readonly isLoading: boolean;
  readonly onRetry: () => void;
}

/** Reads a page again when the network returns: it was not loaded, or changes were missed. */
export function useReloadOnline(reload: () => void): void {
  useEffect(() => {
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  });
}

/** A row in place of a page that was not loaded. */
export function FailedRow({ columns, error, isLoading, onRetry }: FailedRowProps) {
  return (
    <WholeRow columns={columns} class="whole-row failed" role="alert">
      <Icon name="warning" />
      <p>{apiErrorOf(error).message}</p>
      <button type="button" class="button" onClick={onRetry} aria-busy={isLoading}>
        Try again
      </button>
    </WholeRow>
  );
}

interface MoreRowProps extends PageProps {
  readonly columns?: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** A row after the last page that loads the next one. */
export function MoreRow({ columns, isLast, onMore, pageInfo: { hasNextPage, endCursor } }: MoreRowProps) {
  if (!isLast || !hasNextPage || !endCursor) return null;
  return (
    <WholeRow columns={columns} class="whole-row">
      <button type="button" class="button" onClick={() => onMore(endCursor)}>
        Load more
      </button>
    </WholeRow>
  );
}
