import { randomBytes } from 'node:crypto';
import type { EmbedChange } from '../../domain/embed/embed.ts';

/** A place among the changes of one account. */
export interface FeedPosition {
  /** Random. If two positions have one number and different marks, other changes lead to them. */
  readonly mark: string;
  /** Counts the changes before this position. */
  readonly number: number;
}

export interface FeedChange extends EmbedChange, FeedPosition {}

/** Returns the id of a change for clients. They send the last one to continue after it. */
export function eventIdOf({ mark, number }: FeedPosition): string {
  return `${mark}-${number}`;
}

/** Returns null if the text is no such id. */
export function parseEventId(id: string): FeedPosition | null {
  const [, mark, number] = /^([0-9a-f]{16})-(\d{1,15})$/.exec(id) ?? [];
  return mark === undefined ? null : { mark, number: Number(number) };
}

/** Returns a new mark: 16 hexadecimal digits. */
export function createMark(): string {
  return randomBytes(8).toString('hex');
}
