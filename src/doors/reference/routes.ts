import { readdir, readFile } from 'node:fs/promises';
import { type EmbedHost, embedOriginOf } from '../../domain/embed/url.ts';
import { Refusal } from '../../errors.ts';
import { createAssetRoute } from '../../http/built-files.ts';
import { createPublicRoute, type Route } from '../../http/exchange.ts';
import { createRepresentation, type Representation } from '../../http/representation.ts';

/** Built from `src/reference` and `docs` by `npm ci`. */
const BUILT = new URL('../../generated/reference/', import.meta.url);
const ASSETS = '/docs/assets/';
const SEARCH_INDEX = '/docs/search.json';

/** The default origin of embeds, which the built examples show. */
const EXAMPLE_EMBED_ORIGIN = /http:\/\/(\w+\.)?embeds\.localhost:4000/g;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Creates the routes of the reference at `/docs`, read at the first request. They need no token. */
export function createReferenceRoutes(host: EmbedHost): (url: URL) => Route | null {
  let pages: Promise<ReadonlyMap<string, Representation>> | undefined;

  const pageRoute = createPublicRoute('/docs', async ({ request, url }) => {
    pages ??= readPages(host);
    const page = (await pages).get(url.pathname);
    if (!page) throw new Refusal('not_found', 'There is no such page. Begin at /docs.');
    return page.reply(request);
  });
  const assetRoute = createAssetRoute(ASSETS, new URL('assets/', BUILT));
  return ({ pathname }) => {
    if (pathname.startsWith(ASSETS)) return assetRoute;
    return pathname === '/docs' || (pathname.startsWith('/docs/') && pathname !== '/docs/') ? pageRoute : null;
  };
}

/** Reads all pages and the index of the search, by path. The examples get the host of the embeds of this service. */
async function readPages(host: EmbedHost): Promise<ReadonlyMap<string, Representation>> {
  const folder = new URL('pages/', BUILT);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.html'));
  const [scheme = '', embedHost = ''] = embedOriginOf(host).split('://');
  const pages = names.map(async (name) => {
    const html = await readFile(new URL(name, folder), 'utf8');
    const text = html.replace(EXAMPLE_EMBED_ORIGIN, (_, id = '') => `${scheme}://${id}${embedHost}`);
    return [`/${name.slice(0, -'.html'.length)}`, createRepresentation(text, PAGE_HEADERS)] as const;
  });
  const index = await readFile(new URL('search.json', BUILT), 'utf8');
  return new Map([...(await Promise.all(pages)), [SEARCH_INDEX, createRepresentation(index, INDEX_HEADERS)]]);
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cache-control': 'no-cache',
};

const INDEX_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };
