import { Parser } from 'htmlparser2';
import { type PageReading, readFragment } from '../article/article.ts';
import { resolveWebUrl } from '../article/links.ts';
import { plainText } from '../article/plain-text.ts';
import { POST_PROVIDERS } from '../players/providers.ts';
import { findPlayer, type Player } from '../players.ts';
import { createCard } from './file.ts';
import { escapeHtml } from './markup.ts';

/** A page that may have a player, or be a post. */
export interface PlayerSource {
  readonly url: string;
  /** Null if the page could not be read. */
  readonly reading: PageReading | null;
  /** The response of the oEmbed endpoint that the page offers. */
  readonly oembed: string | null;
}

/** The class of a quote, in its first tag. */
const POST_QUOTE = new RegExp(`^[^>]{1,500}[\\s"'](?:${POST_PROVIDERS.map(({ quote }) => quote).join('|')})[\\s"'>]`);
const MAX_POST = 5_000;
const MAX_HTML = 20_000;
const MAX_TITLE = 200;
const MAX_BYLINE = 120;

/** Adds the player, or the quote of the post, to the reading of its page. Returns other readings unchanged. */
export function readPlayer({ url, reading, oembed }: PlayerSource): PageReading {
  const description = parseObject(oembed);
  const player = findPlayer(url) ?? findDescribedPlayer(description, url);
  const content = player ? renderPlayer(player, url) : quotePost(description, url, reading);
  const unread = { url, disposition: null };
  const article = reading?.article ?? createCard(unread, { headTitle: player?.provider ?? null });
  if (!content) return reading ?? { status: { state: 'NO_ARTICLE', reason: null }, article };
  const title = plainText(textOf(description.title), MAX_TITLE);
  const image =
    resolveWebUrl(textOf(description.thumbnail_url) || null, url) ?? article.image ?? player?.posterUrl ?? null;
  return {
    status: { state: 'SHOWN', reason: null },
    article: {
      ...article,
      title: title ?? article.title,
      headTitle: title ?? article.headTitle,
      byline: plainText(textOf(description.author_name), MAX_BYLINE) ?? article.byline,
      image,
      hero: null,
      content,
    },
  };
}

/** The frame is a click away, as in an article. */
function renderPlayer({ frameUrl }: Player, url: string): string | null {
  return readFragment(`<iframe src="${escapeHtml(frameUrl)}"></iframe>`, { url, title: null })?.content ?? null;
}

/**
 * Quotes a post by the HTML of its description. A quote without the text of the post gets it from the metadata of its
 * page. Null for other descriptions, and for pages with an article.
 */
function quotePost(
  { html, author_name: author }: Description,
  url: string,
  reading: PageReading | null,
): string | null {
  const markup = textOf(html).slice(0, MAX_HTML);
  const quote = markup.slice(Math.max(markup.indexOf('<blockquote'), 0), markup.lastIndexOf('</blockquote>'));
  if (reading?.article.content || !POST_QUOTE.test(quote)) return null;
  const text = plainText(reading?.article.description ?? null, MAX_POST);
  const isEmpty = !/<p[\s>]/i.test(quote);
  const name = escapeHtml(plainText(textOf(author), MAX_BYLINE) ?? new URL(url).hostname);
  const rebuilt = `<blockquote><p>${escapeHtml(text ?? '')}</p><p><cite><a href="${escapeHtml(url)}">${name}</a></cite></p></blockquote>`;
  return readFragment(isEmpty && text ? rebuilt : quote, { url, title: '' })?.content ?? null;
}

type Description = Readonly<Record<string, unknown>>;

/** Reads only the address of the first frame in the HTML of the description, and only that of a known provider. */
function findDescribedPlayer({ html }: Description, base: string): Player | null {
  let src: string | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'iframe') src ??= attributes.src ?? null;
    },
  });
  parser.end(textOf(html).slice(0, MAX_HTML));
  const frameUrl = resolveWebUrl(src, base);
  return frameUrl === null ? null : findPlayer(frameUrl);
}

function parseObject(json: string | null): Description {
  try {
    const value: unknown = JSON.parse(json ?? '');
    return typeof value === 'object' && value !== null ? (value as Description) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
