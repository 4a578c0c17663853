import type { Root } from 'hast';
import { findHeadings, type Heading } from './article/forms/headings.ts';
import { convertToMarkdown } from './article/forms/markdown.ts';
import { convertToText } from './article/forms/text.ts';
import { elementsOf, hasClass, parseContent, textOf } from './article/forms/tree.ts';
import { findPart, type Part } from './article/part/part.ts';
import { toLine } from './article/plain-text.ts';
import type { Article } from './article.ts';

export type { Heading, Part };

export interface Picture {
  /** An absolute http(s) URL. */
  readonly url: string;
  readonly alt: string;
  readonly caption: string | null;
  /** In pixels, if the page tells them. */
  readonly width: number | null;
  readonly height: number | null;
}

/** The part of an article that its other forms are made from. */
export type ArticleText = Pick<Article, 'hero' | 'language'> & { readonly content: string };

export interface ArticleForms {
  /** CommonMark with tables, notes and tasks as on GitHub, TeX in dollar signs, and call-outs. */
  readonly markdown: string;
  readonly text: string;
  readonly headings: readonly Heading[];
  readonly pictures: readonly Picture[];
  readonly wordCount: number;
  /** Null if there is no such part. */
  readonly part: Part | null;
}

export type FormName = keyof ArticleForms;

export interface FormJob<Name extends FormName = FormName> {
  readonly form: Name;
  readonly article: ArticleText;
  /** The fragment of the form `part`. */
  readonly anchor?: string;
}

/** Makes one form of an article. Long articles take up to a second. */
export function makeForm({ form, article, anchor = '' }: FormJob): ArticleForms[FormName] {
  if (form === 'part') return findPart(article.content, anchor);
  const content = parseContent(article.content);
  switch (form) {
    case 'markdown':
      return convertToMarkdown(content);
    case 'text':
      return convertToText(content);
    case 'headings':
      return findHeadings(content);
    case 'pictures':
      return findPictures(content, article.hero);
    case 'wordCount':
      return countWords(convertToText(content), article.language);
  }
}

/** Counts words by the rules of Unicode (UAX #29), which find words in Chinese and Japanese too. */
function countWords(text: string, language: string | null): number {
  const segmenter = new Intl.Segmenter(language ?? undefined, { granularity: 'word' });
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count += 1;
  return count;
}

function findPictures(content: Root, hero: Article['hero']): readonly Picture[] {
  const elements = elementsOf(content);
  const captions = new Map(
    elements.flatMap((figure) => {
      const caption =
        figure.tagName === 'figure' ? elementsOf(figure).find((one) => one.tagName === 'figcaption') : null;
      const text = caption ? toLine(textOf(caption)) : '';
      return text === '' ? [] : elementsOf(figure).map((one) => [one, text] as const);
    }),
  );
  const posters = new Set(elements.filter((one) => hasClass(one, 'embed-player')).flatMap(elementsOf));
  const pictures = elements.flatMap((image) => {
    const { src, alt, width, height } = image.properties;
    const url = String(src ?? '');
    if (image.tagName !== 'img' || !/^https?:/.test(url) || posters.has(image)) return [];
    return [
      {
        url,
        alt: String(alt ?? ''),
        caption: captions.get(image) ?? null,
        width: sizeOf(width),
        height: sizeOf(height),
      },
    ];
  });
  return hero === null ? pictures : [{ ...hero, caption: null }, ...pictures];
}

function sizeOf(value: unknown): number | null {
  const size = Number(value);
  return Number.isInteger(size) && size > 0 ? size : null;
}
