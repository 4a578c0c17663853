import { useClient } from '@urql/preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type EmbedRows, findKnownEmbeds, NO_ROWS, type OpenRows, openEmbedRows } from '../api/embed-rows.ts';
import { argumentsOf, type ListQuery, matchesQuery, writeListQuery } from '../filters/list-query.ts';
import type { ListedEmbedFragment } from '../generated/operations.ts';

interface ShownRows extends EmbedRows {
  /** The list of these rows, as a query string. */
  readonly key: string;
  /** The API did not respond: these are the embeds in the cache of this tab. */
  readonly isLocal: boolean;
}

export interface ListedRows extends ShownRows {
  /** The rows are those of the list before, until the first page of this one is loaded. */
  readonly isOutdated: boolean;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

/**
 * Loads a list. Responses to an older query are ignored. If the API does not respond, the list has the known embeds that
 * match, until the connection returns.
 * @param streamCount the number of event streams so far: the list is read again after each
 */
export function useEmbedRows(query: ListQuery, streamCount: number): ListedRows {
  const client = useClient();
  const key = writeListQuery(query);
  const [shown, setShown] = useState<ShownRows>({ ...NO_ROWS, key, isLocal: false });
  const [reloadCount, setReloadCount] = useState(0);
  const opened = useRef<OpenRows | null>(null);
  const isLoaded = shown.key === key && (shown.total !== null || shown.error !== null);
  // a list that is being read may be older than the stream: it is read again when it is here
  const readStream = useRef(streamCount);
  if (isLoaded) readStream.current = streamCount;
  const reload = () => setReloadCount((count) => count + 1);

  useLayoutEffect(() => {
    const list = argumentsOf(query);
    opened.current = openEmbedRows(client, {
      list,
      requestPolicy: isLoaded ? 'network-only' : list.filter ? 'cache-and-network' : 'cache-first',
      // the API may return an empty page although others follow
      minRows: Math.max(1, isLoaded ? shown.embeds.length : 0),
      onChange(rows) {
        if (rows.total !== null) return setShown({ ...rows, key, isLocal: false });
        // the last rows stay until the first page is here
        if (rows.error === null) return;
        const isRejected = rows.error.graphQLErrors.some(({ extensions }) => extensions.code === 'BAD_USER_INPUT');
        const known = isRejected ? [] : knownEmbeds(query);
        const embeds = known.filter((embed) => matchesQuery(embed, query));
        if (known.length === 0) setShown({ ...rows, key, isLocal: false });
        else setShown({ ...rows, embeds, total: embeds.length, key, isLocal: true });
      },
    });
    return () => opened.current?.close();
  }, [client, key, readStream.current, reloadCount]);

  useEffect(() => {
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, []);

  /** Returns the embeds of this list, or else of the list of all embeds, in the order of this list. */
  function knownEmbeds(wanted: ListQuery): readonly ListedEmbedFragment[] {
    const { orderBy } = argumentsOf(wanted);
    const own = findKnownEmbeds(client, argumentsOf(wanted));
    if (own.length > 0) return own;
    const all = new Map<string, ListedEmbedFragment>();
    for (const list of [{}, { orderBy: { field: 'CREATED_AT', direction: 'ASC' } }] as const)
      for (const embed of findKnownEmbeds(client, list)) all.set(embed.id, embed);
    for (const embed of shown.embeds) all.set(embed.id, embed);
    const newestFirst = [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
    return orderBy ? newestFirst.reverse() : newestFirst;
  }

  return { ...shown, isOutdated: shown.key !== key, loadMore: () => opened.current?.loadMore(), reload };
}
