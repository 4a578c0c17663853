import type { ArticleForms, FormName, Heading, Picture } from '#reader/article-forms';
import { ARTICLE_DESCRIPTIONS as TEXTS } from '../../../domain/descriptions.ts';
import type { ShownArticle } from '../../../domain/page-copy.ts';
import { Refusal } from '../../../errors.ts';
import type { Context } from '../../execution/context.ts';
import { builder } from '../builder.ts';
import { shownFields } from '../fields.ts';
import { PageType } from './page.ts';

/** Makes a form of an article, which counts by the size of the article, or by its own if it is larger. */
async function makeForm<Name extends FormName>(
  form: Name,
  { content, hero, language }: ShownArticle,
  { budget, pages }: Context,
  anchor = '',
): Promise<ArticleForms[Name]> {
  budget.spend('articleBytes', 'article', content.length);
  const made = await pages.makeForm({ form, article: { content, hero, language }, anchor });
  if (typeof made === 'string') budget.spend('articleBytes', 'article', Math.max(0, made.length - content.length));
  return made;
}

/** Returns the resolver of a field that shows a form. */
const formOf =
  <Name extends FormName>(form: Name) =>
  (source: ShownArticle, _args: unknown, context: Context) =>
    makeForm(form, source, context);

const HeadingType = builder.objectRef<Heading>('Heading').implement({
  description: 'A heading of an article.',
  fields: (t) =>
    shownFields(t, { ...TEXTS, text: TEXTS.headingText }, { level: 'Int', text: 'String', anchor: 'String' }),
});

const PictureType = builder.objectRef<Picture>('Picture').implement({
  description: 'A picture of an article.',
  fields: (t) => ({
    url: t.expose('url', { type: 'URL', description: TEXTS.pictureUrl }),
    ...shownFields(t, TEXTS, { alt: 'String', caption: 'String?', width: 'Int?', height: 'Int?' }),
  }),
});

const article = builder.objectRef<ShownArticle>('Article');
const ArticleType = article.implement({
  description: TEXTS.object,
  fields: (t) => ({
    html: t.string({
      description: TEXTS.html,
      resolve({ content }, _args, { budget }) {
        budget.spend('articleBytes', 'article', content.length);
        return content;
      },
    }),
    markdown: t.string({ description: TEXTS.markdown, resolve: formOf('markdown') }),
    text: t.string({ description: TEXTS.text, resolve: formOf('text') }),
    headings: t.field({ type: [HeadingType], description: TEXTS.headings, resolve: formOf('headings') }),
    ...shownFields(t, TEXTS, {
      byline: 'String?',
      publishedAt: 'DateTime?',
      modifiedAt: 'DateTime?',
      language: 'String?',
    }),
    wordCount: t.int({ description: TEXTS.wordCount, resolve: formOf('wordCount') }),
    pictures: t.field({ type: [PictureType], description: TEXTS.pictures, resolve: formOf('pictures') }),
    part: t.field({
      type: article,
      nullable: true,
      description: TEXTS.part,
      args: { anchor: t.arg.string({ required: true, description: TEXTS.anchorArgument }) },
      async resolve(source, { anchor }, context) {
        const part = await makeForm('part', source, context, anchor);
        return part && { ...source, content: part.content, hero: null };
      },
    }),
  }),
});

builder.objectField(PageType, 'article', (t) =>
  t.field({
    type: ArticleType,
    nullable: true,
    description:
      'The article that the embed shows; null if it shows a card: `state` and `reason` say why. Reading it fetches nothing. All articles of a request, and the forms that are made of them, may take 16 MB together.',
    async resolve({ pageUrl, state, bytes }, _args, context) {
      if (state !== 'SHOWN') return null;
      context.budget.spend('articleBytes', 'article', bytes);
      const copy = await context.pages.findShown(pageUrl);
      if (copy === null) throw new Refusal('unavailable', 'Too many articles are being converted; try again.');
      return copy.article?.content ? (copy.article as ShownArticle) : null;
    },
  }),
);
