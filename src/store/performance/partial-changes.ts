import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows that one statement changes: on SQLite it delays all other writes. */
export const MAX_CHANGED = 500;

/**
 * Repeats a change of some rows until it changes fewer than {@link MAX_CHANGED}. Requests run between the changes.
 * @param changeSome returns the number of changed rows, none of which it finds again
 */
export async function changeAll(changeSome: () => PromiseLike<number>): Promise<void> {
  for (let changed = MAX_CHANGED; changed >= MAX_CHANGED; ) {
    changed = await changeSome();
    await nextTurn();
  }
}
