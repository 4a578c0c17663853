import type { PageReading } from '../article/article.ts';
import { hidesDescription, prohibitionOf, type RobotsMode } from '../robots.ts';
import { readCalendar } from './calendar.ts';
import { createFeedReading } from './feed.ts';
import { createFileReading, extensionOf, type SourceFile } from './file.ts';
import { parseJsonFeed } from './json-feed.ts';
import { readMarkdown } from './markdown.ts';
import { isMediaType, readMedia } from './media.ts';
import { readNotebook } from './notebook.ts';
import { readPdf } from './pdf.ts';
import { readText } from './text.ts';
import { parseXmlFeed } from './xml-feed.ts';

const MARKDOWN_EXTENSIONS = ['md', 'markdown', 'mdown', 'mkd', 'mkdn'];

/** Reads a source that is not an HTML page. Without content, or if copies are forbidden, its card names the file. */
export async function readSource(file: SourceFile, robotsMode: RobotsMode): Promise<PageReading> {
  const { mediaType, content } = file;
  const isPdf = mediaType === 'application/pdf' && typeof content !== 'string';
  const reading = isPdf ? await readPdf(file, content) : readKind(file);
  const prohibition = prohibitionOf(file.robots, robotsMode);
  if (!prohibition || reading.article.content === null) return reading;
  const description = hidesDescription(file.robots, robotsMode) ? null : reading.article.description;
  return { status: prohibition, article: { ...reading.article, description, content: null } };
}

function readKind(file: SourceFile): PageReading {
  const { mediaType, content } = file;
  if (isMediaType(mediaType)) return readMedia(file);
  if (typeof content !== 'string') return createFileReading(file);
  const feed = mediaType.endsWith('json') ? parseJsonFeed(content) : findXmlFeed(mediaType, content);
  if (feed) return createFeedReading(file, feed);
  const other = readCalendar(file, content) ?? (isNotebook(file) ? readNotebook(file, content) : null);
  if (other) return other;
  return isMarkdown(file) ? readMarkdown(file, content) : readText(file, content);
}

function findXmlFeed(mediaType: string, content: string) {
  return /^application\/(?:rss|atom|rdf)\+xml$/.test(mediaType) ? parseXmlFeed(content) : null;
}

function isNotebook(file: SourceFile): boolean {
  return file.mediaType === 'application/x-ipynb+json' || extensionOf(file) === 'ipynb';
}

function isMarkdown(file: SourceFile): boolean {
  if (/^text\/(?:x-)?markdown$/.test(file.mediaType)) return true;
  return file.mediaType === 'text/plain' && MARKDOWN_EXTENSIONS.includes(extensionOf(file));
}
