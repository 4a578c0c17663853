import type { Filter } from '../../domain/embed/listing.ts';
import type { EmbedCount } from '../../store/embeds/filtered-list.ts';
import type { Context } from '../execution/context.ts';

/** How many embeds a list is of in all: counted when it is asked for, and once. */
export function totalOf(accountId: string, filter: Filter | null, { embeds }: Context): () => Promise<EmbedCount> {
  let counted: Promise<EmbedCount> | undefined;
  const count = async () =>
    filter ? embeds.countMatching(accountId, filter) : { count: await embeds.count(accountId), isExact: true };
  return () => {
    counted ??= count();
    return counted;
  };
}
