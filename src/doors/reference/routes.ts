import { readdirSync, readFileSync } from 'node:fs';
import { extname, sep } from 'node:path';
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

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.txt': 'text/plain',
};

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

/** Creates the routes of the reference at `/docs`. They need no token. */
export function createReferenceRoutes(host: EmbedHost, { console, graphiql }: Options): (url: URL) => Route | null {
  const deadLinks = [console ? '' : CONSOLE_LINK, graphiql ? '' : GRAPHIQL_LINK];
  const findPage = createFindPage(host, deadLinks);

  const pageRoute = createPublicRoute('/docs', ({ request, url }) => {
    const origin = serviceOriginOf(url, host);
    const page = url.pathname === MISSING_PAGE ? null : findPage(url.pathname);
    if (page) return page(origin).reply(request);
    const missing = isBrowserNavigation(request.headers.get('accept')) ? findPage(MISSING_PAGE) : null;
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
 * Creates a function that finds a page or the index of the search by its path, and reads it at its first request. Waiting for
 * each file would take turns of the event loop, which are long under load. The examples get the host of the embeds of this service.
 * @param deadLinks of the navigation, to what this service does not have
 */
function createFindPage(host: EmbedHost, deadLinks: readonly string[]): (path: string) => BuiltPage | null {
  const [scheme = '', embedHost = ''] = embedOriginOf(host).split('://');
  const pages = new Map<string, BuiltPage>();
  let files: ReadonlyMap<string, URL> | undefined;

  function readPage(file: URL): BuiltPage {
    const built = readFileSync(file, 'utf8');
    const extension = extname(file.pathname);
    const headers = { 'content-type': `${TYPES[extension]}; charset=utf-8`, 'cache-control': 'no-cache' };
    const linked = deadLinks.reduce((text, link) => text.replaceAll(link, ''), built);
    const text = linked.replace(EXAMPLE_EMBED_ORIGIN, (_, id = '') => `${scheme}://${id}${embedHost}`);
    if (extension === '.md' || extension === '.txt')
      return createRepresentationByOrigin((origin) => text.replaceAll(EXAMPLE_ORIGIN, origin), headers);
    const page =
      extension === '.json'
        ? createRepresentation(built, headers)
        : createRepresentation(text, {
            ...headers,
            'content-security-policy': contentSecurityPolicy(text),
            'cross-origin-opener-policy': 'same-origin',
          });
    return () => page;
  }

  return (path) => {
    files ??= findFiles();
    const file = files.get(path);
    if (!file) return null;
    const page = pages.get(path) ?? readPage(file);
    pages.set(path, page);
    return page;
  };
}

/** Returns the built files by the paths of their pages. */
function findFiles(): ReadonlyMap<string, URL> {
  const folder = new URL('pages/', BUILT);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(sep, '/'));
  const pages = names.filter((name) => /\.(?:html|md|txt)$/.test(name));
  const files = new Map(pages.map((name) => [`/${name.replace(/\.html$/, '')}`, new URL(name, folder)]));
  return files.set(SEARCH_INDEX, new URL('search.json', BUILT));
}
