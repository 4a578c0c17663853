import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListArguments } from '../api/cache.ts';
import type { ApiClient } from '../api/client.ts';
import type { Settings } from '../editor/draft.ts';
import {
  DeleteEmbedsDocument,
  type EmbedContentFragment,
  ExportEmbedsDocument,
  UpdateEmbedsDocument,
} from '../generated/operations.ts';
import { withForcedValues } from '../list/embed-view-model.ts';
import {
  type BulkChange,
  type BulkTarget,
  failure,
  type Input,
  MAX_PER_CALL,
  type Result,
  resultOf,
  sendCalls,
  targetOf,
} from './send-calls.ts';

/** The values that several embeds get at once. */
export type BulkValues = Partial<Settings> & { readonly pageUrl?: string };

/** More changes could not be undone, and more rows not be exported, without filling the memory of the tab. */
const MAX_KEPT = 100_000;
const TOO_MANY_ROWS = 'At most 100,000 embeds can be exported here. Filter the list, or run embed-gateway export.';

/** The time for which the deletion of all matching embeds can be stopped before it begins. */
const UNDO_MS = 10_000;

type Client = ApiClient['uncachedClient'];
type Embeds = readonly EmbedContentFragment[];

/** The values of embeds before a change, in JSON, by id. */
type ValuesBefore = Map<string, string>;

/** After these errors, a call has changed nothing. After others, its response may only be lost. */
const REFUSALS: readonly (string | null)[] = ['BAD_USER_INPUT', 'RATE_LIMITED'];

/**
 * Changes, deletes and exports many embeds with one call after the other: each returns the cursor of the next.
 * @param onEnded called after each change, which the cache of lists does not see
 */
export function useBulkChange({ uncachedClient }: ApiClient, onEnded: () => void) {
  const [change, setChange] = useState<BulkChange | null>(null);
  const controller = useRef(new AbortController());
  /** The values before calls without a response, and the values that these calls set. */
  const lost = useRef({ made: '', before: new Map() as ValuesBefore });
  useEffect(() => () => controller.current.abort(), []);

  /** @returns the ids that were not handled, if the target has ids */
  async function run(
    kind: BulkChange['kind'],
    target: BulkTarget,
    send: (input: Input) => Promise<Result>,
    counted = { done: 0, total: 'ids' in target ? target.ids.length : target.total },
  ): Promise<readonly string[]> {
    let state: BulkChange = { kind, ...counted, error: null, pausedForS: null, phase: 'running' };
    const show = (news: Partial<BulkChange>) => {
      state = { ...state, ...news };
      setChange(state);
      return state;
    };
    const rest = await sendCalls(target, send, show, controller.current.signal);
    if (kind !== 'export') onEnded();
    return rest;
  }

  const begin = () => {
    controller.current = new AbortController();
  };

  /**
   * Reverts a change, group by group of embeds that had the same values, except for embeds that somebody else has changed since.
   * After a failure or a stop, the rest can be reverted.
   */
  async function undo(previous: readonly [id: string, values: string][], made: BulkValues): Promise<void> {
    begin();
    lost.current.before.clear();
    const total = previous.length;
    let done = 0;
    let waiting = previous;
    for (const [before, entries] of Map.groupBy(previous, ([, each]) => each)) {
      const ids = entries.map(([id]) => id);
      const values = { ...JSON.parse(before), expected: made };
      const send = async (input: Input) => {
        const sent = await sendUpdate(uncachedClient, input, values);
        done += sent.done;
        return sent;
      };
      const rest = new Set(await run('undo', { ids }, send, { done, total }));
      waiting = waiting.filter(([id, each]) => each !== before || rest.has(id));
      if (rest.size > 0) break;
    }
    offerUndo(waiting, made);
  }

  const offerUndo = (previous: readonly [id: string, values: string][], made: BulkValues) => {
    const isUndoable = previous.length > 0 && previous.length < MAX_KEPT;
    setChange((last) => last && { ...last, undo: isUndoable ? () => void undo(previous, made) : undefined });
  };

  return {
    change,
    isRunning: change !== null && change.phase !== 'ended',
    /**
     * @param rows the embeds of the target, if it has ids
     * @returns the ids that were not changed, if the target has ids
     */
    async apply(target: BulkTarget, values: BulkValues, rows: Embeds = []): Promise<readonly string[]> {
      begin();
      const previous: ValuesBefore = new Map();
      const keep = createKeeper(values, previous, lost.current);
      let counted = 0;
      const rest = await run('change', target, async (input) => {
        const found = await findEmbeds(uncachedClient, input, rows);
        if ('error' in found) return found;
        const sent = await sendUpdate(uncachedClient, input, values);
        if (sent.error) {
          if (!REFUSALS.includes(sent.error.code)) keep(found, true);
          return sent;
        }
        keep(sent.previous, false);
        // a repetition by a filter does not return what the first call has changed
        const done = Math.max(sent.done, previous.size - counted);
        counted += done;
        return { ...sent, done };
      });
      offerUndo([...previous], values);
      return rest;
    },

    /** Deletes all embeds of a list, after a time in which it can be stopped. */
    async removeAll(target: BulkTarget & { readonly total: number }): Promise<void> {
      begin();
      const { signal } = controller.current;
      setChange({ kind: 'deletion', total: target.total, done: 0, error: null, pausedForS: null, phase: 'waiting' });
      await waitForUndo(signal);
      if (signal.aborted) return setChange(null);
      await run('deletion', target, async (input) => {
        const variables = { input: targetOf(input) };
        const { data, error } = await uncachedClient.mutation(DeleteEmbedsDocument, variables).toPromise();
        if (!data) return failure(error);
        return resultOf(data.deleteEmbeds.deletedEmbedIds.length, data.deleteEmbeds.pageInfo);
      });
      // no call counts what a call without a response has deleted
      if (!signal.aborted) setChange((last) => last && (last.error ? last : { ...last, done: last.total }));
    },

    /** Reads all embeds of a list. Returns null if not all could be read. */
    async readAll(target: BulkTarget & { readonly total: number }): Promise<readonly EmbedContentFragment[] | null> {
      begin();
      const { signal } = controller.current;
      const rows: EmbedContentFragment[] = [];
      let isWhole = false;
      await run('export', target, async (input) => {
        const variables = { first: MAX_PER_CALL, ...(input as ListArguments & { after: string | null }) };
        const { data, error } = await uncachedClient.query(ExportEmbedsDocument, variables).toPromise();
        if (!data) return failure(error);
        const { nodes, pageInfo } = data.embeds;
        rows.push(...nodes);
        isWhole = !pageInfo.hasNextPage;
        return resultOf(nodes.length, rows.length < MAX_KEPT ? pageInfo : { endCursor: null, hasNextPage: false });
      });
      if (rows.length >= MAX_KEPT && !isWhole) setChange((last) => last && { ...last, error: TOO_MANY_ROWS });
      return isWhole && !signal.aborted ? rows : null;
    },

    stop: () => controller.current.abort(),
    dismiss: () => setChange(null),
  };
}

function waitForUndo(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, UNDO_MS);
    signal.addEventListener('abort', resolve);
  });
}

async function sendUpdate(
  client: Client,
  input: Input,
  values: BulkValues & { readonly expected?: BulkValues },
): Promise<Result & { readonly previous: Embeds }> {
  const variables = { input: { ...targetOf(input), ...values, ...(values.expected && { undo: true }) } };
  const { data, error } = await client.mutation(UpdateEmbedsDocument, variables).toPromise();
  if (!data) return { ...failure(error), previous: [] };
  const { previous, pageInfo } = data.updateEmbeds;
  return { ...resultOf(previous.length, pageInfo), previous };
}

/** Returns the embeds of a call, or the error that prevents it. */
async function findEmbeds(client: Client, input: Input, rows: Embeds): Promise<Embeds | Result> {
  if ('ids' in input) return rows.filter(({ id }) => input.ids.includes(id));
  const variables = { first: MAX_PER_CALL, ...targetOf(input) };
  const { data, error } = await client.query(ExportEmbedsDocument, variables).toPromise();
  return data ? data.embeds.nodes : failure(error);
}

/** Returns a function that keeps the values of embeds before a change of these values, and of those that follow from them. */
function createKeeper(values: BulkValues, previous: ValuesBefore, lost: { made: string; before: ValuesBefore }) {
  const changed = withForcedValues(values as Settings);
  const names = Object.keys(changed) as (keyof BulkValues)[];
  const textOf = (embed: BulkValues) => JSON.stringify(Object.fromEntries(names.map((name) => [name, embed[name]])));
  const made = textOf(changed);
  // another change
  if (lost.made !== made) lost.before.clear();
  lost.made = made;
  return (embeds: Embeds, isLost: boolean) => {
    for (const embed of embeds) {
      const text = textOf(embed);
      // a repetition returns what the first call has set
      const before = (text === made && lost.before.get(embed.id)) || text;
      if (previous.size < MAX_KEPT) previous.set(embed.id, before);
      if (isLost) lost.before.set(embed.id, before);
      else lost.before.delete(embed.id);
    }
  };
}
