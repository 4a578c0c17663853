import type { CombinedError } from '@urql/core';
import { useState } from 'preact/hooks';
import {
  CreateEmbedDocument,
  DeleteEmbedDocument,
  type ListedEmbedFragment,
  UpdateEmbedDocument,
} from '../../generated/console-operations.ts';
import { type Drafts, NEW_EMBED } from '../editor/drafts.ts';
import { changesBetween, type Draft, titleOf } from '../list/embed-view-model.ts';
import type { Notify } from '../notices.tsx';
import { addressOfEmbed, goTo, LIST, NEW } from '../route.ts';
import { type ApiError, apiErrorOf } from './api-error.ts';
import type { ApiClient } from './client.ts';

/** A refusal comes at once, and is shown beside the field. What takes longer is on its way: the list shows it already. */
const PATIENCE_MS = 300;

interface Settled {
  readonly trouble: ApiError | null;
  readonly embed?: ListedEmbedFragment | undefined;
}

/** What changes embeds, each before the API has answered. */
export function useEmbedMutations({ client, once }: ApiClient, drafts: Drafts, notify: Notify) {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  async function whileBusy<T>(id: string, work: Promise<T>): Promise<T> {
    setBusy((ids) => new Set([...ids, id]));
    try {
      return await work;
    } finally {
      setBusy((ids) => new Set([...ids].filter((other) => other !== id)));
    }
  }

  /** @returns what is wrong, when that is known soon; else null, and the list is shown */
  async function save(key: string, draft: Draft, work: Promise<Settled>, done: string): Promise<ApiError | null> {
    const early = await Promise.race([work, later(PATIENCE_MS)]);
    if (early?.trouble) return early.trouble;
    drafts.delete(key);
    goTo(LIST);
    void work.then(({ trouble, embed }) => {
      if (!trouble) return notify({ text: done, snippet: embed?.html });
      const isSignedOut = trouble.code === 'UNAUTHENTICATED';
      drafts.set(key, { draft, trouble: isSignedOut ? null : trouble });
      goTo(key === NEW_EMBED ? NEW : addressOfEmbed(key));
    });
    return null;
  }

  return {
    busy,
    create(input: Draft): Promise<ApiError | null> {
      const work = client.mutation(CreateEmbedDocument, { input }, once(keyOf(input))).toPromise();
      const settled = work.then(({ data, error }) => {
        if (!error) keys.delete(JSON.stringify(input));
        return { ...settledOf(error), embed: data?.createEmbed.embed };
      });
      return save(NEW_EMBED, input, settled, 'Embed created.');
    },
    update({ id, ...embed }: ListedEmbedFragment, draft: Draft): Promise<ApiError | null> {
      const input = { id, ...changesBetween(embed, draft) };
      const work = client.mutation(UpdateEmbedDocument, { input }).toPromise();
      return save(
        id,
        draft,
        whileBusy(
          id,
          work.then(({ error }) => settledOf(error)),
        ),
        'Changes saved.',
      );
    },
    async remove(embed: ListedEmbedFragment): Promise<void> {
      const { error } = await client.mutation(DeleteEmbedDocument, { input: { id: embed.id } }).toPromise();
      const title = titleOf(embed);
      if (!error) notify({ text: `“${title}” was deleted.` });
      else notify({ text: `“${title}” was not deleted. ${apiErrorOf(error).message}`, isError: true });
    },
  };
}

export type EmbedMutations = ReturnType<typeof useEmbedMutations>;

/** Of drafts that were sent and may not have arrived. */
const keys = new Map<string, string>();

/** Who sends a draft again because the answer was lost gets the embed that was made the first time. */
function keyOf(draft: Draft): string {
  const text = JSON.stringify(draft);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = keys.get(text) ?? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  keys.set(text, key);
  return key;
}

function settledOf(error: CombinedError | undefined): Settled {
  return { trouble: error ? apiErrorOf(error) : null };
}

function later(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null));
}
