import type { Client, CombinedError, RequestPolicy } from '@urql/core';
import { EmbedsDocument, type EmbedsQuery, type ListedEmbedFragment } from '../generated/operations.ts';
import { type ListArguments, pageVariables } from './cache.ts';

/** Bounds the memory of the tab. Further embeds are not listed: the user narrows the list by search and filters. */
export const MAX_ROWS = 10_000;

/** The rows of a list that are loaded, and its total. */
export interface EmbedRows {
  readonly embeds: readonly ListedEmbedFragment[];
  /** Null until the first page is loaded. */
  readonly total: number | null;
  readonly isTotalExact: boolean;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** The reason why the last page could not be loaded. */
  readonly error: CombinedError | null;
}

export const NO_ROWS: EmbedRows = {
  embeds: [],
  total: null,
  isTotalExact: true,
  hasMore: false,
  isLoading: true,
  error: null,
};

interface Page {
  readonly after: string | null;
  connection?: EmbedsQuery['embeds'] | undefined;
  error?: CombinedError | undefined;
  close: () => void;
}

interface Options {
  readonly list: ListArguments;
  readonly requestPolicy: RequestPolicy;
  /** Loads pages until so many rows are known, and does not publish fewer: a list that is read again keeps its length. */
  readonly minRows: number;
  readonly onChange: (rows: EmbedRows) => void;
}

export interface OpenRows {
  /** Loads the next page, unless a page is being loaded or could not be loaded. */
  loadMore(): void;
  close(): void;
}

/** Loads a list page by page, and follows the changes of its pages in the cache. */
export function openEmbedRows(client: Client, { list, requestPolicy, minRows, onChange }: Options): OpenRows {
  const pages: Page[] = [];

  function loadPage(after: string | null): void {
    const page: Page = { after, close: () => {} };
    pages.push(page);
    const request = client.query(EmbedsDocument, pageVariables(list, after), { requestPolicy });
    const { unsubscribe } = request.subscribe(({ data, error, stale }) => {
      page.connection = data?.embeds ?? page.connection;
      page.error = error;
      if (!stale || data) publish();
    });
    page.close = unsubscribe;
  }

  function loadMore(): void {
    const { connection, error } = pages.at(-1) ?? {};
    const cursor = connection?.pageInfo.hasNextPage ? connection.pageInfo.endCursor : null;
    if (cursor && !error && rowsOf(pages).embeds.length < MAX_ROWS) loadPage(cursor);
  }

  /** Closes the pages that do not continue the page before them, because it was cut. */
  function closeDetached(): void {
    const isDetached = ({ after }: Page, i: number) => i > 0 && pages[i - 1]?.connection?.pageInfo.endCursor !== after;
    const i = pages.findIndex(isDetached);
    if (i > 0) for (const page of pages.splice(i)) page.close();
  }

  function publish(): void {
    closeDetached();
    const rows = rowsOf(pages);
    const isShort = rows.embeds.length < minRows && ((rows.hasMore && !rows.error) || rows.isLoading);
    if (!isShort) onChange(rows);
    else if (!rows.isLoading) loadMore();
  }

  loadPage(null);
  return {
    loadMore,
    close() {
      for (const page of pages) page.close();
    },
  };
}

function rowsOf(pages: readonly Page[]): EmbedRows {
  const [first, last] = [pages[0]?.connection, pages.at(-1)];
  // a page may repeat an embed that the page before it has got meanwhile
  const embeds = new Map(
    pages.flatMap(({ connection }) => (connection?.edges ?? []).map(({ node }) => [node.id, node])),
  );
  return {
    embeds: [...embeds.values()].slice(0, MAX_ROWS),
    total: first?.totalCount ?? null,
    isTotalExact: first?.totalCountIsExact ?? true,
    hasMore: last?.connection?.pageInfo.hasNextPage === true && embeds.size < MAX_ROWS,
    isLoading: last?.connection === undefined && last?.error === undefined,
    error: last?.error ?? null,
  };
}

/** Returns the embeds of all pages of a list that are in the cache. */
export function findKnownEmbeds(client: Client, list: ListArguments): readonly ListedEmbedFragment[] {
  const embeds: ListedEmbedFragment[] = [];
  for (let after: string | null = null; embeds.length < MAX_ROWS; ) {
    const variables = pageVariables(list, after);
    const connection: EmbedsQuery['embeds'] | undefined = client.readQuery(EmbedsDocument, variables, {
      requestPolicy: 'cache-only',
    })?.data?.embeds;
    embeds.push(...(connection?.edges ?? []).map(({ node }) => node));
    const { hasNextPage, endCursor } = connection?.pageInfo ?? {};
    if (!hasNextPage || !endCursor || endCursor === after) break;
    after = endCursor;
  }
  return embeds;
}
