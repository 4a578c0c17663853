import { useState } from 'preact/hooks';
import {
  type BaseEmbed,
  baseOf,
  changesBetween,
  type Draft,
  type Drafts,
  type EditedDraft,
  NEW_EMBED,
  rebase,
} from '../editor/draft.ts';
import {
  CreateEmbedDocument,
  type ListedEmbedFragment,
  OneEmbedDocument,
  type PageState,
  RefreshPageDocument,
  UpdateEmbedDocument,
} from '../generated/operations.ts';
import { titleOf } from '../list/embed-view-model.ts';
import type { Notice, Notify } from '../notices.tsx';
import { goTo, hrefOfCreated, hrefOfEmbed, hrefOfLastList, NEW, openView, replaceRoute } from '../route.ts';
import { inputOf } from '../settings/own-settings.ts';
import { type ApiError, apiErrorOf } from './api-error.ts';
import type { ApiClient } from './client.ts';

/** Within this time, errors are shown in the open form. A slower save continues in the list, which shows it already. */
const WAIT_IN_FORM_MS = 300;
/** A create waits longer, because its next step needs the id of the embed. */
const CREATE_WAIT_IN_FORM_MS = 2_000;

const CHANGED_ELSEWHERE = 'This embed was changed elsewhere: review it, then save again to apply your edits.';

/** The reason why an embed was not saved. */
export interface SaveFailure {
  readonly apiError: ApiError;
  /** After a conflict: the embed as it is now. */
  readonly current?: BaseEmbed;
}

/** A create returns the new embed. */
export type SaveResult = SaveFailure | { readonly apiError: null; readonly createdId?: string | undefined };

/** Returns functions that change embeds. The cache shows each change before the API responds. */
export function useEmbedMutations({ client, withIdempotencyKey }: ApiClient, drafts: Drafts, notify: Notify) {
  const [pendingIds, setPendingIds] = useState<ReadonlySet<string>>(new Set());

  async function whilePending<T>(id: string, request: Promise<T>): Promise<T> {
    setPendingIds((ids) => new Set([...ids, id]));
    try {
      return await request;
    } finally {
      setPendingIds((ids) => new Set([...ids].filter((other) => other !== id)));
    }
  }

  /**
   * Returns the failure if the API responds soon. Otherwise shows the list and returns null; a failure that comes later
   * opens the form again. If the user leaves the form first, the view that the user has chosen stays.
   */
  async function save(
    key: string,
    edited: EditedDraft,
    request: Promise<SaveResult>,
    notice: string,
  ): Promise<SaveFailure | null> {
    const form = location.hash;
    const waitMs = key === NEW_EMBED ? CREATE_WAIT_IN_FORM_MS : WAIT_IN_FORM_MS;
    const first = await Promise.race([request, wait(waitMs)]);
    const isInForm = location.hash === form;
    const early = isInForm ? first : null;
    if (early?.apiError) return early;
    drafts.delete(key);
    if (early?.createdId !== undefined) {
      // Back leads to the list, and not to the empty form
      replaceRoute(hrefOfCreated(early.createdId));
      notify({ text: notice });
      return null;
    }
    // else a failure would come to the form that is still open, and that does not read it
    if (isInForm) await openView(hrefOfLastList());
    void request.then((result) => {
      if (!result.apiError) {
        const { createdId } = result;
        const share = createdId && { label: 'Share', run: () => goTo(hrefOfCreated(createdId)) };
        return notify({ text: notice, ...(share && { action: share }) });
      }
      const { apiError, current = edited.base } = result;
      const isSignedOut = apiError.code === 'UNAUTHENTICATED';
      drafts.set(key, { draft: rebase(edited, current), base: current, apiError: isSignedOut ? null : apiError });
      goTo(key === NEW_EMBED ? NEW : hrefOfEmbed(key));
    });
    return null;
  }

  async function sendCreate(draft: Draft): Promise<SaveResult> {
    const context = withIdempotencyKey(idempotencyKeyOf(draft));
    const input = inputOf(draft);
    const { data, error } = await client.mutation(CreateEmbedDocument, { input }, context).toPromise();
    if (error) return { apiError: apiErrorOf(error) };
    idempotencyKeys.delete(JSON.stringify(draft));
    return { apiError: null, createdId: data?.createEmbed.embed.id };
  }

  async function sendUpdate(id: string, { base, draft }: EditedDraft): Promise<SaveResult> {
    const input = { id, expectedVersion: base.version, ...inputOf(changesBetween(base, draft)) };
    const { error } = await client.mutation(UpdateEmbedDocument, { input }).toPromise();
    if (!error) return { apiError: null };
    const apiError = apiErrorOf(error);
    return apiError.code === 'CONFLICT' ? loadAfterConflict(id, { base, draft }, apiError) : { apiError };
  }

  async function loadAfterConflict(
    id: string,
    edits: Pick<EditedDraft, 'base' | 'draft'>,
    conflict: ApiError,
  ): Promise<SaveResult> {
    const { data, error } = await client.query(OneEmbedDocument, { id }, { requestPolicy: 'network-only' }).toPromise();
    const current = data?.embed && baseOf(data.embed);
    if (error || !current) return { apiError: error ? apiErrorOf(error) : conflict };
    // nothing is left to change, for example because the response to the same update was lost
    if (Object.keys(changesBetween(current, rebase(edits, current))).length === 0) return { apiError: null };
    return { apiError: { ...conflict, message: CHANGED_ELSEWHERE }, current };
  }

  return {
    pendingIds,
    create(edited: EditedDraft): Promise<SaveFailure | null> {
      return save(NEW_EMBED, edited, sendCreate(edited.draft), 'Embed created.');
    },
    update(id: string, edited: EditedDraft): Promise<SaveFailure | null> {
      return save(id, edited, whilePending(id, sendUpdate(id, edited)), 'Changes saved.');
    },
    async refresh(embed: ListedEmbedFragment): Promise<void> {
      const input = { embedId: embed.id };
      const { data, error } = await client.mutation(RefreshPageDocument, { input }).toPromise();
      const title = titleOf(embed);
      if (error) notify({ text: `“${title}” was not refreshed. ${apiErrorOf(error).message}`, isError: true });
      else if (data) notify(refreshNoticeOf(title, data.refreshPage.embed.page));
    },
  };
}

export type EmbedMutations = ReturnType<typeof useEmbedMutations>;

function refreshNoticeOf(title: string, page: { readonly state: PageState; readonly reason: string | null }): Notice {
  const { state, reason } = page;
  if (state === 'PENDING') return { text: `“${title}” is still loading.` };
  if (state !== 'SHOWN') return { text: `“${title}” shows a card. ${reason ?? ''}`, isError: true };
  if (reason === null) return { text: `“${title}” is up to date.` };
  return { text: `“${title}” was not refreshed. ${reason}`, isError: true };
}

/** Idempotency keys of creates without a response, by draft: sending the draft again creates no second embed. */
const idempotencyKeys = new Map<string, string>();

function idempotencyKeyOf(draft: Draft): string {
  const text = JSON.stringify(draft);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = idempotencyKeys.get(text) ?? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  idempotencyKeys.set(text, key);
  return key;
}

function wait(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null));
}
