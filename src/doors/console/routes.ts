import { readFile } from 'node:fs/promises';
import manifest from '../../../package.json' with { type: 'json' };
import { loadOnce } from '../../awaitable.ts';
import { type EmbedHost, embedOriginOf } from '../../domain/embed/url.ts';
import { createAssetRoute } from '../../http/built-files.ts';
import { createPublicRoute, type Route } from '../../http/exchange.ts';
import { isBrowserNavigation } from '../../http/negotiation.ts';
import { reply } from '../../http/reply.ts';
import { createRepresentation, type Representation } from '../../http/representation.ts';

/** Built from `packages/console` by `npm ci`. */
const BUILT = new URL('../../generated/console/', import.meta.url);
const ASSETS = '/console/';

interface Options {
  readonly console: boolean;
  readonly graphiql: boolean;
  /** Null if people sign in with tokens only. */
  readonly oidc: object | null;
}

/** The paths of the service, for a client that begins at `/`. */
const INDEX = {
  name: 'Embed Gateway',
  version: manifest.version,
  rest: '/v1/embeds',
  graphql: '/graphql',
  openapi: '/openapi.json',
  docs: '/docs',
};

/**
 * Creates the routes of `/`, which need no token: the console for browsers, and its files, read at the first request; for
 * other clients, and without the console, an index as JSON.
 */
export function createConsoleRoutes(
  host: EmbedHost,
  { console: hasConsole, graphiql, oidc }: Options,
): (url: URL) => Route | null {
  const getPage = loadOnce(() => renderPage(host, { provider: oidc !== null, graphiql }));
  const index = createRepresentation(JSON.stringify(INDEX), {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'Accept',
  });

  const pageRoute = createPublicRoute('/', async ({ request }) => {
    const isBrowser = hasConsole && isBrowserNavigation(request.headers.get('accept'));
    return (isBrowser ? await getPage() : index).reply(request);
  });
  const assetRoute = createAssetRoute(ASSETS, new URL('console/', BUILT));
  // browsers request it for responses that are not HTML
  const iconRoute = createPublicRoute('/favicon.ico', () =>
    reply(null, { status: 204, headers: { 'cache-control': 'public, max-age=86400' } }),
  );
  return ({ pathname }) => {
    if (pathname === '/') return pageRoute;
    if (!hasConsole) return null;
    if (pathname === '/favicon.ico') return iconRoute;
    return pathname.startsWith(ASSETS) ? assetRoute : null;
  };
}

/** @param parts of the service that the console needs to know of, as attributes of its root */
async function renderPage(host: EmbedHost, parts: Readonly<Record<string, boolean>>): Promise<Representation> {
  const html = await readFile(new URL('index.html', BUILT), 'utf8');
  const names = Object.keys(parts).filter((name) => parts[name]);
  return createRepresentation(html.replace('<html', ['<html', ...names.map((name) => `data-${name}`)].join(' ')), {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(host),
    // no page that opens the console, or that it opens, shares its process or can navigate it
    'cross-origin-opener-policy': 'same-origin',
    // without a referrer, browsers would send no origin with the form of the preview
    'referrer-policy': 'same-origin',
    'cache-control': 'no-cache',
    vary: 'Accept',
  });
}

/** Allows the console's files, requests to this service, icons of sites, and frames of embeds and previews. */
function contentSecurityPolicy(host: EmbedHost): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src 'self' ${embedOriginOf(host).replace('://', '://*.')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
