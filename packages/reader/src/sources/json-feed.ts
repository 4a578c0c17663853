import { findText, isObject, parseJson } from '../json.ts';
import { type Feed, findRecordingField, MAX_ENTRIES } from './feed.ts';

const VERSION = /^https?:\/\/jsonfeed\.org\/version\//;

/** Reads a JSON Feed (jsonfeed.org, versions 1 and 1.1). Returns null for any other text. */
export function parseJsonFeed(text: string): Feed | null {
  // most JSON is no feed, and need not be parsed
  if (!/"version"\s{0,9}:\s{0,9}"https?:\\?\/\\?\/jsonfeed\.org/.test(text.slice(0, 100_000))) return null;
  const feed = parseJson(text);
  if (!isObject(feed) || !VERSION.test(findText(feed.version) ?? '') || !Array.isArray(feed.items)) return null;
  const items: readonly unknown[] = feed.items;
  return {
    title: findText(feed.title) ?? '',
    description: findText(feed.description) ?? '',
    author: '',
    language: findText(feed.language),
    entries: items
      .slice(0, MAX_ENTRIES)
      .filter(isObject)
      .map((item) => ({
        title: findText(item.title) ?? '',
        link: findText(item.url) ?? findText(item.external_url) ?? '',
        date: findText(item.date_published) ?? findText(item.date_modified) ?? '',
        summary: findText(item.summary) ?? findText(item.content_html) ?? findText(item.content_text) ?? '',
        audio: findRecording(item.attachments, 'audio'),
        video: findRecording(item.attachments, 'video'),
      })),
  };
}

function findRecording(attachments: unknown, field: 'audio' | 'video'): string {
  const list: readonly unknown[] = Array.isArray(attachments) ? attachments : [];
  const recording = list.find(
    (item) => isObject(item) && findRecordingField(findText(item.url) ?? '', findText(item.mime_type) ?? '') === field,
  );
  return isObject(recording) ? (findText(recording.url) ?? '') : '';
}
