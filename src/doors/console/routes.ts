import { type EmbedHost, embedOriginOf } from '../../domain/embed/url.ts';
import { Refusal } from '../../errors.ts';
import type { Exchange, Route } from '../../http/exchange.ts';
import { problemOf, problemResponse } from '../../http/problem.ts';
import { reply } from '../../http/reply.ts';
import { createRepresentation, type Representation } from '../../http/representation.ts';
import { type BuiltFile, readPage, readParts } from './files.ts';

const PARTS = '/console/';

/**
 * The console: its page at `/`, for browsers only, and what the page names below `/console/`. Neither needs a token: who
 * uses the page enters one. Everything is read when it is first asked for, then kept.
 */
export function createConsoleRoutes(host: EmbedHost): (url: URL) => Route | null {
  let page: Promise<Representation> | undefined;
  let parts: Promise<ReadonlyMap<string, BuiltFile>> | undefined;

  const pageRoute = createRoute('/', async ({ request }) => {
    if (!request.headers.get('accept')?.includes('text/html')) throw nothingHere();
    page ??= renderPage(host);
    return (await page).reply(request);
  });
  const partRoute = createRoute('/console/<file>', async ({ request, url }) => {
    parts ??= readParts();
    const file = (await parts).get(url.pathname.slice(PARTS.length));
    if (!file) throw nothingHere();
    return file(request);
  });
  // browsers ask for it beside what is no page; pages name their own
  const iconRoute = createRoute('/favicon.ico', async () =>
    reply(null, { status: 204, headers: { 'cache-control': 'public, max-age=86400' } }),
  );
  return ({ pathname }) => {
    if (pathname === '/') return pageRoute;
    if (pathname === '/favicon.ico') return iconRoute;
    return pathname.startsWith(PARTS) ? partRoute : null;
  };
}

async function renderPage(host: EmbedHost): Promise<Representation> {
  return createRepresentation(await readPage(), {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(host),
    'cache-control': 'no-cache',
    vary: 'Accept',
  });
}

/** Only its own files, calls to this service, and frames of embeds and of what may become one. */
function contentSecurityPolicy(host: EmbedHost): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    'img-src data:',
    "connect-src 'self'",
    `frame-src 'self' ${embedOriginOf(host).replace('://', '://*.')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function nothingHere(): Refusal {
  return new Refusal('not_found', 'There is nothing at this path.');
}

function createRoute(name: string, handle: (exchange: Exchange) => ReturnType<Route['handle']>): Route {
  return { name, methods: ['GET'], handle, refuse: (error, { id }) => problemResponse(problemOf(error), id) };
}
