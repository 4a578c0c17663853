import { randomBytes } from 'node:crypto';
import type { EmbedChange } from '../../domain/embed/embed.ts';

/** A place among the changes of one account. Numbers have no gaps within an epoch. */
export interface FeedPosition {
  readonly epoch: string;
  readonly number: number;
}

export interface FeedChange extends EmbedChange, FeedPosition {}

/** Returns the id of a change for clients. They send the last one to continue after it. */
export function eventIdOf({ epoch, number }: FeedPosition): string {
  return `${epoch}-${number}`;
}

/** Returns null if the text is no such id. */
export function parseEventId(id: string): FeedPosition | null {
  const [, epoch, number] = /^([0-9a-f]{16})-(\d{1,15})$/.exec(id) ?? [];
  return epoch === undefined ? null : { epoch, number: Number(number) };
}

/** Returns a new epoch: 16 hexadecimal digits. */
export function createEpoch(): string {
  return randomBytes(8).toString('hex');
}
