import type { Article } from '../domain/article.ts';
import { type Embed, embedUrlOf } from '../domain/embed.ts';
import { answer } from '../http/answer.ts';
import { etagOf, matchesWeakly } from '../http/etag.ts';
import type { HostedPage } from './document.ts';
import { oembedUrlOf } from './oembed.ts';
import { renderEmbedPage, renderNotFoundPage } from './view.ts';

/** What the hosted door works with. */
export interface HostedServices {
  readonly embedHost: string;
  /** Address of a provider's style sheet, with `{family}` where the name of the font stands; null for no web fonts. */
  readonly fontCssUrl: string | null;
  readonly embeds: { findForAnyone(id: string): Promise<Embed | null> };
  readonly pages: { findArticle(pageUrl: string): Promise<Article | null> };
}

/** The page of the embed, at its canonical path; elsewhere the way there, whatever the query string. */
export async function embedPage(
  id: string | null,
  { request, url }: { readonly request: Request; readonly url: URL },
  services: HostedServices,
): Promise<Response> {
  const embed = id && (await services.embeds.findForAnyone(id));
  if (!embed) return pageResponse(404, renderNotFoundPage(), {});
  const embedUrl = embedUrlOf(embed, services);
  const { pathname } = new URL(embedUrl);
  if (url.pathname !== pathname) {
    return answer(null, { status: 308, headers: { location: pathname, 'cache-control': 'no-cache' } });
  }
  const article = (await services.pages.findArticle(embed.pageUrl)) ?? cardOf(embed);
  const oembedUrl = oembedUrlOf(embedUrl, services);
  const page = renderEmbedPage({ embed, article, embedUrl, oembedUrl, fontCssUrl: fontCssUrlOf(embed, services) });
  const etag = etagOf(page.html);
  const link = ['json', 'xml'].map((format) => {
    const type = format === 'json' ? 'application/json+oembed' : 'text/xml+oembed';
    return `<${oembedUrl}&format=${format}>; rel="alternate"; type="${type}"`;
  });
  const condition = request.headers.get('if-none-match');
  if (condition !== null && matchesWeakly(condition, etag)) {
    return answer(null, { status: 304, headers: { etag, 'cache-control': CACHE_CONTROL } });
  }
  return pageResponse(200, page, { etag, link: link.join(', ') });
}

/** Browsers keep the page, but ask each time: an update of the embed is seen by the next reader. */
const CACHE_CONTROL = 'no-cache';

/** `frame-ancestors` of the policy is what lets the page be framed; `X-Frame-Options` could only forbid it. */
function pageResponse(status: number, page: HostedPage, headers: Readonly<Record<string, string>>): Response {
  return answer(page.html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': page.contentSecurityPolicy,
      'cache-control': CACHE_CONTROL,
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      ...headers,
    },
  });
}

/** What is shown of a page that cannot be had: the little that its embed knows. */
function cardOf({ title, pageUrl }: Embed): Article {
  return {
    title,
    headTitle: null,
    site: new URL(pageUrl).hostname.replace(/^www\./, ''),
    language: null,
    direction: null,
    byline: null,
    description: null,
    image: null,
    content: null,
  };
}

function fontCssUrlOf({ font }: Embed, { fontCssUrl }: HostedServices): string | null {
  return fontCssUrl?.replace('{family}', encodeURIComponent(font).replaceAll('%20', '+')) ?? null;
}
