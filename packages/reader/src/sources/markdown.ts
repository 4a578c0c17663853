import { Marked, type Tokens } from 'marked';

import { type PageReading, readFragment } from '../article/article.ts';
import { directionOfText } from '../article/head/direction.ts';
import { plainText } from '../article/plain-text.ts';
import { escapeHtml } from '../html.ts';
import { createReading, type SourceFile } from './file.ts';
import { readText } from './text.ts';

/** In characters. The rest of a document is not shown. */
const MAX_LENGTH = 500_000;
const MAX_TITLE = 200;

/** Metadata in YAML before the text, as site generators and editors write it. */
const FRONT_MATTER = /^---[ \t]*\r?\n(.{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/s;
const TITLE_IN_FRONT_MATTER = /^title:[ \t]*(["']?)([^\r\n]{1,500}?)\1[ \t]*$/m;

/** Shows GitHub Flavored Markdown. Its raw HTML passes the same filters as that of a page. */
export function readMarkdown(file: SourceFile, text: string): PageReading {
  const [whole = '', metadata = ''] = FRONT_MATTER.exec(text) ?? [];
  const title = TITLE_IN_FRONT_MATTER.exec(metadata)?.[2];
  const body = text.slice(whole.length, whole.length + MAX_LENGTH);
  const fragment = readFragment(render(body), { url: file.url, title: plainText(title, MAX_TITLE) });
  // without text, or with too much markup
  if (fragment === null) return readText(file, text);
  return createReading(file, fragment.content, {
    headTitle: fragment.title,
    direction: directionOfText(body),
  });
}

function render(markdown: string): string {
  const ids = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    async: false,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const id = headingIdOf(text);
        const repetitions = ids.get(id) ?? 0;
        ids.set(id, repetitions + 1);
        const unique = repetitions === 0 ? id : `${id}-${repetitions}`;
        return `<h${depth} id="${escapeHtml(unique)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  return marked.parse(markdown) as string;
}

/** Returns the id that GitHub gives to a heading, so that links within the document work. */
export function headingIdOf(heading: string): string {
  return heading
    .slice(0, MAX_TITLE)
    .replace(/<[^<>]*>/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}
