import { createAuthenticate } from './auth/authenticate.ts';
import { createIdentify } from './auth/identify.ts';
import type { Config } from './config.ts';
import type { Embed } from './domain/embed.ts';
import { createEmbedIds } from './domain/embed-id.ts';
import { createRun } from './graphql/execute.ts';
import { createGraphQLRoute } from './graphql/server.ts';
import { createHostedRoutes } from './hosted/routes.ts';
import { snippetOf } from './hosted/snippet.ts';
import { createHealthRoutes } from './http/health.ts';
import { createPipeline } from './http/pipeline.ts';
import { type Log, logBug } from './http/request-log.ts';
import { createPageFetcher } from './pages/fetch.ts';
import { createPageLibrary } from './pages/library.ts';
import { isOwnHost } from './pages/own-host.ts';
import { createRestRoutes } from './rest/routes.ts';
import type { Database } from './store/database.ts';

/** The service as one function. */
export interface App {
  fetch(request: Request): Promise<Response>;
  /** Ends what goes on beside requests. */
  close(): Promise<void>;
}

interface Options {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  /** How pages are reached; as the system does by default. */
  readonly pageAccess?: Pick<Parameters<typeof createPageFetcher>[0], 'resolve' | 'dial'>;
}

/** Requests under way at once: calls of the API, which wait for the disk; pages, which may wait for other sites; and
 * checks of the operator, which are answered whatever the others do. */
const MAX_CALLS_IN_FLIGHT = 500;
const MAX_PAGES_IN_FLIGHT = 1_000;
const MAX_CHECKS_IN_FLIGHT = 100;

/** Plugs the rooms into each other. What is passed in is opened and closed by the caller. */
export function createApp({ config, database, log, pageAccess = {} }: Options): App {
  const pagePolicy = { allowPrivatePages: config.allowPrivatePages };
  const pages = createPageLibrary({
    fetcher: createPageFetcher({ policy: pagePolicy, isOwnHost: (host) => isOwnHost(host, config), ...pageAccess }),
    copies: database.pages,
    onBug: (error) => logBug(log, 'pages', error),
  });
  const services = {
    embeds: database.embeds,
    pages,
    snippetOf: (embed: Embed) => snippetOf(embed, config),
    newEmbedIdentity: createEmbedIds(),
    pagePolicy,
    embedHost: config.embedHost,
  };
  const identify = createIdentify(createAuthenticate(database.tokens, config.accessToken), config.rateLimit);

  const hosted = createHostedRoutes({ ...services, fontCssUrl: config.fontCssUrl });
  const rest = createRestRoutes({ run: createRun(services), identify });
  const graphql = createGraphQLRoute({ services, identify, log, graphiql: config.graphiql });
  const health = createHealthRoutes(database);

  return {
    fetch: createPipeline({
      doors: [
        { findRoute: hosted, maxInFlight: MAX_PAGES_IN_FLIGHT },
        { findRoute: health, maxInFlight: MAX_CHECKS_IN_FLIGHT },
        { findRoute: (url) => rest(url) ?? graphql(url), maxInFlight: MAX_CALLS_IN_FLIGHT },
      ],
      log,
      corsOrigins: config.corsOrigins,
    }),
    close: () => pages.close(),
  };
}
