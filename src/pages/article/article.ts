import { Parser } from 'htmlparser2';
import type { Article } from '../../domain/page/article.ts';
import { extractArticle } from './extract.ts';
import { PageFacts } from './facts.ts';
import { readStructuredData } from './json-ld.ts';
import { createMetadata } from './metadata.ts';
import { PageTree } from './page-tree.ts';
import { forbidsCopy } from './robots.ts';

/** In characters. The rest of a page is ignored. */
const MAX_HTML_LENGTH = 5 * 1024 * 1024;
const CHUNK_LENGTH = 64 * 1024;

export interface PageSource {
  readonly url: string;
  /** The `X-Robots-Tag` values, joined by commas or line breaks. */
  readonly robots: string | null;
}

/** Reads the article of a page, whatever its markup. Without an article, or if copies are forbidden, `content` is null. */
export function readArticle(html: string, { url, robots }: PageSource): Article {
  const facts = new PageFacts(url);
  const tree = parsePage(html, facts);
  const titles = [facts.metas.get('og:title') ?? '', facts.title, facts.heading].filter((title) => title.trim() !== '');
  const data = readStructuredData(facts.jsonLd, { url, titles });
  const metadata = createMetadata(facts, data, url);
  const card = { ...metadata, image: metadata.image ?? tree?.largeImage ?? null, hero: null, content: null };
  if (tree === null || tree.isTooLarge || forbidsCopy(robots) || forbidsCopy(facts.robots)) return card;
  try {
    return { ...card, ...extractArticle(tree.document, { metadata, facts, data }, url) };
  } catch {
    // libraries throw on some malformed pages
    return card;
  }
}

function parsePage(html: string, facts: PageFacts): PageTree | null {
  const tree = new PageTree();
  const parser = new Parser({
    onopentag(name, attributes) {
      facts.onopentag(name, attributes);
      tree.onopentag(name, attributes, facts.base);
    },
    ontext(text) {
      facts.ontext(text);
      tree.ontext(text);
    },
    onclosetag(name) {
      facts.onclosetag(name);
      tree.onclosetag(name);
    },
  });
  try {
    for (let at = 0; at < Math.min(html.length, MAX_HTML_LENGTH) && !tree.isTooLarge; at += CHUNK_LENGTH) {
      parser.write(html.slice(at, at + CHUNK_LENGTH));
    }
    if (!tree.isTooLarge) parser.end();
    return tree;
  } catch {
    return null;
  }
}
