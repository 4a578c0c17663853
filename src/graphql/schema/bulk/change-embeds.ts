import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PageInfoShape } from '@pothos/plugin-relay';
import type { GraphQLResolveInfo } from 'graphql';
import { type BulkTarget, hasValues, parseBulkDelete, parseBulkUpdate } from '../../../domain/embed/bulk.ts';
import { applyPatch, type Embed } from '../../../domain/embed/embed.ts';
import { changesBetween, fieldChangesOf } from '../../../domain/embed/field-changes.ts';
import { movedSource } from '../../../domain/embed/input.ts';
import { MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import type { Scope } from '../../../domain/identity/token.ts';
import { Refusal } from '../../../errors.ts';
import { type Context, recordChange } from '../../execution/context.ts';
import { builder, mutationOf } from '../builder.ts';
import { EmbedType } from '../embed.ts';
import { EmbedFilterType } from '../embeds.ts';
import { bulkFields, type InputFieldBuilder, type ObjectFieldBuilder } from '../fields.ts';
import { findPageInfo } from '../page-info.ts';

const SCOPES: readonly Scope[] = ['read', 'write'];

/** Embeds that are changed in one turn of the event loop. */
const CHANGED_TOGETHER = 10;

interface Targets {
  readonly embeds: readonly Embed[];
  readonly pageInfo: PageInfoShape;
}

const PAGES = `One call handles at most ${MAX_PAGE_SIZE} embeds: continue with \`after\` while \`pageInfo.hasNextPage\` is true. Needs the scopes \`read\` and \`write\`. All calls of one change are one audit event.`;

const targetFields = (t: InputFieldBuilder) => ({
  ids: t.idList({
    required: false,
    description: `The ids of 1 to ${MAX_PAGE_SIZE} embeds. Unknown ones are skipped; a text that is no id is an error.`,
  }),
  filter: t.field({
    type: EmbedFilterType,
    required: false,
    description: 'The filter that the embeds match, in place of ids. `{}` matches all embeds of the account.',
  }),
  after: t.string({
    required: false,
    description: 'The `endCursor` of the call before this one, with the same filter.',
  }),
});

const pageInfoField = (t: ObjectFieldBuilder<Pick<Targets, 'pageInfo'>>) =>
  t.expose('pageInfo', {
    type: builder.pageInfoRef(),
    description: 'The position of the call in the list of matching embeds.',
  });

const ExpectedValuesType = builder.inputType('ExpectedEmbedValues', {
  description:
    'Values that embeds must have to be changed: setting them would change nothing. Of `pageUrl`, the fragment is ignored.',
  fields: bulkFields,
});

builder.relayMutationField(
  'updateEmbeds',
  {
    description:
      'The embeds to change, and their new values. Omitted fields keep their values. With another `pageUrl`, each embed keeps its own fragment, such as the one of a part of the page. The fragment of `pageUrl` is ignored.',
    inputFields: (t) => ({
      ...targetFields(t),
      ...bulkFields(t),
      expected: t.field({
        type: ExpectedValuesType,
        required: false,
        description:
          'Only embeds with these values are changed. They are returned, and those that have the new values already: so a repetition returns the same embeds. An undo that expects what the change has set keeps what others have set since.',
      }),
      undo: t.boolean({
        description:
          'The call belongs to an undo. Calls for the same fields, each within a minute of the one before, are then one audit event, also with different values.',
      }),
    }),
  },
  {
    description: `Changes fields of the embeds with these ids, or of those that match a filter, newest first. ${PAGES}`,
    ...mutationOf({ scopes: SCOPES, parse: parseBulkUpdate }, async (update, context, info) => {
      const { pageUrl, settings, expected, isUndo, ...target } = update;
      const { accountId } = context.identity;
      const { embeds, pageInfo } = await findTargets(target, accountId, context, info);
      function change(embed: Embed): Embed {
        if (!hasValues(embed, expected)) return embed;
        const source = pageUrl === undefined ? undefined : movedSource(pageUrl, embed);
        return applyPatch(embed, { settings, source });
      }
      // a URL that is too long for one of the embeds changes none
      for (const embed of embeds) change(embed);
      const { results, failure } = await forEach(embeds, ({ id }) => context.embeds.update(accountId, id, change));
      const values = { ...(pageUrl !== undefined && { pageUrl }), ...settings };
      const updates = results.filter(({ embed, before }) => hasValues(before, expected) || hasValues(embed, values));
      const changed = updates.filter(({ embed, before }) => fieldChangesOf(before, embed).length > 0);
      if (changed.length > 0) {
        const changes = changesBetween(null, values);
        const embedIds = changed.map(({ embed }) => embed.id);
        const { filterText: filter } = target;
        recordChange(context, { event: 'embeds.updated', embedIds, filter, changes, isUndo });
      }
      if (failure !== undefined) throw failure;
      return { updates, pageInfo };
    }),
  },
  {
    description: 'The embeds of the call.',
    outputFields: (t) => ({
      embeds: t.field({
        type: [EmbedType],
        description: 'The embeds as they are now.',
        resolve: ({ updates }) => updates.map(({ embed }) => embed),
      }),
      previous: t.field({
        type: [EmbedType],
        description: 'The same embeds as they were before, in the same order.',
        resolve: ({ updates }) => updates.map(({ before }) => before),
      }),
      pageInfo: pageInfoField(t),
    }),
  },
);

builder.relayMutationField(
  'deleteEmbeds',
  { description: 'The embeds to delete.', inputFields: targetFields },
  {
    description: `Deletes the embeds with these ids, or those that match a filter, newest first, permanently. ${PAGES}`,
    ...mutationOf({ scopes: SCOPES, parse: parseBulkDelete }, async (target, context, info) => {
      const { accountId } = context.identity;
      const { embeds, pageInfo } = await findTargets(target, accountId, context, info);
      const { results: embedIds, failure } = await forEach(embeds, ({ id }) =>
        context.embeds.delete(accountId, id).then(() => id),
      );
      if (embedIds.length > 0) recordChange(context, { event: 'embeds.deleted', embedIds, filter: target.filterText });
      if (failure !== undefined) throw failure;
      return { embedIds, pageInfo };
    }),
  },
  {
    description: 'The confirmation of the deletions.',
    outputFields: (t) => ({
      deletedEmbedIds: t.exposeIDList('embedIds', { description: 'The ids of the deleted embeds.' }),
      pageInfo: pageInfoField(t),
    }),
  },
);

async function findTargets(
  { ids, listing }: BulkTarget,
  accountId: string,
  { budget, embeds, createList }: Context,
  info: GraphQLResolveInfo,
): Promise<Targets> {
  budget.spend('nodes', 'ids', ids?.length ?? MAX_PAGE_SIZE);
  if (ids) {
    const found = await Promise.all([...new Set(ids)].map(async (id) => embeds.find(accountId, id)));
    const pageInfo = { startCursor: null, endCursor: null, hasNextPage: false, hasPreviousPage: false };
    return { embeds: found.filter((embed) => embed !== null), pageInfo };
  }
  if (listing.filter) budget.spend('filteredLists', 'filter', 1);
  const list = createList(accountId, listing.filter);
  const page = await list.findPage(listing.paging);
  return { embeds: page.embeds, pageInfo: await findPageInfo(page, listing, { list, info }) };
}

interface Outcome<T> {
  /** Those of the embeds that were there and could be changed. */
  readonly results: readonly T[];
  /** The first failure. A repetition of the call makes the rest of the changes. */
  readonly failure: unknown;
}

async function forEach<T>(embeds: readonly Embed[], change: (embed: Embed) => Promise<T>): Promise<Outcome<T>> {
  const settled: PromiseSettledResult<T>[] = [];
  for (let i = 0; i < embeds.length; i += CHANGED_TOGETHER) {
    settled.push(...(await Promise.allSettled(embeds.slice(i, i + CHANGED_TOGETHER).map(change))));
    // SQLite's statements give no turn to other requests
    await nextTurn();
  }
  const reasons: unknown[] = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  return {
    results: settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    failure: reasons.find((reason) => !(reason instanceof Refusal && reason.code === 'not_found')),
  };
}
