import { useEffect, useRef, useState } from 'preact/hooks';
import { apiErrorOf } from '../api/api-error.ts';
import type { ApiClient } from '../api/client.ts';
import type { Settings } from '../editor/draft.ts';
import { type ListedEmbedFragment, UpdateEmbedDocument } from '../generated/operations.ts';
import { runBatch } from './run-batch.ts';

/** A change of several embeds that runs or has ended. */
export interface BulkChange {
  readonly total: number;
  readonly done: number;
  /** The messages of the API by embed id. */
  readonly failures: ReadonlyMap<string, string>;
  readonly pausedForS: number | null;
  readonly isRunning: boolean;
}

/** Changes settings of several embeds, with a request for each. */
export function useBulkChange({ client }: ApiClient) {
  const [change, setChange] = useState<BulkChange | null>(null);
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);

  /** @returns the ids of the embeds that were not changed */
  async function apply(
    embeds: readonly ListedEmbedFragment[],
    settings: Partial<Settings>,
  ): Promise<readonly string[]> {
    controller.current = new AbortController();
    const { signal } = controller.current;
    const failures = new Map<string, string>();
    const settled = new Set<string>();
    const show = (state: Partial<BulkChange>) =>
      setChange(
        (last) => ({ pausedForS: null, isRunning: true, ...last, total: embeds.length, ...state }) as BulkChange,
      );
    setChange({ total: embeds.length, done: 0, failures, pausedForS: null, isRunning: true });
    await runBatch({
      items: embeds,
      async send({ id }) {
        const { error } = await client.mutation(UpdateEmbedDocument, { input: { id, ...settings } }).toPromise();
        return error ? apiErrorOf(error) : null;
      },
      onSettled({ id }, error) {
        settled.add(id);
        const [fault] = Object.entries(error?.faults ?? {});
        if (error) failures.set(id, fault ? `The ${fault[0]} ${fault[1]}.` : error.message);
        show({ done: settled.size, failures: new Map(failures) });
      },
      onPause: (pausedForS) => show({ pausedForS }),
      signal,
    });
    show({ isRunning: false, pausedForS: null });
    return embeds.map(({ id }) => id).filter((id) => failures.has(id) || !settled.has(id));
  }

  return {
    change,
    apply,
    stop: () => controller.current.abort(),
    dismiss: () => setChange(null),
  };
}
