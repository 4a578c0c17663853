import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { apiErrorOf } from '../api/api-error.ts';
import { accountHeader } from '../api/client.ts';
import { LEAVE } from '../api/other-tabs.ts';
import type { Session } from '../api/session.ts';
import { DeleteEmbedDocument, DeleteEmbedsDocument, type ListedEmbedFragment } from '../generated/operations.ts';
import { titleOf } from '../list/embed-view-model.ts';
import type { Notify } from '../notices.tsx';
import { runBatch } from './run-batch.ts';
import { callsOf } from './send-calls.ts';

/** The time for which a deletion can be undone. Then the console sends it, and it is permanent. */
const UNDO_MS = 10_000;

/** More embeds could not be deleted with the requests that a browser sends when the tab is closed. */
export const MAX_DELETED_AT_ONCE = 500;

interface Deletion {
  readonly embeds: readonly ListedEmbedFragment[];
  readonly timer: ReturnType<typeof setTimeout>;
  readonly dismissNotice: () => void;
}

/** Hides embeds from the list at once, and deletes them when the time to undo is over or the tab is left. */
export function useDeletions({ client, viewer }: Session, notify: Notify) {
  const [hiddenIds, setHiddenIds] = useState<ReadonlySet<string>>(new Set());
  const waiting = useRef(new Set<Deletion>());

  const actions = useMemo(() => {
    const hide = (embeds: readonly ListedEmbedFragment[]) =>
      setHiddenIds((ids) => new Set([...ids, ...embeds.map(({ id }) => id)]));
    const unhide = (embeds: readonly ListedEmbedFragment[]) => {
      const shown = new Set(embeds.map(({ id }) => id));
      setHiddenIds((ids) => new Set([...ids].filter((id) => !shown.has(id))));
    };

    async function send(deletion: Deletion): Promise<void> {
      waiting.current.delete(deletion);
      clearTimeout(deletion.timer);
      deletion.dismissNotice();
      const failedIds = new Set<string>();
      let message = '';
      await runBatch({
        items: callsOf(deletion.embeds.map(({ id }) => id)),
        async send({ ids }) {
          const [id = ''] = ids;
          const { error } =
            ids.length === 1
              ? await client.mutation(DeleteEmbedDocument, { input: { id } }).toPromise()
              : await client.mutation(DeleteEmbedsDocument, { input: { ids: [...ids] } }).toPromise();
          const apiError = error ? apiErrorOf(error) : null;
          return apiError?.code === 'NOT_FOUND' ? null : apiError;
        },
        onSettled({ ids }, error) {
          if (!error) return;
          for (const id of ids) failedIds.add(id);
          message = error.message;
        },
        onPause() {},
        signal: new AbortController().signal,
      });
      unhide(deletion.embeds);
      const [first] = deletion.embeds.filter(({ id }) => failedIds.has(id));
      if (!first) return;
      const object = failedIds.size === 1 ? `“${titleOf(first)}”` : `${failedIds.size} embeds`;
      // it may have deleted them: the response can be lost
      notify({ text: `The service did not confirm the deletion of ${object}. ${message}`, isError: true });
    }

    function undo(deletion: Deletion): void {
      if (!waiting.current.delete(deletion)) return;
      clearTimeout(deletion.timer);
      deletion.dismissNotice();
      unhide(deletion.embeds);
    }

    return {
      remove(embeds: readonly ListedEmbedFragment[]): void {
        const [first] = embeds;
        if (!first) return;
        const subject = embeds.length === 1 ? `“${titleOf(first)}” was` : `${embeds.length} embeds were`;
        const dismissNotice = notify({
          text: `${subject} deleted.`,
          action: { label: 'Undo', run: () => undo(deletion) },
          shownMs: UNDO_MS,
        });
        const timer = setTimeout(() => void send(deletion), UNDO_MS);
        const deletion: Deletion = { embeds, timer, dismissNotice };
        waiting.current.add(deletion);
        hide(embeds);
      },
      undoLast(): void {
        const last = [...waiting.current].at(-1);
        if (last) undo(last);
      },
      /** Sends all deletions that wait. The page stays open, so it shows those that fail. */
      sendAll(): void {
        for (const deletion of waiting.current) void send(deletion);
      },
      /** Sends all deletions that wait, with requests that outlive the page. */
      flush(): void {
        const ids = [...waiting.current].flatMap(({ embeds }) => embeds.map(({ id }) => id));
        for (const { timer, dismissNotice } of waiting.current) {
          clearTimeout(timer);
          dismissNotice();
        }
        waiting.current.clear();
        sendWhileLeaving(ids, viewer ? accountHeader(viewer.accountId) : {});
      },
    };
  }, [client, viewer]);

  useEffect(() => {
    addEventListener('pagehide', actions.flush);
    addEventListener(LEAVE, actions.sendAll);
    return () => {
      removeEventListener('pagehide', actions.flush);
      removeEventListener(LEAVE, actions.sendAll);
      actions.flush();
    };
  }, [actions]);
  return { hiddenIds, ...actions };
}

/** Sends requests that the browser finishes without the page. */
function sendWhileLeaving(ids: readonly string[], account: Readonly<Record<string, string>>): void {
  const query = 'mutation($ids:[ID!]!){deleteEmbeds(input:{ids:$ids}){deletedEmbedIds}}';
  for (const call of callsOf(ids)) {
    void fetch('/graphql', {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json', ...account },
      body: JSON.stringify({ query, variables: call }),
    }).catch(() => {});
  }
}
