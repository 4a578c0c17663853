import type { GraphQLResolveInfo } from 'graphql';
import { refuseFaults } from '../../errors.ts';
import { fieldsIn, responseKeyOf } from './selections.ts';

/** Counts the embeds and tokens that all lists and aliases of a request ask for, whether or not they exist. */
const MAX_NODES = 500;
/** Counts the stored pages that are read, and each form that is made of their articles. */
const MAX_ARTICLE_MB = 16;
/** Each filtered list may scan thousands of embeds to find a few. */
const MAX_FILTERED_LISTS = 5;
/** Each embed may have views on 100 sites on each day: all embeds of a page for a month, or 10 for a year. */
const MAX_DAYS = 4_000;

export interface RequestBudget {
  /** @param path the parameter that asks for the embeds or tokens */
  spendNodes(path: string, count: number): void;
  spendFilteredList(): void;
  spendArticle(bytes: number): void;
  /** @param path the parameter that asks for the days */
  spendDays(path: string, count: number): void;
}

export function createRequestBudget(): RequestBudget {
  let nodes = 0;
  let filteredLists = 0;
  let articleBytes = 0;
  let days = 0;
  return {
    spendNodes(path, count) {
      nodes += count;
      if (nodes <= MAX_NODES) return;
      throw refuseFaults([
        { path, message: `must not ask for more than ${MAX_NODES} embeds and tokens in one request` },
      ]);
    },
    spendFilteredList() {
      filteredLists += 1;
      if (filteredLists <= MAX_FILTERED_LISTS) return;
      const message = `must not be on more than ${MAX_FILTERED_LISTS} lists in one request`;
      throw refuseFaults([{ path: 'filter', message }]);
    },
    spendArticle(bytes) {
      articleBytes += bytes;
      if (articleBytes <= MAX_ARTICLE_MB * 1_000_000) return;
      const message = `must not take more than ${MAX_ARTICLE_MB} MB in one request: select fewer embeds, or fewer of \`html\`, \`markdown\`, \`text\` and \`part\``;
      throw refuseFaults([{ path: 'article', message }]);
    },
    spendDays(path, count) {
      days += count;
      if (days <= MAX_DAYS) return;
      const message = `must not ask for views of more than ${MAX_DAYS} days in one request, of all embeds together`;
      throw refuseFaults([{ path, message }]);
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
