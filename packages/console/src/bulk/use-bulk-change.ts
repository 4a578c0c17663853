import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, apiErrorOf } from '../api/api-error.ts';
import type { ListArguments } from '../api/cache.ts';
import type { ApiClient } from '../api/client.ts';
import type { Settings } from '../editor/draft.ts';
import {
  DeleteEmbedsDocument,
  type EmbedContentFragment,
  ExportEmbedsDocument,
  UpdateEmbedsDocument,
} from '../generated/operations.ts';
import { sendWithRetries } from './run-batch.ts';

/** Embeds by their ids, or all that match a list. */
export type BulkTarget = { readonly ids: readonly string[] } | { readonly list: ListArguments; readonly total: number };

/** The values that several embeds get at once. */
export type BulkValues = Partial<Settings> & { readonly pageUrl?: string };

/** The bound of the API for one call. */
export const MAX_PER_CALL = 100;

/** More changes could not be undone, and more rows not be exported, without filling the memory of the tab. */
const MAX_KEPT = 100_000;
const TOO_MANY_ROWS = 'At most 100,000 embeds can be exported here. Filter the list, or run embed-gateway export.';

/** The time for which the deletion of all matching embeds can be stopped before it begins. */
const UNDO_MS = 10_000;

/** A change of several embeds that waits, runs or has ended. */
export interface BulkChange {
  readonly kind: 'change' | 'deletion' | 'export' | 'undo';
  readonly total: number;
  readonly done: number;
  /** Why the change ended early. */
  readonly error: string | null;
  readonly pausedForS: number | null;
  readonly phase: 'waiting' | 'running' | 'ended';
  /** Reverts the change. */
  readonly undo?: (() => void) | undefined;
}

/** The variables of one call, and what the call says about the next one. */
type Input = { readonly ids: readonly string[] } | (ListArguments & { readonly after: string | null });
interface Result {
  readonly error: ApiError | null;
  readonly done: number;
  readonly next: string | null;
}

/**
 * Changes, deletes and exports many embeds with one call after the other: each returns the cursor of the next.
 * @param onEnded called after each change, which the cache of lists does not see
 */
export function useBulkChange({ uncachedClient }: ApiClient, onEnded: () => void) {
  const [change, setChange] = useState<BulkChange | null>(null);
  const controller = useRef(new AbortController());
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

  async function update(
    kind: 'change' | 'undo',
    target: BulkTarget,
    values: BulkValues,
    previous: [id: string, values: string][],
    counted?: { readonly done: number; readonly total: number },
    expected?: BulkValues,
  ): Promise<readonly string[]> {
    const names = Object.keys(values) as (keyof BulkValues)[];
    const send = async (input: Input) => {
      const variables = { input: { ...targetOf(input), ...values, ...(expected && { expected, undo: true }) } };
      const { data, error } = await uncachedClient.mutation(UpdateEmbedsDocument, variables).toPromise();
      if (!data) return failure(error);
      for (const embed of data.updateEmbeds.previous) {
        const before = JSON.stringify(Object.fromEntries(names.map((name) => [name, embed[name]])));
        if (previous.length < MAX_KEPT) previous.push([embed.id, before]);
      }
      return resultOf(data.updateEmbeds.previous.length, data.updateEmbeds.pageInfo);
    };
    return run(kind, target, send, counted);
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
    const total = previous.length;
    const restored: [string, string][] = [];
    let waiting = previous;
    for (const [before, entries] of Map.groupBy(previous, ([, each]) => each)) {
      const ids = entries.map(([id]) => id);
      const counted = { done: restored.length, total };
      const rest = new Set(await update('undo', { ids }, JSON.parse(before), restored, counted, made));
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
    /** @returns the ids that were not changed, if the target has ids */
    async apply(target: BulkTarget, values: BulkValues): Promise<readonly string[]> {
      begin();
      const previous: [string, string][] = [];
      const rest = await update('change', target, values, previous);
      offerUndo(previous, values);
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

/**
 * @param show shows what is new, and returns the whole change
 * @returns the ids that were not handled, if the target has ids
 */
async function sendCalls(
  target: BulkTarget,
  send: (input: Input) => Promise<Result>,
  show: (news: Partial<BulkChange>) => BulkChange,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let { done, total } = show({});
  const waiting: Input[] = 'ids' in target ? callsOf(target.ids) : [{ ...target.list, after: null }];
  for (let input = waiting[0]; input && !signal.aborted; input = waiting[0]) {
    let result: Result = { error: null, done: 0, next: null };
    const sendInput = async () => {
      result = await send(input);
      return result.error;
    };
    const error = await sendWithRetries(sendInput, { signal, onPause: (pausedForS) => show({ pausedForS }) });
    if (error) {
      show({ error: error.message });
      break;
    }
    waiting.shift();
    if (result.next !== null && !('ids' in input)) waiting.push({ ...input, after: result.next });
    done += result.done;
    total = Math.max(total, done);
    show({ done, total });
  }
  show({ phase: 'ended', pausedForS: null });
  return waiting.flatMap((input) => ('ids' in input ? input.ids : []));
}

function waitForUndo(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, UNDO_MS);
    signal.addEventListener('abort', resolve);
  });
}

export function callsOf(ids: readonly string[]): { readonly ids: readonly string[] }[] {
  const count = Math.ceil(ids.length / MAX_PER_CALL);
  return Array.from({ length: count }, (_, i) => ({ ids: ids.slice(i * MAX_PER_CALL, (i + 1) * MAX_PER_CALL) }));
}

/** Returns the fields of the API's input. A list without a filter has all embeds. */
function targetOf(input: Input) {
  if ('ids' in input) return { ids: [...input.ids] };
  return { filter: input.filter ?? {}, ...(input.after !== null && { after: input.after }) };
}

function resultOf(
  done: number,
  { endCursor, hasNextPage }: { endCursor: string | null; hasNextPage: boolean },
): Result {
  return { error: null, done, next: hasNextPage ? endCursor : null };
}

function failure(error: Parameters<typeof apiErrorOf>[0] | undefined): Result {
  if (!error) throw new Error('the API returned neither data nor an error');
  return { error: apiErrorOf(error), done: 0, next: null };
}
