import { Parser } from 'htmlparser2';
import type { PageReading } from '../article/article.ts';
import { MARKER } from '../article/blocks/tree.ts';
import { MAX_BYLINE_LENGTH } from '../article/head/byline.ts';
import { directionOfLanguage, directionOfText } from '../article/head/direction.ts';
import { resolveLinkUrl, resolveWebUrl } from '../article/links.ts';
import { findLanguageTag, MAX_TITLE } from '../article/metadata.ts';
import { shortText } from '../article/plain-text.ts';
import { escapeHtml } from '../html.ts';
import { createFileReading, createReading, renderMarkup, type SourceFile } from './file.ts';

export const MAX_ENTRIES = 30;
const MAX_SUMMARY = 300;
/** In characters: of the HTML of an entry, of which only a short text is shown. */
const MAX_HTML = 5_000;

/** Texts of a feed or an entry may be HTML. */
export interface FeedEntry {
  title: string;
  link: string;
  date: string;
  summary: string;
  /** The URL of the recording of a podcast; empty without one. */
  audio: string;
  video: string;
}

/** Feeds also declare recordings with a wrong type, or without one. */
const AUDIO_FILE = /\.(?:aac|flac|m4a|mp3|og[ag]|opus|wav)$/i;
const VIDEO_FILE = /\.(?:m4v|mov|mp4|webm)$/i;

/** A time of the day with its zone. Dates without one count as UTC. */
const ZONED_TIME = /:\d{2}(?:\.\d{1,9})?\s?(?:[ap]m)?\s?(?:Z|UTC?|GMT|[ECMP][SD]T|[+-]\d{2}:?\d{2})/i;

/** Finds the field for a file that belongs to an entry; null if it is no recording. */
export function findRecordingField(url: string, type: string): 'audio' | 'video' | null {
  const name = url.replace(/[?#].*$/s, '');
  if (type.startsWith('audio/') || AUDIO_FILE.test(name)) return 'audio';
  return type.startsWith('video/') || VIDEO_FILE.test(name) ? 'video' : null;
}

export interface Feed {
  readonly title: string;
  readonly description: string;
  /** Of a podcast; empty for other feeds. */
  readonly author: string;
  readonly language: string | null;
  readonly entries: readonly FeedEntry[];
}

/** Shows a feed as a list of its first {@link MAX_ENTRIES} entries. */
export function createFeedReading(file: SourceFile, feed: Feed): PageReading {
  const headTitle = textOfHtml(feed.title, MAX_TITLE);
  const description = textOfHtml(feed.description, MAX_SUMMARY);
  const language = findLanguageTag(feed.language);
  const entries = feed.entries.slice(0, MAX_ENTRIES).map((entry) => renderEntry(entry, file.url, language));
  if (entries.length === 0) return createFileReading(file, { headTitle, language });
  const intro = description === null ? '' : `<p>${escapeHtml(description)}</p>`;
  const content = renderMarkup(file, intro + entries.join(''));
  const titles = feed.entries.map(({ title }) => title).join(' ');
  const direction = directionOfLanguage(language) ?? directionOfText(titles);
  const byline = textOfHtml(feed.author, MAX_BYLINE_LENGTH);
  return createReading(file, content, { headTitle, description, byline, language, direction });
}

function renderEntry(entry: FeedEntry, base: string, language: string | null): string {
  const { title, link, date, summary } = entry;
  const href = resolveLinkUrl(link.trim() || null, base);
  const time = formatDate(date, language);
  const text = textOfHtml(summary, MAX_SUMMARY);
  const words = escapeHtml(textOfHtml(title, MAX_TITLE) ?? text?.slice(0, 60) ?? href ?? '…');
  const heading = href === null ? words : `<a href="${escapeHtml(href)}">${words}</a>`;
  const lines = [time, escapeHtml(text ?? '')].filter((line) => line !== '');
  const name = entry.audio === '' ? 'video' : 'audio';
  const recording = resolveWebUrl(entry[name].trim() || null, base);
  const player = recording === null ? '' : `<figure><${name} src="${escapeHtml(recording)}"></${name}></figure>`;
  return `<h3>${heading}</h3>${lines.length === 0 ? '' : `<p>${lines.join('<br>')}</p>`}${player}`;
}

function formatDate(text: string, language: string | null): string {
  const time = text.trim().slice(0, 60);
  const date = new Date(ZONED_TIME.test(time) ? time : `${time}${/\dT\d/.test(time) ? 'Z' : ' UTC'}`);
  if (Number.isNaN(date.getTime())) return '';
  const formatted = new Intl.DateTimeFormat(language ?? 'en', { dateStyle: 'long', timeZone: 'UTC' }).format(date);
  return `<small><time datetime="${date.toISOString()}" ${MARKER}="date">${escapeHtml(formatted)}</time></small>`;
}

const SKIPPED_ELEMENTS = ['script', 'style', 'template', 'noscript', 'iframe'];

/** Returns the text of HTML, in one line; null if there is none. */
function textOfHtml(html: string, max: number): string | null {
  let text = '';
  let skipped: string | null = null;
  const parser = new Parser({
    onopentag(name) {
      if (SKIPPED_ELEMENTS.includes(name)) skipped ??= name;
      text += ' ';
    },
    ontext(data) {
      if (skipped === null) text += data;
    },
    onclosetag(name) {
      if (name === skipped) skipped = null;
      text += ' ';
    },
  });
  parser.end(html.slice(0, MAX_HTML));
  return shortText(text.replace(/ +([.,;:!?…])/g, '$1'), max);
}
