import { refuseFaults } from '../../errors.ts';

const BUDGET = {
  /** The embeds and tokens that all lists and aliases of a request ask for, whether or not they exist. */
  nodes: { max: 500, message: 'must not ask for more than 500 embeds and tokens in one request' },
  /** Each filtered list may scan thousands of embeds to find a few. */
  filteredLists: { max: 5, message: 'must not be on more than 5 lists in one request' },
  /** The stored pages that are read, and each form that is made of their articles. */
  articleBytes: {
    max: 16_000_000,
    message:
      'must not take more than 16 MB in one request: select fewer embeds, or fewer of `html`, `markdown`, `text` and `part`',
  },
  /** Each embed may have views on 100 sites on each day: all embeds of a page for a month, or 10 for a year. */
  days: {
    max: 4_000,
    message: 'must not ask for views of more than 4000 days in one request, of all embeds together',
  },
};

export class RequestBudget {
  /** The time for which the request has waited for the provider of fonts. */
  waitedForFontsMs = 0;
  readonly #spent = { nodes: 0, filteredLists: 0, articleBytes: 0, days: 0 };

  /** @param path the parameter that asks for it */
  spend(resource: keyof typeof BUDGET, path: string, count: number): void {
    const { max, message } = BUDGET[resource];
    this.#spent[resource] += count;
    if (this.#spent[resource] > max) throw refuseFaults([{ path, message }]);
  }
}
