import type { Plugin } from 'graphql-yoga';
import type { ArticleReader } from '#reader/article-reader';
import { createAccess } from './app/access.ts';
import { createFindOutline, withHeights } from './app/page-heights.ts';
import { createPageRenderer } from './app/page-renderer.ts';
import { createPurges } from './app/purges.ts';
import { findBearerToken } from './auth/authenticate.ts';
import type { Identify } from './auth/identify.ts';
import { type Awaitable, andThen } from './awaitable.ts';
import type { Config } from './config.ts';
import { loadCode } from './descriptors.ts';
import type { Embed } from './domain/embed/embed.ts';
import { createEmbedIdGenerator } from './domain/embed/id.ts';
import { embedOriginOf, schemeOf } from './domain/embed/url.ts';
import { createSecretCheck } from './domain/identity/token.ts';
import { createConsoleRoutes } from './doors/console/routes.ts';
import { createOpenSubscriptions, type OpenSubscriptions } from './doors/graphql/open-subscriptions.ts';
import { isBundledFont } from './doors/hosted/bundled-fonts.ts';
import { createHostedRoutes } from './doors/hosted/routes.ts';
import { snippetOf } from './doors/hosted/snippet.ts';
import { createReferenceRoutes } from './doors/reference/routes.ts';
import { similarRestPathsOf } from './doors/rest/similar-paths.ts';
import { Refusal } from './errors.ts';
import type { Services } from './graphql/execution/context.ts';
import type { RunOperation } from './graphql/execution/run-operation.ts';
import type { TrustedDocuments } from './graphql/execution/trusted-documents.ts';
import { createClientAddressOf } from './http/client-address.ts';
import type { IncomingRequest, Route } from './http/exchange.ts';
import { createMonitoringRoutes } from './http/monitoring.ts';
import { createPipeline } from './http/pipeline.ts';
import { type Reply, toResponse } from './http/reply.ts';
import { createErrorLog, type Log, logBug } from './log.ts';
import { createArticleCache } from './pages/article-cache.ts';
import { createPageFetcher } from './pages/fetch/fetch.ts';
import { createFontCheck } from './pages/font-check.ts';
import { createPictureCache } from './pages/picture-cache.ts';
import { startWatcher } from './pages/watcher.ts';
import type { Database } from './store/database.ts';
import type { CreateList } from './store/embeds/lists.ts';
import { type EmbedWrite, withAccountListener, withWriteListener } from './store/write-listener.ts';
import { instrument, instrumentRequest } from './telemetry/instrument.ts';
import { NO_TELEMETRY, type Telemetry } from './telemetry/telemetry.ts';
import { createDeliverer } from './webhooks/deliverer.ts';
import { withPageEvents } from './webhooks/page-events.ts';

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
  readonly pageAccess?: Pick<Parameters<typeof createPageFetcher>[0], 'resolve' | 'dial'>;
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
  const { config, database, log, telemetry = NO_TELEMETRY, trustedDocuments = null, pageAccess = {} } = options;
  const { observers, metrics } = telemetry;
  const pagePolicy = { allowPrivatePages: config.allowPrivatePages };
  const fetcher = createPageFetcher({
    policy: pagePolicy,
    ownAddresses: config,
    // like crawlers: a name, and a URL for questions
    userAgent: `EmbedGateway (+${embedOriginOf(config)}/)`,
    ...pageAccess,
  });
  const instrumentedFetcher = instrument('pages', fetcher, observers);
  const { renderer, announce: announceRenderer } = createPageRenderer(config, instrumentedFetcher, log, observers);
  const purges = createPurges(config, log, observers);
  const deliverer = createDeliverer({ ...database, fetcher: instrumentedFetcher, host: config, log });
  const eventOptions = { ...database, onError: createErrorLog(log, 'webhooks') };
  const copies = instrument('store.pages', withPageEvents(withHeights(database.pages), eventOptions), observers);
  const sources = { fetcher: instrumentedFetcher, robotsMode: config.robots, now: database.now };
  const pages = createArticleCache({
    ...sources,
    copies,
    versions: database.pageVersions,
    renderer,
    reader: options.articleReader,
    onEvent: (event) => {
      if ('error' in event) logBug(log, 'pages', event.error);
      else for (const observer of observers) observer.revalidated(event.outcome);
    },
    onChange(pageUrl) {
      const urls = hosted.expireSource(pageUrl);
      purges?.purgeSource(pageUrl, urls);
    },
  });
  const pictures = createPictureCache(instrument('pictures', fetcher, observers));
  const tokens = instrument('store.tokens', database.tokens, observers);
  const embeds = instrument('store.embeds', database.embeds, observers);
  const createList: CreateList = (accountId, filter) =>
    instrument('store.lists', database.createList(accountId, filter), observers);
  const findOutline = createFindOutline(pages);
  const { changes, audit, auditEvents, webhooks, outbox, views, watches, pageVersions, now } = database;
  const watcher = startWatcher({ ...sources, watches, pages, onError: createErrorLog(log, 'watcher') });
  const services = {
    ...{ changes, audit, auditEvents, webhooks, outbox, views, watches, pageVersions, now },
    accounts: withAccountListener(database.accounts, (id) => purges?.purgeAccount(id, hosted.findUrlsOfAccount(id))),
    embeds: withWriteListener(embeds, onEmbedWrite, { readsDeleted: purges !== null }),
    createList,
    tokens,
    sendDelivery: deliverer.send,
    pages: { ...pages, findOutline },
    fonts: createFontCheck({ fetcher, fontCssUrl: config.fontCssUrl, isBundled: isBundledFont }),
    async snippetOf(embed: Embed) {
      return snippetOf(embed, config, await findOutline(embed.pageUrl));
    },
    newEmbedIdentity: createEmbedIdGenerator(() => database.now().getTime()),
    pagePolicy,
    embedHost: config.embedHost,
    embedScheme: schemeOf(config),
  };
  const { authenticate, identify, signIn } = createAccess(config, { ...database, tokens }, observers);
  const subscriptions = createOpenSubscriptions(authenticate);

  const hosted = createHostedRoutes({
    ...services,
    embedHostAlias: config.embedHostAlias,
    fontCssUrl: config.fontCssUrl,
    pictures,
    hasLocalPictures: config.imageProxy,
    views: config.views ? views : null,
    identify,
    previews: config.console,
    staleIfErrorS: config.staleIfErrorS,
    isDatabaseRemote: database.isRemote,
    placeOfId: database.placeOfId,
    hasPurges: purges !== null,
  });
  const reference = createReferenceRoutes(config, config);
  const console = createConsoleRoutes(config, config);
  const apiOptions = { config, log, identify, subscriptions, trustedDocuments, plugins: options.plugins };
  const findApi = loadCode(() => loadApi(services, apiOptions));
  const loadExecution = loadCode(() => Promise.all([import('./graphql/execution/yoga.ts'), import('graphql-jit')]));
  let isStopping = false;
  const monitoring = createMonitoringRoutes({
    async ping() {
      if (isStopping) throw new Refusal('unavailable', 'The service is stopping.');
      await database.ping();
    },
    metrics,
    canReadMetrics: createBearerCheck(config.metricsToken),
  });

  const doors = [
    { findRoute: hosted.pictures, maxInFlight: MAX_PICTURES_IN_FLIGHT },
    { findRoute: hosted.pages, maxInFlight: MAX_PAGES_IN_FLIGHT },
    { findRoute: monitoring, maxInFlight: MAX_MONITORING_IN_FLIGHT },
    {
      findRoute: (url: URL) =>
        reference(url) ?? console(url) ?? signIn(url) ?? andThen(findApi(), (findRoute) => findRoute(url)),
      similarPathsOf: similarRestPathsOf,
      maxInFlight: MAX_API_REQUESTS_IN_FLIGHT,
    },
  ];
  const pipeline = createObservedPipeline(doors, config, log, observers);

  function onEmbedWrite(write: EmbedWrite): void {
    hosted.noteWrite(write.id, write.after);
    purges?.purgeEmbed(write);
  }

  const handle: App['handle'] = (request) => instrumentRequest(request.headers, () => pipeline(request), observers);
  return {
    handle,
    fetch: async (request) => toResponse(await handle(request)),
    async load() {
      await findApi();
      await loadExecution();
    },
    startReader: pages.start,
    endSubscriptions: subscriptions.close,
    async close() {
      subscriptions.close();
      await Promise.all([watcher.close(), pages.close(), pictures.close(), deliverer.close()]);
      await purges?.close();
    },
    announceRenderer,
    announceStop() {
      isStopping = true;
    },
  };
}

interface ApiOptions extends Pick<Options, 'config' | 'log'> {
  readonly plugins: Options['plugins'];
  readonly identify: Identify;
  readonly subscriptions: OpenSubscriptions;
  readonly trustedDocuments: TrustedDocuments | null;
}

/** Loads REST, GraphQL and their schema, which are half of the code: pages are served meanwhile. */
async function loadApi(services: Services, options: ApiOptions): Promise<(url: URL) => Awaitable<Route | null>> {
  const { config, ...shared } = options;
  const { pagePolicy } = services;
  const [{ createRunOperation }, { createRestRoutes }, { createOpenApiRoute }, { createGraphQLRoute }, graphiql] =
    await Promise.all([
      import('./graphql/execution/run-operation.ts'),
      import('./doors/rest/routes.ts'),
      import('./doors/rest/openapi/routes.ts'),
      import('./doors/graphql/route.ts'),
      import('./doors/graphiql/page.ts'),
    ]);
  const run = createRunOperation(services);
  const rest = createRestRoutes({ run, identify: shared.identify, pagePolicy });
  const openApi = createOpenApiRoute(config);
  const { introspection } = config;
  const acceptPage = config.graphiql ? graphiql.createGraphiql(config.console) : null;
  const graphql = createGraphQLRoute({ ...shared, services, acceptPage, introspection });
  const findMcp = loadCode(() => loadMcp(run, services, options));
  return (url) => (config.mcp && url.pathname === '/mcp' ? findMcp() : (rest(url) ?? graphql(url) ?? openApi(url)));
}

/** Loads the Model Context Protocol, which most services never use, with its first request. */
async function loadMcp(
  run: RunOperation,
  { pagePolicy }: Services,
  { config, log, identify }: ApiOptions,
): Promise<Route> {
  const { createMcpRoute } = await import('./doors/mcp/route.ts');
  return createMcpRoute({ run, identify, pagePolicy, corsOrigins: config.corsOrigins, log });
}

function createObservedPipeline(
  doors: Parameters<typeof createPipeline>[0]['doors'],
  config: Config,
  log: Log,
  observers: Telemetry['observers'],
) {
  return createPipeline({
    doors,
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
}

/** Creates a check of Authorization headers. It rejects all of them if there is no secret. */
function createBearerCheck(secret: string | null): (authorization: string | null) => boolean {
  if (secret === null) return () => false;
  const isSecret = createSecretCheck(secret);
  return (authorization) => isSecret(authorization === null ? '' : (findBearerToken(authorization) ?? ''));
}
