import { Parser } from 'htmlparser2';
import { type Feed, type FeedEntry, findRecordingField, MAX_ENTRIES } from './feed.ts';

/** In characters, for one field. */
const MAX_FIELD_LENGTH = 20_000;
/** Elements within a field. Reading ends below it. */
const MAX_DEPTH = 200;
const ENTRY_ELEMENTS = ['item', 'entry'];
const CHANNEL_ELEMENTS = ['rss', 'channel', 'feed', 'rdf'];

/** Many feeds have other GUIDs that do not say so. */
const GUID_URL = /^\s*https?:\/\//i;
/** Fields by the local names of their elements in RSS, Atom and Dublin Core, the preferred one first. */
const FIELDS: Readonly<Record<keyof FeedEntry, readonly string[]>> = {
  title: ['title'],
  link: ['link', 'guid'],
  date: ['pubdate', 'published', 'date', 'updated', 'issued'],
  summary: ['summary', 'description', 'subtitle', 'encoded', 'content'],
  audio: ['recording:audio'],
  video: ['recording:video'],
};

type Attributes = Readonly<Record<string, string>>;
type Fields = Map<string, string>;

/**
 * Reads RSS 2.0, RSS 1.0 or Atom. Reads no document type, so entities that it declares are not expanded, and keeps no
 * tree, so that depth and length do not matter. Returns null if there is no feed.
 */
export function parseXmlFeed(xml: string): Feed | null {
  const feed: Fields = new Map();
  const entries: Fields[] = [];
  let language: string | null = null;
  let isFeed = false;
  let entry: Fields | null = null;
  /** Depth within the channel or the entry: their fields are at depth 1. */
  let depth = 0;
  let field: { readonly name: string; readonly of: Fields; text: string } | null = null;

  const open = (name: string, attributes: Attributes): void => {
    if (CHANNEL_ELEMENTS.includes(name) && entry === null && depth === 0) {
      isFeed = true;
      language ??= attributes['xml:lang'] ?? null;
    } else if (ENTRY_ELEMENTS.includes(name) && entry === null && depth === 0) {
      entry = new Map();
      entries.push(entry);
    } else if (++depth === 1) {
      const of = entry ?? feed;
      if (name === 'link') keepLink(of, attributes);
      if (['enclosure', 'media:content'].includes(name) || attributes.rel === 'enclosure')
        keepRecording(of, attributes);
      if (!of.has(name) && isPlain(name, attributes)) field = { name, of, text: '' };
    } else if (depth > MAX_DEPTH) {
      parser.pause();
    }
  };
  const close = (name: string): void => {
    if (depth > 0) {
      if (depth === 1 && field) {
        const isValue = field.name === 'guid' ? GUID_URL.test(field.text) : field.text.trim() !== '';
        if (isValue) field.of.set(field.name, field.text);
        field = null;
      }
      depth--;
    } else if (ENTRY_ELEMENTS.includes(name)) {
      entry = null;
      if (entries.length >= MAX_ENTRIES) parser.pause();
    }
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open(localNameOf(name), attributes),
      onclosetag: (name) => close(localNameOf(name)),
      ontext(text) {
        if (field && field.text.length < MAX_FIELD_LENGTH) field.text += text;
      },
    },
    { xmlMode: true },
  );
  parser.write(xml);
  if (!isFeed) return null;
  const find = (of: Fields, key: keyof FeedEntry) => FIELDS[key].map((name) => of.get(name)).find(Boolean) ?? '';
  return {
    title: find(feed, 'title'),
    description: find(feed, 'summary'),
    author: feed.get('itunes:author') ?? '',
    language: feed.get('language') ?? language,
    entries: entries.map((of) => ({
      title: find(of, 'title'),
      link: find(of, 'link'),
      date: find(of, 'date'),
      summary: find(of, 'summary'),
      audio: find(of, 'audio'),
      video: find(of, 'video'),
    })),
  };
}

/** Keeps the page of an Atom entry, not its comments, its feed or its file. */
function keepLink(of: Fields, { href, rel = 'alternate', type = 'text/html' }: Attributes): void {
  if (!href || rel !== 'alternate') return;
  if (!of.has('link') || type === 'text/html') of.set('link', href);
}

/** Keeps the first recording of an entry: the `enclosure` of RSS, and the link of that name in Atom. */
function keepRecording(of: Fields, { url, href, type = '' }: Attributes): void {
  const source = url ?? href;
  const field = source && findRecordingField(source, type);
  if (source && field && !of.has(`recording:${field}`)) of.set(`recording:${field}`, source);
}

/** Enclosures have no text, and a GUID may be an address unless it says that it is not. */
function isPlain(name: string, { isPermaLink }: Attributes): boolean {
  return name !== 'enclosure' && (name !== 'guid' || isPermaLink !== 'false');
}

function localNameOf(name: string): string {
  // `media:title` and `itunes:summary` are other fields than those of the feed
  const [prefix, local] = name.toLowerCase().split(':');
  if (local === undefined) return prefix ?? '';
  return ['rdf', 'dc', 'content', 'atom', 'a'].includes(prefix ?? '') && name !== 'atom:link' ? local : name;
}
