import { convertToMarkdown } from '../../reader/src/article/forms/markdown.ts';
import { parseContent } from '../../reader/src/article/forms/tree.ts';
import type { Group, Page } from './page.ts';

/** Forms, choices of a language, links of headings to themselves, and the column of the samples, which mean nothing outside a browser. */
const ONLY_IN_BROWSERS =
  /<details class="trial">[\s\S]*?<\/details>|<fieldset class="languages">[\s\S]*?<\/fieldset>| ?<a class="anchor"[^>]*>#<\/a>|<p class="eyebrow">.*?<\/p>|<\/?aside[^>]*>/g;

/** Returns the path of a page as Markdown. */
export function markdownUrlOf({ url }: Page): string {
  return `${url}.md`;
}

/** Writes a page as Markdown, for tools and language models. Links lead to the Markdown of other pages. */
export function writeMarkdown({ content }: Page): string {
  const markup = content.text
    .replace(ONLY_IN_BROWSERS, '')
    .replace(/ href="(\/docs[^"#]*)(#[^"]*)?"/g, (_, path, anchor = '') => ` href="${path}.md${anchor}"`);
  return convertToMarkdown(parseContent(markup));
}

/** Lists all pages in the form of <https://llmstxt.org>. */
export function writeLlmsText(groups: readonly Group[]): string {
  const lines = groups.flatMap(({ title, pages }) => [
    '',
    `## ${title}`,
    '',
    ...pages.map((page) => `- [${page.label ?? page.title}](${markdownUrlOf(page)}): ${page.description}`),
  ]);
  return `# Embed Gateway

> Put any public page into your site as an iframe, and manage those embeds from code: GraphQL and REST over one schema.
${lines.join('\n')}
`;
}
