import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows that one statement changes: on SQLite it delays all other writes. */
export const MAX_CHANGED = 500;

/**
 * Repeats a change of some rows until it finds fewer than {@link MAX_CHANGED}. Requests run between the changes.
 * @param changeSome returns the number of rows that it found, none of which it finds again
 */
export async function changeAll(changeSome: () => PromiseLike<number>): Promise<void> {
  for (let found = MAX_CHANGED; found >= MAX_CHANGED; ) {
    found = await changeSome();
    await nextTurn();
  }
}
