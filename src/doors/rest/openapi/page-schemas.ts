import { PAGE_STATES } from '#reader/page-state';
import { ARTICLE_DESCRIPTIONS, PAGE_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { describeObject, describeProperties } from './field-schemas.ts';
import {
  COUNT,
  enumOf,
  INSTANT_OR_NULL,
  requiredObject,
  type Schema,
  schemaRef,
  TEXT,
  TEXT_OR_NULL,
  URL_OR_NULL,
} from './schema.ts';

const PIXELS: Schema = { type: ['integer', 'null'] };

const PAGE: Readonly<Record<string, Schema>> = {
  state: enumOf(PAGE_STATES),
  reason: TEXT_OR_NULL,
  title: TEXT_OR_NULL,
  siteName: TEXT_OR_NULL,
  url: URL_OR_NULL,
  movedTo: URL_OR_NULL,
  fetchedAt: INSTANT_OR_NULL,
};

const HEADING: Readonly<Record<string, Schema>> = {
  level: { type: 'integer', minimum: 2, maximum: 6 },
  text: { ...TEXT, description: ARTICLE_DESCRIPTIONS.headingText },
  anchor: TEXT,
};

const PICTURE: Readonly<Record<string, Schema>> = {
  url: { type: 'string', format: 'uri', description: ARTICLE_DESCRIPTIONS.pictureUrl },
  alt: TEXT,
  caption: TEXT_OR_NULL,
  width: PIXELS,
  height: PIXELS,
};

const listOfParts = (part: Readonly<Record<string, Schema>>): Schema => {
  return { type: 'array', items: requiredObject(describeProperties(part, ARTICLE_DESCRIPTIONS)) };
};

const ARTICLE: Readonly<Record<string, Schema>> = {
  html: TEXT,
  markdown: TEXT,
  text: TEXT,
  headings: listOfParts(HEADING),
  byline: TEXT_OR_NULL,
  publishedAt: INSTANT_OR_NULL,
  modifiedAt: INSTANT_OR_NULL,
  language: TEXT_OR_NULL,
  wordCount: COUNT,
  pictures: listOfParts(PICTURE),
};

/** The schemas of source pages and their articles, by name. */
export const PAGE_SCHEMAS: Readonly<Record<string, Schema>> = {
  PageAnswer: requiredObject({ page: schemaRef('Page') }),
  Page: describeObject(PAGE, PAGE_DESCRIPTIONS),
  ArticleAnswer: requiredObject({ article: schemaRef('Article') }),
  Article: describeObject(ARTICLE, ARTICLE_DESCRIPTIONS),
};
