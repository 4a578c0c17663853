import type { Embed } from '../../domain/embed/embed.ts';
import { type EmbedHost, type EmbedHosts, embedOriginOf, embedUrlOf } from '../../domain/embed/url.ts';
import { Refusal } from '../../errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import { problemOf, problemResponse, TransportRefusal } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { createRepresentation } from '../../http/representation.ts';
import { findEmbedId } from './embed-host.ts';
import { html, Markup } from './render/markup.ts';
import { renderSnippet, SNIPPET_HEIGHT_PX } from './snippet.ts';

interface OembedServices extends EmbedHosts {
  readonly embeds: { findForAnyone(id: string): Promise<Embed | null> };
}

const WIDTH_PX = 800;
/** How long a consumer may keep the answer. */
const CACHE_AGE_S = 3_600;

export type OembedFormat = 'json' | 'xml';
export type OembedUrls = Readonly<Record<OembedFormat, string>>;

/** How pages announce their answer (oEmbed 1.0 section 4). */
export const OEMBED_TYPES: Readonly<Record<OembedFormat, string>> = {
  json: 'application/json+oembed',
  xml: 'text/xml+oembed',
};

/** Where the oEmbed answer for an embed is, in each format. */
export function oembedUrlsOf(embedUrl: string, host: EmbedHost): OembedUrls {
  const url = `${embedOriginOf(host)}/oembed?url=${encodeURIComponent(embedUrl)}`;
  return { json: `${url}&format=json`, xml: `${url}&format=xml` };
}

/**
 * `GET /oembed` (oEmbed 1.0): what a consumer needs to show an embed of which it has the URL.
 * @throws {Refusal} `malformed` without a URL or with two values of a parameter, `not_found` for what is not the URL of an embed
 * @throws {TransportRefusal} `not_implemented` for formats other than JSON and XML
 */
export async function oembed({ url, request }: Pick<Exchange, 'url' | 'request'>, services: OembedServices) {
  const { target, format, maxWidth, maxHeight } = parseQuery(url.searchParams);
  const id = target && findEmbedId(target, services);
  const embed = id && (await services.embeds.findForAnyone(id));
  if (!embed) throw new Refusal('not_found', 'There is no embed at this URL.');
  const size = { width: Math.min(WIDTH_PX, maxWidth), height: Math.min(SNIPPET_HEIGHT_PX, maxHeight) };
  const description = describe(embed, size, services);
  const text = format === 'xml' ? xmlOf(description) : JSON.stringify(description);
  return createRepresentation(text, {
    'content-type': `${format === 'xml' ? 'text/xml' : 'application/json'}; charset=utf-8`,
    'cache-control': `public, max-age=${CACHE_AGE_S}`,
  }).reply(request);
}

/** An error in words that the consumer can read: whoever asks for XML need not know JSON. */
export function refuseOembed(error: unknown, { url, id }: Pick<Exchange, 'url' | 'id'>): Reply {
  const problem = problemOf(error);
  if (formatOf(url.searchParams) !== 'xml') return problemResponse(problem, id);
  const { status, detail, headers } = problem;
  const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return reply(detail, { status, headers: { ...type, ...headers } });
}

type Description = Readonly<Record<string, string | number>>;

function describe(
  embed: Embed,
  size: { readonly width: number; readonly height: number },
  host: EmbedHost,
): Description {
  const { title, mode } = embed;
  const snippet = { embedUrl: embedUrlOf(embed, host), title, mode, scriptUrl: null, ...size };
  return {
    version: '1.0',
    type: 'rich',
    title,
    provider_name: 'Embed Gateway',
    provider_url: embedOriginOf(host),
    cache_age: CACHE_AGE_S,
    html: renderSnippet(snippet),
    ...size,
  };
}

/** What XML 1.0 allows in a document (section 2.2): all else cannot be said in it at all. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function xmlOf(description: Description): string {
  const elements = Object.entries(description).map(([name, value]) => {
    const tag = new Markup(name);
    return html`<${tag}>${String(value).replace(NOT_XML, '')}</${tag}>`;
  });
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n${html`<oembed>${elements}</oembed>`.text}`;
}

interface Query {
  /** Null for a text that is no URL. */
  readonly target: URL | null;
  readonly format: OembedFormat;
  readonly maxWidth: number;
  readonly maxHeight: number;
}

const NAMES = ['url', 'format', 'maxwidth', 'maxheight'];

/**
 * Parameters that oEmbed does not name are ignored: consumers send some of their own. Consumers also append parameters to
 * a URL that has them already, so a repetition of the same value is accepted; two values are an error.
 */
function parseQuery(parameters: URLSearchParams): Query {
  const twofold = NAMES.find((name) => new Set(parameters.getAll(name)).size > 1);
  if (twofold !== undefined) throw new Refusal('malformed', `Send ${twofold} once.`);
  const format = formatOf(parameters);
  if (format !== 'json' && format !== 'xml') {
    throw new TransportRefusal('not_implemented', 'The formats are json and xml.');
  }
  const text = parameters.get('url')?.trim();
  if (!text) throw new Refusal('malformed', 'Send the URL of an embed as url.');
  const target = URL.canParse(text) ? new URL(text) : null;
  return { target, format, maxWidth: boundOf(parameters, 'maxwidth'), maxHeight: boundOf(parameters, 'maxheight') };
}

function formatOf(parameters: URLSearchParams): string {
  return parameters.get('format')?.toLowerCase() || 'json';
}

/** A bound in pixels. Consumers that have none also send it empty, as 0 or as `undefined`: those are no bounds. */
function boundOf(parameters: URLSearchParams, name: string): number {
  const text = parameters.get(name)?.trim() ?? '';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}
