import { type Feed, MAX_ENTRIES } from './feed.ts';

const VERSION = /^https?:\/\/jsonfeed\.org\/version\//;

/** Reads a JSON Feed (jsonfeed.org, versions 1 and 1.1). Returns null for any other text. */
export function parseJsonFeed(text: string): Feed | null {
  // most JSON is no feed, and need not be parsed
  if (!/"version"\s{0,9}:\s{0,9}"https?:\\?\/\\?\/jsonfeed\.org/.test(text.slice(0, 100_000))) return null;
  const feed = parse(text);
  if (feed === null || !VERSION.test(textOf(feed.version)) || !Array.isArray(feed.items)) return null;
  const items: readonly unknown[] = feed.items;
  return {
    title: textOf(feed.title),
    description: textOf(feed.description),
    language: textOf(feed.language) || null,
    entries: items
      .slice(0, MAX_ENTRIES)
      .filter(isObject)
      .map((item) => ({
        title: textOf(item.title),
        link: textOf(item.url) || textOf(item.external_url),
        date: textOf(item.date_published) || textOf(item.date_modified),
        summary: textOf(item.summary) || textOf(item.content_html) || textOf(item.content_text),
      })),
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

function parse(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
