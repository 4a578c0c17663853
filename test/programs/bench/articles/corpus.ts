import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A saved newspaper page and the text of its article, without figure captions. */
export interface NewsPage {
  readonly name: string;
  readonly html: string;
  readonly text: string;
}

/** A saved page and the Markdown that is expected of it. */
export interface OddPage {
  readonly name: string;
  readonly html: string;
  readonly markdown: string;
  readonly head: ExpectedHead;
}

/** An empty string for what the page does not say. */
export interface ExpectedHead {
  readonly title?: string;
  readonly author?: string;
  readonly published?: string;
}

const HEAD = /^```json\n([\s\S]*?)\n```\n\n?/;

/** Reads `news/expected.json` with its `.html.gz` files. Returns an empty list without them. */
export function readNews(folder: string): readonly NewsPage[] {
  const news = join(folder, 'news');
  if (!existsSync(news)) return [];
  const expected: Readonly<Record<string, { readonly articleBody: string }>> = JSON.parse(
    readFileSync(join(news, 'expected.json'), 'utf8'),
  );
  return Object.entries(expected).map(([name, { articleBody }]) => {
    const html = gunzipSync(readFileSync(join(news, `${name}.html.gz`))).toString();
    return { name, html, text: articleBody };
  });
}

/** Reads the pairs of `.html` and `.md` files in `pages/`. Returns an empty list without them. */
export function readOddPages(folder: string): readonly OddPage[] {
  const pages = join(folder, 'pages');
  if (!existsSync(pages)) return [];
  const names = readdirSync(pages).filter((name) => name.endsWith('.html'));
  return names.map((file) => {
    const name = file.slice(0, -'.html'.length);
    const text = readFileSync(join(pages, `${name}.md`), 'utf8');
    const head: ExpectedHead = JSON.parse(HEAD.exec(text)?.[1] ?? '{}');
    return { name, html: readFileSync(join(pages, file), 'utf8'), markdown: text.replace(HEAD, ''), head };
  });
}
