import { createHash } from 'node:crypto';
import { CHANGE_CURSOR, type EmbedChange } from '../../domain/embed-change.ts';

/** A place among the changes of one account. */
export interface FeedPosition {
  /** Random. If two positions have one number and different marks, other changes lead to them. */
  readonly mark: string;
  /** Counts the changes before this position. */
  readonly number: number;
}

export interface FeedChange extends EmbedChange, FeedPosition {
  readonly at: Date;
}

/** Returns the id of a change for clients. They send the last one to continue after it. */
export function eventIdOf({ mark, number }: FeedPosition): string {
  return `${mark}-${number}`;
}

/** Returns null if the text is no such id. */
export function parseEventId(id: string): FeedPosition | null {
  const [, mark, number] = CHANGE_CURSOR.exec(id) ?? [];
  return mark === undefined ? null : { mark, number: Number(number) };
}

/** Returns the mark of an account before its first recorded change, as the trigger of PostgreSQL does. */
export function firstMarkOf(accountId: string): string {
  return createHash('md5').update(accountId).digest('hex').slice(0, 16);
}
