import { heightAt, heightsOf, renderSnippet, SNIPPET_HEIGHT_PX } from '#frame';
import { type Article, createCard } from '#reader/article';
import { html, Markup } from '#reader/html';
import { sourceUrlOf } from '#reader/page-url';
import type { Awaitable } from '../../awaitable.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import { effectiveSettings } from '../../domain/embed/settings.ts';
import { type EmbedHost, type EmbedHosts, embedOriginOf, embedUrlOf } from '../../domain/embed/url.ts';
import type { HeightEstimate, PageCopy, PageOutline } from '../../domain/page-copy.ts';
import { Refusal } from '../../errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import { problemOf, problemReply, TransportRefusal } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { createRepresentation } from '../../http/representation.ts';
import { isForOtherSite } from './allowed-sites.ts';
import type { EdgeHeaders } from './edge-headers.ts';
import { findEmbedId } from './embed-host.ts';

export interface OembedServices extends EmbedHosts {
  readonly embeds: { findForAnyone(id: string): Awaitable<Embed | null> };
  readonly pages: {
    /** Finds what an embed shows of a stored copy: nothing is fetched. */
    findShown(pageUrl: string): Promise<PageCopy | null>;
    /** Finds the heights, which are kept with the copy: an estimate takes long for a long article. */
    findOutline(pageUrl: string): Promise<Pick<PageOutline, 'heights'>>;
  };
  readonly edgeHeaders: EdgeHeaders;
  /** The clock of the database. */
  readonly now: () => Date;
  readonly accounts: { findSettings(accountId: string): Awaitable<string | null> };
}

const WIDTH_PX = 800;
/** The limit of WordPress too. A longer article scrolls. */
const MAX_HEIGHT_PX = 1_000;
const CACHE_AGE_S = 3_600;

type OembedFormat = 'json' | 'xml';

/** Returns media types and URLs for discovery (oEmbed 1.0 section 4). */
export function oembedAlternatesOf(embedUrl: string, host: EmbedHost) {
  const url = `${embedOriginOf(host)}/oembed?url=${encodeURIComponent(embedUrl)}`;
  return [
    { type: 'application/json+oembed', url: `${url}&format=json` },
    { type: 'text/xml+oembed', url: `${url}&format=xml` },
  ];
}

/**
 * @throws {Refusal} `malformed` for invalid parameters, `not_found` if the URL is not that of an embed, or if the embed has expired
 * @throws {TransportRefusal} `not_implemented` for formats other than JSON and XML, `site_not_allowed`
 */
export async function handleOembed({ url, request }: Pick<Exchange, 'url' | 'request'>, services: OembedServices) {
  const { target, format, ...limits } = parseQuery(url.searchParams);
  const id = target && findEmbedId(target, services);
  const embed = id && (await services.embeds.findForAnyone(id));
  if (!embed) throw new Refusal('not_found', 'There is no embed at this URL.');
  const accountSettings = await services.accounts.findSettings(embed.accountId);
  const { allowedSites, expiresAt } = effectiveSettings(embed.settings, accountSettings);
  const remainingMs = expiresAt === null ? Infinity : Date.parse(expiresAt) - services.now().getTime();
  if (remainingMs <= 0) throw new Refusal('not_found', 'The embed has expired.');
  if (isForOtherSite(request, url.hostname, allowedSites)) {
    throw new TransportRefusal('site_not_allowed', 'The owner of the embed allows it on other sites only.');
  }
  const maxAgeS = Math.min(CACHE_AGE_S, Math.floor(remainingMs / 1_000));
  // a shared cache would send the description to sites that get a refusal from the service
  const scope = allowedSites === null ? 'public' : 'private';
  // the author and the thumbnail of a part are those of its page
  const copy = await services.pages.findShown(sourceUrlOf(embed.pageUrl));
  const article = !copy || copy.state === 'PENDING' ? null : (copy.article ?? createCard(embed));
  const heights = article && heightsOf(embed, (await services.pages.findOutline(embed.pageUrl)).heights);
  const description = describeEmbed(embed, { article, heights, maxAgeS }, limits, services);
  const text = format === 'xml' ? renderXml(description) : JSON.stringify(description);
  return createRepresentation(text, {
    'content-type': `${format === 'xml' ? 'text/xml' : 'application/json'}; charset=utf-8`,
    'cache-control': `${scope}, max-age=${maxAgeS}`,
    ...services.edgeHeaders.keysOf(embed),
  }).reply(request);
}

/** Renders an error as a JSON problem, or as plain text for consumers that requested XML. */
export function refuseOembed(error: unknown, { url, id }: Pick<Exchange, 'url' | 'id'>): Reply {
  const problem = problemOf(error);
  if (formatOf(url.searchParams) !== 'xml') return problemReply(problem, id);
  const { status, detail, headers } = problem;
  const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return reply(detail, { status, headers: { ...type, ...headers } });
}

type Description = Readonly<Record<string, string | number>>;

interface Limits {
  readonly maxWidth: number;
  readonly maxHeight: number;
}

interface Shown {
  /** Null if the page has not been fetched; so are the heights. */
  readonly article: Article | null;
  readonly heights: HeightEstimate | null;
  readonly maxAgeS: number;
}

function describeEmbed(
  embed: Embed,
  { article, heights, maxAgeS }: Shown,
  limits: Limits,
  host: EmbedHost,
): Description {
  const { title, mode } = embed;
  const width = Math.min(WIDTH_PX, limits.maxWidth);
  const size = { width, height: heightOf(heights, width, limits) };
  const snippet = { embedUrl: embedUrlOf(embed, host), title, mode, scriptUrl: null, ...size };
  return {
    version: '1.0',
    type: 'rich',
    title,
    provider_name: 'Embed Gateway',
    provider_url: embedOriginOf(host),
    cache_age: maxAgeS,
    ...authorOf(article),
    ...thumbnailOf(article, limits),
    html: renderSnippet(snippet),
    ...size,
  };
}

/** Uses the space that the consumer allows. Without a limit, or an article, the height is that of the snippet. */
function heightOf(heights: HeightEstimate | null, width: number, { maxHeight }: Limits): number {
  const most = Number.isFinite(maxHeight) ? Math.min(maxHeight, MAX_HEIGHT_PX) : SNIPPET_HEIGHT_PX;
  return heights === null ? most : Math.min(heightAt(width, heights), most);
}

function authorOf(article: Article | null): Description {
  const author = article?.byline?.replace(/^by\s+/i, '');
  return author ? { author_name: author } : {};
}

/** oEmbed 1.0 section 2.3.4 requires the size together with the URL, and that it respects the limits. */
function thumbnailOf(article: Article | null, { maxWidth, maxHeight }: Limits): Description {
  const { image, imageSize } = article ?? {};
  if (!image || !imageSize || imageSize.width > maxWidth || imageSize.height > maxHeight) return {};
  return { thumbnail_url: image, thumbnail_width: imageSize.width, thumbnail_height: imageSize.height };
}

/** Characters that XML 1.0 cannot represent (section 2.2). */
const NON_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function renderXml(description: Description): string {
  const elements = Object.entries(description).map(([name, value]) => {
    const tag = new Markup(name);
    return html`<${tag}>${String(value).replace(NON_XML, '')}</${tag}>`;
  });
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n${html`<oembed>${elements}</oembed>`.text}`;
}

interface Query extends Limits {
  readonly target: URL | null;
  readonly format: OembedFormat;
}

const PARAMETERS = ['url', 'format', 'maxwidth', 'maxheight'];

/**
 * Ignores unknown parameters, which some consumers add. Accepts repetitions of the same value, because consumers append
 * parameters to URLs that already have them.
 */
function parseQuery(parameters: URLSearchParams): Query {
  const ambiguous = PARAMETERS.find((name) => new Set(parameters.getAll(name)).size > 1);
  if (ambiguous !== undefined)
    throw new Refusal('malformed', `The parameter ${ambiguous} has more than one value. Send it once.`);
  const format = formatOf(parameters);
  if (format !== 'json' && format !== 'xml') {
    throw new TransportRefusal('not_implemented', 'The parameter format must be json or xml.');
  }
  const text = parameters.get('url')?.trim();
  if (!text) throw new Refusal('malformed', 'The parameter url is missing. It must be the URL of an embed.');
  return {
    target: URL.parse(text),
    format,
    maxWidth: maxSizeOf(parameters, 'maxwidth'),
    maxHeight: maxSizeOf(parameters, 'maxheight'),
  };
}

function formatOf(parameters: URLSearchParams): string {
  return parameters.get('format')?.toLowerCase() || 'json';
}

/** Ignores values that are not positive integers: some consumers send `undefined` or 0 for no limit. */
function maxSizeOf(parameters: URLSearchParams, name: string): number {
  const text = parameters.get(name)?.trim() ?? '';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}
