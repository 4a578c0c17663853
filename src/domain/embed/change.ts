/** What can happen to an embed. */
export const EMBED_CHANGE_KINDS = ['CREATED', 'UPDATED', 'DELETED'] as const;

/** Something that happened to an embed, and will not be undone. */
export interface EmbedChange {
  readonly kind: (typeof EMBED_CHANGE_KINDS)[number];
  readonly accountId: string;
  readonly embedId: string;
}
