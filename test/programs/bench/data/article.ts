import type { Article } from '../../../../packages/reader/src/article.ts';

const PARAGRAPH =
  'Plan the meals of a week in one sitting: what is in season, what is left in the larder, and who eats when. ' +
  'The list for the shop writes itself, and on a bad day there is always a plan that somebody made on a good one.';
const PARAGRAPHS = 40;

/** An article of ordinary length. */
export const ARTICLE: Article = {
  title: 'Meal Planner',
  headTitle: 'Meal Planner',
  site: 'example.com',
  icon: null,
  language: 'en',
  direction: 'ltr',
  byline: null,
  publishedAt: null,
  description: 'Plan the meals of a week in one sitting.',
  image: null,
  hero: null,
  isPaywalled: false,
  content: Array.from({ length: PARAGRAPHS }, (_, i) => `<h2>Week ${i + 1}</h2><p>${PARAGRAPH}</p>`).join(''),
};
