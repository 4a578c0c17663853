import type { Plugin } from 'graphql-yoga';
import type { ArticleReader } from '#reader/article-reader';
import { createAccess } from './app/access.ts';
import { loadApiRoutes } from './app/api.ts';
import { createServices } from './app/connected-services.ts';
import { createOutgoing, type PageAccess } from './app/outgoing.ts';
import { createPurges } from './app/purges.ts';
import { findBearerToken } from './auth/authenticate.ts';
import { type Awaitable, andThen } from './awaitable.ts';
import type { Config } from './config.ts';
import { loadCode } from './descriptors.ts';
import { createSecretCheck } from './domain/identity/token.ts';
import { createConsoleRoutes } from './doors/console/routes.ts';
import { createOpenSubscriptions } from './doors/graphql/open-subscriptions.ts';
import { createHostedRoutes } from './doors/hosted/routes.ts';
import { createReferenceRoutes } from './doors/reference/routes.ts';
import { similarRestPathsOf } from './doors/rest/similar-paths.ts';
import { Refusal } from './errors.ts';
import type { TrustedDocuments } from './graphql/execution/trusted-documents.ts';
import { createClientAddressOf } from './http/client-address.ts';
import type { IncomingRequest } from './http/exchange.ts';
import { createMonitoringRoutes } from './http/monitoring.ts';
import { createPipeline } from './http/pipeline.ts';
import { type Reply, toResponse } from './http/reply.ts';
import type { Log } from './log.ts';
import type { Database } from './store/database.ts';
import { instrumentRequest } from './telemetry/instrument.ts';
import { NO_TELEMETRY, type Telemetry } from './telemetry/telemetry.ts';

export interface App {
  handle(request: IncomingRequest): Awaitable<Reply>;
  /** Like {@link handle}, with a response of the Fetch standard. */
  fetch(request: Request): Promise<Response>;
  /** Starts the process that reads pages, which otherwise the first page waits for. */
  startReader(): void;
  /** Loads the code of REST and GraphQL, which otherwise the first request waits for. A failure is not final. */
  load(): Promise<void>;
  /** Ends the open subscriptions and rejects new ones. */
  endSubscriptions(): void;
  /** Logs which browser renders pages, or why none does. */
  announceRenderer(): Promise<void>;
  /** Makes `/readyz` return 503. Requests are still handled. */
  announceStop(): void;
  close(): Promise<void>;
}

interface Options {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly telemetry?: Telemetry;
  readonly trustedDocuments?: TrustedDocuments | null;
  /** Plugins of Yoga for the phases of requests to `/graphql`. */
  readonly plugins?: readonly Plugin[];
  /** Replaces the system's name resolution and connections for pages. */
  readonly pageAccess?: PageAccess;
  /** Shared with other apps: the caller closes it. By default the app has one of its own. */
  readonly articleReader?: ArticleReader;
}

const MAX_API_REQUESTS_IN_FLIGHT = 500;
/** Hosted pages may wait for other sites. */
const MAX_PAGES_IN_FLIGHT = 1_000;
/** Separate, so that pages are served while the sites of pictures are slow. */
const MAX_PICTURES_IN_FLIGHT = 1_000;
/** Separate, so that health and metrics work under any load. */
const MAX_MONITORING_IN_FLIGHT = 100;

/** Connects the rooms. The caller opens and closes the database and the telemetry. */
export function createApp(options: Options): App {
  const { config, database, log, telemetry = NO_TELEMETRY, trustedDocuments = null, plugins } = options;
  const { pageAccess = {}, articleReader } = options;
  const { observers, metrics } = telemetry;
  const purges = createPurges(config, log, observers);
  const outgoing = createOutgoing({
    ...{ config, database, log, observers, pageAccess, articleReader },
    // called after this function has returned, so `hosted` is there
    onChange(pageUrl) {
      const urls = hosted.expireSource(pageUrl);
      purges?.purgeSource(pageUrl, urls);
    },
  });
  const services = createServices(config, database, { outgoing, observers });
  database.listen({
    readsDeleted: purges !== null,
    onEmbedWrite(write) {
      hosted.noteWrite(write.embedId, write.after);
      purges?.purgeEmbed(write);
    },
    onAccountWrite: (accountId) => purges?.purgeAccount(accountId, hosted.findUrlsOfAccount(accountId)),
  });
  const { tokens } = services;
  const { authenticate, identify, signIn } = createAccess(config, { ...database, tokens }, observers);
  const subscriptions = createOpenSubscriptions(authenticate);

  const hosted = createHostedRoutes({
    ...services,
    embedHostAlias: config.embedHostAlias,
    fontCssUrl: config.fontCssUrl,
    pictures: outgoing.pictures,
    hasLocalPictures: config.imageProxy,
    views: config.views ? database.views : null,
    identify,
    previews: config.console,
    staleIfErrorS: config.staleIfErrorS,
    isDatabaseRemote: database.isRemote,
    placeOfId: database.placeOfId,
    hasPurges: purges !== null,
  });
  const referenceRoutes = createReferenceRoutes(config, config);
  const consoleRoutes = createConsoleRoutes(config, config);
  const apiRoutes = loadCode(() =>
    loadApiRoutes(services, { config, log, identify, subscriptions, trustedDocuments, plugins }),
  );
  const loadExecution = loadCode(() => Promise.all([import('./graphql/execution/yoga.ts'), import('graphql-jit')]));
  let isStopping = false;
  const monitoringRoutes = createMonitoringRoutes({
    async ping() {
      if (isStopping) throw new Refusal('unavailable', 'The service is stopping.');
      await database.ping();
    },
    metrics,
    canReadMetrics: createBearerCheck(config.metricsToken),
  });

  const pipeline = createPipeline({
    doors: [
      { findRoute: hosted.pictures, maxInFlight: MAX_PICTURES_IN_FLIGHT },
      { findRoute: hosted.pages, maxInFlight: MAX_PAGES_IN_FLIGHT },
      { findRoute: monitoringRoutes, maxInFlight: MAX_MONITORING_IN_FLIGHT },
      {
        findRoute: (url) =>
          referenceRoutes(url) ??
          consoleRoutes(url) ??
          signIn(url) ??
          andThen(apiRoutes(), (findRoute) => findRoute(url)),
        similarPathsOf: similarRestPathsOf,
        maxInFlight: MAX_API_REQUESTS_IN_FLIGHT,
      },
    ],
    log,
    corsOrigins: config.corsOrigins,
    clientAddressOf: createClientAddressOf(config.trustProxy),
    onReply(completed) {
      for (const observer of observers) observer.requestCompleted(completed);
    },
    onOpenStreamsChange(count) {
      for (const observer of observers) observer.openStreamsChanged(count);
    },
  });

  const handle: App['handle'] = (request) => instrumentRequest(request.headers, () => pipeline(request), observers);
  return {
    handle,
    fetch: async (request) => toResponse(await handle(request)),
    async load() {
      await apiRoutes();
      await loadExecution();
    },
    startReader: outgoing.pages.start,
    endSubscriptions: subscriptions.close,
    announceRenderer: outgoing.announceRenderer,
    announceStop() {
      isStopping = true;
    },
    async close() {
      subscriptions.close();
      await Promise.all([outgoing.close(), database.settleWrites()]);
      await purges?.close();
    },
  };
}

/** Creates a check of Authorization headers. It rejects all of them if there is no secret. */
function createBearerCheck(secret: string | null): (authorization: string | null) => boolean {
  if (secret === null) return () => false;
  const isSecret = createSecretCheck(secret);
  return (authorization) => isSecret(authorization === null ? '' : (findBearerToken(authorization) ?? ''));
}
