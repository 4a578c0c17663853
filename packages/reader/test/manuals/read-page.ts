import { readArticle } from '../../src/article/article.ts';
import { makeForm } from '../../src/article-forms.ts';

export const TEXT = 'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help.';
export const PARAGRAPH = `<p>${TEXT} ${TEXT}</p>`;
export const URL_OF_PAGE = 'https://manuals.baker.example/oven/heat.html';

export function readPage(html: string) {
  const { article } = readArticle(html, { url: URL_OF_PAGE, robots: null });
  const content = article.content ?? '';
  const markdown = String(makeForm({ form: 'markdown', article: { ...article, content } }));
  return { ...article, content, markdown: markdown.replaceAll('https://manuals.baker.example/oven/', '') };
}

/** Returns the Markdown of markup between the paragraphs of a manual. */
export function insideOf(markup: string): string {
  const { markdown } = readPage(`<title>Heat</title><body><h1>Heat</h1>${PARAGRAPH}${markup}${PARAGRAPH}${PARAGRAPH}`);
  return (markdown.split(/Bread wants[^\n]*/)[1] ?? '').trim();
}
