import { Parser } from 'htmlparser2';
import { type PageReading, readFragment } from '../article/article.ts';
import { MAX_BYLINE_LENGTH } from '../article/head/byline.ts';
import { resolveWebUrl } from '../article/links.ts';
import { MAX_TITLE } from '../article/metadata.ts';
import { plainText } from '../article/plain-text.ts';
import { escapeHtml, html } from '../html.ts';
import { findText, isObject, type JsonObject, parseJson } from '../json.ts';
import { POST_PROVIDERS } from '../players/providers.ts';
import { findPlayer, type Player } from '../players.ts';
import { createFileCard } from './file.ts';

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

/** Adds the player, or the quote of the post, to the reading of its page. Returns other readings unchanged. */
export function readPlayer({ url, reading, oembed }: PlayerSource): PageReading {
  const parsed = parseJson(oembed ?? '');
  const description: JsonObject = isObject(parsed) ? parsed : {};
  const player = findPlayer(url) ?? findDescribedPlayer(description, url);
  const content = player ? renderPlayer(player, url) : quotePost(description, url, reading);
  const unread = { url, disposition: null };
  const article = reading?.article ?? createFileCard(unread, { headTitle: player?.provider ?? null });
  if (!content) return reading ?? { status: { state: 'NO_ARTICLE', reason: null }, article };
  const title = plainText(findText(description.title), MAX_TITLE);
  const image = resolveWebUrl(findText(description.thumbnail_url), url) ?? article.image ?? player?.posterUrl ?? null;
  return {
    status: { state: 'SHOWN', reason: null },
    article: {
      ...article,
      title: title ?? article.title,
      headTitle: title ?? article.headTitle,
      byline: plainText(findText(description.author_name), MAX_BYLINE_LENGTH) ?? article.byline,
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
function quotePost(description: JsonObject, url: string, reading: PageReading | null): string | null {
  const markup = (findText(description.html) ?? '').slice(0, MAX_HTML);
  const quote = markup.slice(Math.max(markup.indexOf('<blockquote'), 0), markup.lastIndexOf('</blockquote>'));
  if (reading?.article.content || !POST_QUOTE.test(quote)) return null;
  const text = /<p[\s>]/i.test(quote) ? null : plainText(reading?.article.description, MAX_POST);
  const author = plainText(findText(description.author_name), MAX_BYLINE_LENGTH) ?? new URL(url).hostname;
  const rebuilt = html`<blockquote><p>${text}</p><p><cite><a href="${url}">${author}</a></cite></p></blockquote>`;
  return readFragment(text ? rebuilt.text : quote, { url, title: '' })?.content ?? null;
}

/** Reads only the address of the first frame in the HTML of the description, and only that of a known provider. */
function findDescribedPlayer(description: JsonObject, base: string): Player | null {
  let src: string | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'iframe') src ??= attributes.src ?? null;
    },
  });
  parser.end((findText(description.html) ?? '').slice(0, MAX_HTML));
  const frameUrl = resolveWebUrl(src, base);
  return frameUrl === null ? null : findPlayer(frameUrl);
}
