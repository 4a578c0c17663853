import { Parser } from 'htmlparser2';
import type { Article } from '../../domain/page/article.ts';
import { extractArticle } from './extract.ts';
import { PageFacts } from './facts.ts';
import { readStructuredData } from './json-ld.ts';
import { metadataOf } from './metadata.ts';
import { PageTree } from './page-tree.ts';
import { forbidsCopy } from './robots.ts';

/** A page is looked at no further than this. */
const MAX_HTML_LENGTH = 5 * 1024 * 1024;
const CHUNK_LENGTH = 64 * 1024;

/** Where a page was found, and what came with it. */
export interface PageSource {
  /** Absolute URL, after all redirects. */
  readonly url: string;
  /** The values of `X-Robots-Tag`, joined by commas or line breaks. */
  readonly robots: string | null;
}

/** What a page shows of itself. Whatever its markup is like, there is at least a card. */
export function readArticle(html: string, { url, robots }: PageSource): Article {
  const facts = new PageFacts(url);
  const tree = readTree(html, facts);
  const data = readStructuredData(facts.jsonLd);
  const metadata = metadataOf(facts, data, url);
  const card = { ...metadata, image: metadata.image ?? tree?.bigImage ?? null, content: null };
  if (tree === null || tree.isTooLarge || forbidsCopy(robots) || forbidsCopy(facts.robots)) return card;
  try {
    return { ...card, ...extractArticle(tree.document, { metadata, facts, data }, url) };
  } catch {
    // a page that the extraction stumbles over is a card, like one without an article
    return card;
  }
}

function readTree(html: string, facts: PageFacts): PageTree | null {
  const tree = new PageTree(() => facts.base);
  const parser = new Parser({
    onopentag(name, attributes) {
      facts.onopentag(name, attributes);
      tree.onopentag(name, attributes);
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
