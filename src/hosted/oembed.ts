import { type Embed, type EmbedHost, embedOriginOf, embedUrlOf } from '../domain/embed.ts';
import { type Fault, Refusal, refuseFaults } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { TransportRefusal } from '../http/problem.ts';
import { findEmbedId } from './embed-host.ts';
import { html, Markup } from './markup.ts';
import { renderSnippet, SNIPPET_HEIGHT_PX } from './snippet.ts';

interface OembedServices extends EmbedHost {
  readonly embeds: { findForAnyone(id: string): Promise<Embed | null> };
}

const WIDTH_PX = 800;
/** How long a consumer may keep the answer. */
const CACHE_AGE_S = 3_600;

/** Where the oEmbed answer for an embed is; a format may be appended. */
export function oembedUrlOf(embedUrl: string, host: EmbedHost): string {
  return `${embedOriginOf(host)}/oembed?url=${encodeURIComponent(embedUrl)}`;
}

/**
 * `GET /oembed` (oEmbed 1.0): what a consumer needs to show an embed of which it has the URL. 404 for other URLs, 501 for
 * formats other than `json` and `xml`.
 */
export async function oembed(url: URL, services: OembedServices): Promise<Response> {
  const { target, format, maxWidth, maxHeight } = parseQuery(url.searchParams);
  const id = findEmbedId(target, services);
  const embed = id && (await services.embeds.findForAnyone(id));
  if (!embed) throw new Refusal('not_found', 'There is no embed at this URL.');
  const width = Math.min(WIDTH_PX, maxWidth);
  const height = Math.min(SNIPPET_HEIGHT_PX, maxHeight);
  return format === 'xml'
    ? xmlResponse(describe(embed, { width, height }, services))
    : jsonResponse(describe(embed, { width, height }, services));
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

function jsonResponse(description: Description): Response {
  return answer(JSON.stringify(description), { headers: { 'content-type': 'application/json; charset=utf-8' } });
}

function xmlResponse(description: Description): Response {
  const elements = Object.entries(description).map(([name, value]) => {
    const tag = new Markup(name);
    return html`<${tag}>${String(value)}</${tag}>`;
  });
  const body = `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n${html`<oembed>${elements}</oembed>`.text}`;
  return answer(body, { headers: { 'content-type': 'text/xml; charset=utf-8' } });
}

interface Query {
  readonly target: URL;
  readonly format: 'json' | 'xml';
  readonly maxWidth: number;
  readonly maxHeight: number;
}

/** Consumers send parameters of their own; those that oEmbed does not name are let be. */
function parseQuery(parameters: URLSearchParams): Query {
  const format = parameters.get('format') ?? 'json';
  if (format !== 'json' && format !== 'xml') {
    throw new TransportRefusal('not_implemented', 'The formats are json and xml.');
  }
  const faults: Fault[] = [];
  const size = (path: string) => {
    const text = parameters.get(path);
    if (text === null) return Number.POSITIVE_INFINITY;
    if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
    faults.push({ path, message: 'must be a number of pixels, 1 or more' });
    return 0;
  };
  const maxWidth = size('maxwidth');
  const maxHeight = size('maxheight');
  const text = parameters.get('url');
  const target = text !== null && URL.canParse(text) ? new URL(text) : null;
  if (!target) faults.push({ path: 'url', message: 'must be the URL of an embed' });
  if (faults.length > 0 || !target) throw refuseFaults(faults);
  return { target, format, maxWidth, maxHeight };
}
