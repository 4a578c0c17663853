import { PAGE_STATES } from '#reader/page-state';
import { ARTICLE_DESCRIPTIONS, PAGE_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { describeForRest } from './field-schemas.ts';
import {
  count,
  enumOf,
  instantOrNull,
  requiredObject,
  type Schema,
  schemaRef,
  text,
  textOrNull,
  urlOrNull,
} from './schema.ts';

const PAGE_FIELDS: Readonly<Record<string, Schema>> = {
  state: enumOf(PAGE_STATES),
  reason: textOrNull(describeForRest(PAGE_DESCRIPTIONS.reason)),
  title: textOrNull(PAGE_DESCRIPTIONS.title),
  site_name: textOrNull(PAGE_DESCRIPTIONS.siteName),
  url: urlOrNull(PAGE_DESCRIPTIONS.url),
  moved_to: urlOrNull(PAGE_DESCRIPTIONS.movedTo),
  fetched_at: instantOrNull(PAGE_DESCRIPTIONS.fetchedAt),
};

const ARTICLE_FIELDS: Readonly<Record<string, Schema>> = {
  html: text(ARTICLE_DESCRIPTIONS.html),
  markdown: text(ARTICLE_DESCRIPTIONS.markdown),
  text: text(ARTICLE_DESCRIPTIONS.text),
  headings: {
    type: 'array',
    description: ARTICLE_DESCRIPTIONS.headings,
    items: requiredObject({
      level: { type: 'integer', minimum: 1, maximum: 6, description: ARTICLE_DESCRIPTIONS.level },
      text: text(ARTICLE_DESCRIPTIONS.headingText),
      anchor: text(ARTICLE_DESCRIPTIONS.anchor),
    }),
  },
  byline: textOrNull(ARTICLE_DESCRIPTIONS.byline),
  published_at: instantOrNull(ARTICLE_DESCRIPTIONS.publishedAt),
  modified_at: instantOrNull(ARTICLE_DESCRIPTIONS.modifiedAt),
  language: textOrNull(ARTICLE_DESCRIPTIONS.language),
  word_count: count(ARTICLE_DESCRIPTIONS.wordCount),
  pictures: {
    type: 'array',
    description: ARTICLE_DESCRIPTIONS.pictures,
    items: requiredObject({
      url: { type: 'string', format: 'uri', description: ARTICLE_DESCRIPTIONS.pictureUrl },
      alt: text(ARTICLE_DESCRIPTIONS.alt),
      caption: textOrNull(ARTICLE_DESCRIPTIONS.caption),
      width: { type: ['integer', 'null'], description: ARTICLE_DESCRIPTIONS.width },
      height: { type: ['integer', 'null'], description: ARTICLE_DESCRIPTIONS.height },
    }),
  },
};

/** The schemas of source pages and their articles, by name. */
export const PAGE_SCHEMAS: Readonly<Record<string, Schema>> = {
  PageAnswer: requiredObject({ page: schemaRef('Page') }),
  Page: { ...requiredObject(PAGE_FIELDS), description: PAGE_DESCRIPTIONS.object },
  ArticleAnswer: requiredObject({ article: schemaRef('Article') }),
  Article: { ...requiredObject(ARTICLE_FIELDS), description: ARTICLE_DESCRIPTIONS.object },
};
