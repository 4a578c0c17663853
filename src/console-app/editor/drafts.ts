import type { ApiError } from '../api/api-error.ts';
import type { Draft } from '../list/embed-view-model.ts';

/** What was typed and not saved, and what the API said of it. */
export interface Typed {
  readonly draft: Draft;
  readonly trouble: ApiError | null;
}

/** By what is being edited: the id of an embed, or {@link NEW_EMBED}. It lasts as long as the page. */
export type Drafts = Map<string, Typed>;

export const NEW_EMBED = 'new';

export function createDrafts(): Drafts {
  return new Map();
}
