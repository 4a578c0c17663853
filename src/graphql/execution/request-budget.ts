import type { GraphQLResolveInfo } from 'graphql';
import { refuseFaults } from '../../errors.ts';
import { fieldsIn, responseKeyOf } from './selections.ts';

/** Counts the embeds that all lists and aliases of a request ask for, whether or not they exist. */
const MAX_EMBEDS = 500;
/** Each filtered list may scan thousands of embeds to find a few. */
const MAX_FILTERED_LISTS = 5;

export interface RequestBudget {
  /** @param path the parameter that asks for the embeds */
  spendEmbeds(path: string, count: number): void;
  spendFilteredList(): void;
}

export function createRequestBudget(): RequestBudget {
  let embeds = 0;
  let filteredLists = 0;
  return {
    spendEmbeds(path, count) {
      embeds += count;
      if (embeds <= MAX_EMBEDS) return;
      throw refuseFaults([{ path, message: `must not ask for more than ${MAX_EMBEDS} embeds in one request` }]);
    },
    spendFilteredList() {
      filteredLists += 1;
      if (filteredLists <= MAX_FILTERED_LISTS) return;
      const message = `must not be on more than ${MAX_FILTERED_LISTS} lists in one request`;
      throw refuseFaults([{ path: 'filter', message }]);
    },
  };
}

/** Counts the lists that a connection returns: `nodes`, `edges` and each alias of them is one. */
export function countLists({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const fields = fieldsIn(
    fieldNodes.map(({ selectionSet }) => selectionSet),
    fragments,
  );
  const lists = fields.filter(({ name }) => name.value === 'nodes' || name.value === 'edges');
  return Math.max(1, new Set(lists.map(responseKeyOf)).size);
}
