import { cursorParameters } from './identity/cursor-paging.ts';
import { textCheck } from './input/parameters.ts';

/** The kinds of changes, with descriptions. */
export const CHANGE_KINDS = {
  CREATED: 'The embed was created.',
  UPDATED: 'The embed was updated.',
  DELETED: 'The embed was deleted.',
} as const;

export interface EmbedChange {
  readonly kind: keyof typeof CHANGE_KINDS;
  readonly accountId: string;
  readonly embedId: string;
}

/** The id of a change in streams, and its cursor in lists: a random mark and a number. */
export const CHANGE_CURSOR = /^([0-9a-f]{16})-(\d{1,15})$/;

export const CHANGE_LIST_PARAMETERS = cursorParameters(
  textCheck((text) => CHANGE_CURSOR.test(text), 'must be the cursor of a change'),
);
