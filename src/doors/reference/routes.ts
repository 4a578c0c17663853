import { readdir, readFile } from 'node:fs/promises';
import { loadOnce } from '../../awaitable.ts';
import { type EmbedHost, embedOriginOf } from '../../domain/embed/url.ts';
import { Refusal } from '../../errors.ts';
import { createAssetRoute } from '../../http/built-files.ts';
import { createPublicRoute, type Route } from '../../http/exchange.ts';
import { isBrowserNavigation } from '../../http/negotiation.ts';
import { createRepresentation, type Representation } from '../../http/representation.ts';

/** Built from `packages/reference` and `docs` by `npm ci`. */
const BUILT = new URL('../../generated/reference/', import.meta.url);
const ASSETS = '/docs/assets/';
const SEARCH_INDEX = '/docs/search.json';
/** Shown to browsers for any path that has no page. */
const MISSING_PAGE = '/docs/not-found';

/** The default origin of embeds, which the built examples show. */
const EXAMPLE_EMBED_ORIGIN = /http:\/\/(\w+\.)?embeds\.localhost:4000/g;

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

/** Creates the routes of the reference at `/docs`, read at the first request. They need no token. */
export function createReferenceRoutes(host: EmbedHost): (url: URL) => Route | null {
  const getPages = loadOnce(() => readPages(host));

  const pageRoute = createPublicRoute('/docs', async ({ request, url }) => {
    const pages = await getPages();
    const page = url.pathname === MISSING_PAGE ? undefined : pages.get(url.pathname);
    if (page) return page.reply(request);
    const missing = isBrowserNavigation(request.headers.get('accept')) ? pages.get(MISSING_PAGE) : undefined;
    if (!missing) throw new Refusal('not_found', 'There is no such page. Begin at /docs.');
    return missing.reply(request, 404);
  });
  const assetRoute = createAssetRoute(ASSETS, new URL('assets/', BUILT));
  return ({ pathname }) => {
    if (pathname.startsWith(ASSETS)) return assetRoute;
    return /^(?:\/docs(?:\.md|\/.*)?|\/llms\.txt)$/.test(pathname) ? pageRoute : null;
  };
}

/** Reads all pages and the index of the search, by path. The examples get the host of the embeds of this service. */
async function readPages(host: EmbedHost): Promise<ReadonlyMap<string, Representation>> {
  const folder = new URL('pages/', BUILT);
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:html|md|txt)$/.test(name));
  const [scheme = '', embedHost = ''] = embedOriginOf(host).split('://');
  const pages = new Map<string, Representation>();
  // one at a time, because each open file takes a descriptor
  for (const name of names) {
    const html = await readFile(new URL(name, folder), 'utf8');
    const text = html.replace(EXAMPLE_EMBED_ORIGIN, (_, id = '') => `${scheme}://${id}${embedHost}`);
    const isDocument = name.endsWith('.html');
    const headers = isDocument ? pageHeaders(html) : textHeaders(name);
    pages.set(`/${name.replace(/\.html$/, '')}`, createRepresentation(text, headers));
  }
  const index = await readFile(new URL('search.json', BUILT), 'utf8');
  return pages.set(SEARCH_INDEX, createRepresentation(index, INDEX_HEADERS));
}

function pageHeaders(html: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(html),
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-cache',
  };
}

/** Markdown and `llms.txt`. */
function textHeaders(name: string): Readonly<Record<string, string>> {
  const type = name.endsWith('.md') ? 'text/markdown' : 'text/plain';
  return { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' };
}

const INDEX_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };
