import { readdir, readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import { loadOnce } from '../../awaitable.ts';
import { type EmbedHost, embedOriginOf, serviceOriginOf } from '../../domain/embed/url.ts';
import { Refusal } from '../../errors.ts';
import { createAssetRoute } from '../../http/built-files.ts';
import { createPublicRoute, type Route } from '../../http/exchange.ts';
import { isBrowserNavigation } from '../../http/negotiation.ts';
import { createRepresentation, createRepresentationByOrigin, type Representation } from '../../http/representation.ts';

/** Built from `packages/reference` and `docs` by `npm ci`. */
const BUILT = new URL('../../generated/reference/', import.meta.url);
const ASSETS = '/docs/assets/';
const SEARCH_INDEX = '/docs/search.json';
/** Shown to browsers for any path that has no page. */
const MISSING_PAGE = '/docs/not-found';

/** The default origin of embeds, which the built examples show. */
const EXAMPLE_EMBED_ORIGIN = /http:\/\/(\w+\.)?embeds\.localhost:4000/g;
/** The default origin of the service. The script of a document replaces it. */
const EXAMPLE_ORIGIN = 'http://127.0.0.1:4000';

/** Links of the navigation, as the build writes them. */
const CONSOLE_LINK = '<a href="/">Console</a>';
const GRAPHIQL_LINK = '<a href="/graphql">GraphiQL</a>';

/** Returns what is sent to readers of the service at an origin. */
type BuiltPage = (origin: string) => Representation;

/** Allows the scripts of the page by the hashes that its attributes name, which the build has computed. */
function contentSecurityPolicy(html: string): string {
  const scripts = [...html.matchAll(/integrity="(sha256-[\w+/=]+)"/g)].map(([, hash]) => `'${hash}'`);
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ') || "'none'"}`,
    "style-src 'self'",
    "font-src 'self'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

interface Options {
  readonly console: boolean;
  readonly graphiql: boolean;
}

/** Creates the routes of the reference at `/docs`, read at the first request. They need no token. */
export function createReferenceRoutes(host: EmbedHost, { console, graphiql }: Options): (url: URL) => Route | null {
  const deadLinks = [console ? '' : CONSOLE_LINK, graphiql ? '' : GRAPHIQL_LINK];
  const getPages = loadOnce(() => readPages(host, deadLinks));

  const pageRoute = createPublicRoute('/docs', async ({ request, url }) => {
    const pages = await getPages();
    const origin = serviceOriginOf(url, host);
    const page = url.pathname === MISSING_PAGE ? undefined : pages.get(url.pathname);
    if (page) return page(origin).reply(request);
    const missing = isBrowserNavigation(request.headers.get('accept')) ? pages.get(MISSING_PAGE) : undefined;
    if (!missing) throw new Refusal('not_found', 'There is no such page. Begin at /docs.');
    return missing(origin).reply(request, 404);
  });
  const assetRoute = createAssetRoute(ASSETS, new URL('assets/', BUILT));
  return ({ pathname }) => {
    if (pathname.startsWith(ASSETS)) return assetRoute;
    return /^(?:\/docs(?:\.md|\/.*)?|\/llms\.txt)$/.test(pathname) ? pageRoute : null;
  };
}

/**
 * Reads all pages and the index of the search, by path. The examples get the host of the embeds of this service.
 * @param deadLinks of the navigation, to what this service does not have
 */
async function readPages(host: EmbedHost, deadLinks: readonly string[]): Promise<ReadonlyMap<string, BuiltPage>> {
  const folder = new URL('pages/', BUILT);
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:html|md|txt)$/.test(name));
  const [scheme = '', embedHost = ''] = embedOriginOf(host).split('://');
  const pages = new Map<string, BuiltPage>();
  // one at a time, because each open file takes a descriptor
  for (const file of files) {
    const name = file.replaceAll(sep, '/');
    const built = await readFile(new URL(name, folder), 'utf8');
    const linked = deadLinks.reduce((text, link) => text.replaceAll(link, ''), built);
    const text = linked.replace(EXAMPLE_EMBED_ORIGIN, (_, id = '') => `${scheme}://${id}${embedHost}`);
    pages.set(`/${name.replace(/\.html$/, '')}`, name.endsWith('.html') ? documentOf(text) : textOf(name, text));
  }
  const index = await readFile(new URL('search.json', BUILT), 'utf8');
  const search = createRepresentation(index, headersOf('application/json'));
  return pages.set(SEARCH_INDEX, () => search);
}

function documentOf(html: string): BuiltPage {
  const page = createRepresentation(html, {
    ...headersOf('text/html'),
    'content-security-policy': contentSecurityPolicy(html),
    'cross-origin-opener-policy': 'same-origin',
  });
  return () => page;
}

/** Markdown and `llms.txt`. */
function textOf(name: string, text: string): BuiltPage {
  const headers = headersOf(name.endsWith('.md') ? 'text/markdown' : 'text/plain');
  return createRepresentationByOrigin((origin) => text.replaceAll(EXAMPLE_ORIGIN, origin), headers);
}

function headersOf(type: string) {
  return { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' };
}
