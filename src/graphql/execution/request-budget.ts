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

export class RequestBudget {
  #nodes = 0;
  #filteredLists = 0;
  #articleBytes = 0;
  #days = 0;

  /** @param path the parameter that asks for the embeds or tokens */
  spendNodes(path: string, count: number): void {
    this.#nodes += count;
    if (this.#nodes <= MAX_NODES) return;
    const message = `must not ask for more than ${MAX_NODES} embeds and tokens in one request`;
    throw refuseFaults([{ path, message }]);
  }

  spendFilteredList(): void {
    this.#filteredLists += 1;
    if (this.#filteredLists <= MAX_FILTERED_LISTS) return;
    const message = `must not be on more than ${MAX_FILTERED_LISTS} lists in one request`;
    throw refuseFaults([{ path: 'filter', message }]);
  }

  spendArticle(bytes: number): void {
    this.#articleBytes += bytes;
    if (this.#articleBytes <= MAX_ARTICLE_MB * 1_000_000) return;
    const message = `must not take more than ${MAX_ARTICLE_MB} MB in one request: select fewer embeds, or fewer of \`html\`, \`markdown\`, \`text\` and \`part\``;
    throw refuseFaults([{ path: 'article', message }]);
  }

  /** @param path the parameter that asks for the days */
  spendDays(path: string, count: number): void {
    this.#days += count;
    if (this.#days <= MAX_DAYS) return;
    const message = `must not ask for views of more than ${MAX_DAYS} days in one request, of all embeds together`;
    throw refuseFaults([{ path, message }]);
  }
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
