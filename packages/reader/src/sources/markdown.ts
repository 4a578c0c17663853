import { Marked, type Tokens } from 'marked';

import { type PageReading, readFragment } from '../article/article.ts';
import { headingIdOf } from '../article/blocks/headings.ts';
import { directionOfText } from '../article/head/direction.ts';
import { escapeHtml } from '../html.ts';
import { createReading, type SourceFile } from './file.ts';
import { createContainers } from './markdown/containers.ts';
import { createFootnotes } from './markdown/footnotes.ts';
import { FORMULAS } from './markdown/formulas.ts';
import { readFrontMatter } from './markdown/front-matter.ts';
import { STARTS } from './markdown/starts.ts';
import { readText } from './text.ts';

/** In characters. The rest of a document is not shown. */
const MAX_LENGTH = 500_000;
/** The id at the end of a heading. */
const HEADING_ID = /\{#([\w:.-]{1,100})(?: [^{}]{0,100})?\}$/;

/** Shows GitHub Flavored Markdown. Its raw HTML passes the same filters as that of a page. */
export function readMarkdown(file: SourceFile, text: string): PageReading {
  const { length, title, byline, publishedAt } = readFrontMatter(text);
  const body = text.slice(length, length + MAX_LENGTH);
  const fragment = readFragment(renderMarkdown(body), { url: file.url, title });
  // without text, or with too much markup
  if (fragment === null) return readText(file, text);
  return createReading(file, fragment.content, {
    headTitle: fragment.title,
    byline,
    publishedAt,
    direction: directionOfText(body),
  });
}

/**
 * Renders GitHub Flavored Markdown with formulas, footnotes, call-outs and ids of headings (`{#id}`). Text that is nested too deeply
 * is shown as it is. The result is not filtered.
 */
export function renderMarkdown(markdown: string): string {
  const footnotes = createFootnotes();
  const ids = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    async: false,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const own = HEADING_ID.exec(text)?.[1];
        const id = own ?? headingIdOf(text);
        const repetitions = ids.get(id) ?? 0;
        ids.set(id, repetitions + 1);
        const unique = repetitions === 0 ? id : `${id}-${repetitions}`;
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${escapeHtml(unique)}">${own ? content.replace(HEADING_ID, '').trimEnd() : content}</h${depth}>\n`;
      },
    },
  });
  marked.use(STARTS, FORMULAS, createContainers(), footnotes.extension);
  try {
    const body = marked.parse(markdown) as string;
    return body + footnotes.render((tokens) => marked.parser(tokens));
  } catch (error) {
    // each level of quotes, lists and definitions is a call within that of the level before
    if (!(error instanceof RangeError)) throw error;
    return `<pre>${escapeHtml(markdown)}</pre>`;
  }
}
