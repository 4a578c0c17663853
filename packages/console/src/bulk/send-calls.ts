import { type ApiError, apiErrorOf } from '../api/api-error.ts';
import type { ListArguments } from '../api/cache.ts';
import { sendWithRetries } from './run-batch.ts';

/** Embeds by their ids, or all that match a list. */
export type BulkTarget = { readonly ids: readonly string[] } | { readonly list: ListArguments; readonly total: number };

/** The bound of the API for one call. */
export const MAX_PER_CALL = 100;

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
export type Input = { readonly ids: readonly string[] } | (ListArguments & { readonly after: string | null });
export interface Result {
  readonly error: ApiError | null;
  readonly done: number;
  readonly next: string | null;
}

/**
 * Sends one call after the other: each returns the cursor of the next.
 * @param show shows what is new, and returns the whole change
 * @returns the ids that were not handled, if the target has ids
 */
export async function sendCalls(
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

export function callsOf(ids: readonly string[]): { readonly ids: readonly string[] }[] {
  const count = Math.ceil(ids.length / MAX_PER_CALL);
  return Array.from({ length: count }, (_, i) => ({ ids: ids.slice(i * MAX_PER_CALL, (i + 1) * MAX_PER_CALL) }));
}

/** Returns the fields of the API's input. A list without a filter has all embeds. */
export function targetOf(input: Input) {
  if ('ids' in input) return { ids: [...input.ids] };
  return { filter: input.filter ?? {}, ...(input.after !== null && { after: input.after }) };
}

export function resultOf(
  done: number,
  { endCursor, hasNextPage }: { endCursor: string | null; hasNextPage: boolean },
): Result {
  return { error: null, done, next: hasNextPage ? endCursor : null };
}

export function failure(error: Parameters<typeof apiErrorOf>[0] | undefined): Result {
  if (!error) throw new Error('the API returned neither data nor an error');
  return { error: apiErrorOf(error), done: 0, next: null };
}
