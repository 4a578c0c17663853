import type { Plugin } from 'graphql-yoga';
import type { ArticleReader } from '#reader/article-reader';
import { createAuthenticate, findBearerToken } from './auth/authenticate.ts';
import { createIdentify } from './auth/identify.ts';
import { type Awaitable, andThen } from './awaitable.ts';
import type { Config } from './config.ts';
import { loadCode } from './descriptors.ts';
import { embedKeyOf, sourceKeyOf } from './domain/embed/cache-keys.ts';
import type { Embed } from './domain/embed/embed.ts';
import { createEmbedIdGenerator } from './domain/embed/id.ts';
import { embedOriginOf, embedUrlOf } from './domain/embed/url.ts';
import { createSecretCheck } from './domain/identity/token.ts';
import { createConsoleRoutes } from './doors/console/routes.ts';
import { createOpenSubscriptions } from './doors/graphql/open-subscriptions.ts';
import { isBundledFont } from './doors/hosted/bundled-fonts.ts';
import { createHostedRoutes } from './doors/hosted/routes.ts';
import { snippetOf } from './doors/hosted/snippet.ts';
import { createReferenceRoutes } from './doors/reference/routes.ts';
import { similarRestPathsOf } from './doors/rest/similar-paths.ts';
import type { PurgeEvent } from './edge/purge-queue.ts';
import { createPurger } from './edge/purger.ts';
import { Refusal } from './errors.ts';
import type { TrustedDocuments } from './graphql/execution/trusted-documents.ts';
import { createClientAddressOf } from './http/client-address.ts';
import type { IncomingRequest, Route } from './http/exchange.ts';
import { createMonitoringRoutes } from './http/monitoring.ts';
import { createPipeline } from './http/pipeline.ts';
import { type Reply, toResponse } from './http/reply.ts';
import { type Log, logBug } from './log.ts';
import { createArticleCache } from './pages/article-cache.ts';
import { createPageFetcher } from './pages/fetch/fetch.ts';
import { createFontCheck } from './pages/font-check.ts';
import { createPictureCache } from './pages/picture-cache.ts';
import { findBrowser } from './pages/render/browser-source.ts';
import { createRenderer } from './pages/render/renderer.ts';
import type { Database } from './store/database.ts';
import type { CreateFilteredList } from './store/embeds/filtered-list.ts';
import { type EmbedWrite, withWriteListener } from './store/write-listener.ts';
import { instrument, instrumentRequest } from './telemetry/instrument.ts';
import { NO_TELEMETRY, type Telemetry } from './telemetry/telemetry.ts';

export interface App {
  handle(request: IncomingRequest): Awaitable<Reply>;
  /** Like {@link handle}, with a response of the Fetch standard. */
  fetch(request: Request): Promise<Response>;
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
  const { articleReader } = options;
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
  const browser = findBrowser(config.renderer, config.rendererSandbox);
  const renderer =
    'reason' in browser
      ? null
      : createRenderer({
          source: browser,
          fetcher: instrumentedFetcher,
          onEvent(event) {
            for (const observer of observers) observer.rendering(event);
            if (event.kind === 'unavailable') log.warn({ reason: event.reason }, 'the browser does not start');
            if (event.kind === 'ended' && event.isFault) log.warn({ reason: event.reason }, 'the browser was ended');
          },
        });
  const hasPurges = config.purgeTargets.length > 0;
  const purger = hasPurges ? createPurger(config.purgeTargets, onPurgeEvent) : null;
  const copies = instrument('store.pages', database.pages, observers);
  const pages = createArticleCache({
    fetcher: instrumentedFetcher,
    copies,
    now: database.now,
    renderer,
    robotsMode: config.robots,
    reader: articleReader,
    onEvent: (event) => {
      if ('error' in event) logBug(log, 'pages', event.error);
      else for (const observer of observers) observer.revalidated(event.outcome);
    },
    onChange(pageUrl) {
      const urls = hosted.expireSource(pageUrl);
      purger?.purge([{ key: sourceKeyOf(pageUrl), urls }]);
    },
  });
  const pictures = config.imageProxy
    ? createPictureCache({ fetcher: instrument('pictures', fetcher, observers) })
    : null;
  const tokens = instrument('store.tokens', database.tokens, observers);
  const embeds = instrument('store.embeds', database.embeds, observers);
  const createFilteredList: CreateFilteredList = (accountId, filter) =>
    instrument('store.lists', database.createFilteredList(accountId, filter), observers);
  const services = {
    embeds: withWriteListener(embeds, onEmbedWrite, { readsDeleted: hasPurges }),
    createFilteredList,
    tokens,
    changes: database.changes,
    audit: database.audit,
    auditEvents: database.auditEvents,
    pages,
    fonts: createFontCheck({ fetcher, fontCssUrl: config.fontCssUrl, isBundled: isBundledFont }),
    async snippetOf(embed: Embed) {
      return snippetOf(embed, config, await pages.findOutline(embed.pageUrl));
    },
    newEmbedIdentity: createEmbedIdGenerator(),
    pagePolicy,
    embedHost: config.embedHost,
    embedScheme: config.embedScheme,
  };
  const authenticate = createAuthenticate(tokens, config.accessToken);
  const identify = createIdentify(authenticate, config.rateLimit, database.counts);
  const subscriptions = createOpenSubscriptions(authenticate);

  const hosted = createHostedRoutes({
    ...services,
    embedHostAlias: config.embedHostAlias,
    fontCssUrl: config.fontCssUrl,
    pictures,
    copies,
    now: database.now,
    identify,
    previews: config.console,
    staleIfErrorS: config.staleIfErrorS,
    isDatabaseRemote: database.isRemote,
    placeOfId: database.placeOfId,
    hasPurges,
  });
  const reference = createReferenceRoutes(config);
  const console = createConsoleRoutes(config, config.console);
  const findApi = loadCode(loadApi);
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

  const pipeline = createPipeline({
    doors: [
      { findRoute: hosted.pictures, maxInFlight: MAX_PICTURES_IN_FLIGHT },
      { findRoute: hosted.pages, maxInFlight: MAX_PAGES_IN_FLIGHT },
      { findRoute: monitoring, maxInFlight: MAX_MONITORING_IN_FLIGHT },
      {
        findRoute: (url) => reference(url) ?? console(url) ?? andThen(findApi(), (findRoute) => findRoute(url)),
        similarPathsOf: similarRestPathsOf,
        maxInFlight: MAX_API_REQUESTS_IN_FLIGHT,
      },
    ],
    log,
    corsOrigins: config.corsOrigins,
    clientAddressOf: createClientAddressOf(config.trustProxy),
    onReply: (completed) => {
      for (const observer of observers) observer.requestCompleted(completed);
    },
    onOpenStreamsChange: (count) => {
      for (const observer of observers) observer.openStreamsChanged(count);
    },
  });

  /** REST, GraphQL and their schema are half of the code: pages are served while it loads. */
  async function loadApi(): Promise<(url: URL) => Route | null> {
    const [{ createRunOperation }, { createRestRoutes }, { createOpenApiRoute }, { createGraphQLRoute }, graphiql] =
      await Promise.all([
        import('./graphql/execution/run-operation.ts'),
        import('./doors/rest/routes.ts'),
        import('./doors/rest/openapi/routes.ts'),
        import('./doors/graphql/route.ts'),
        import('./doors/graphiql/page.ts'),
      ]);
    const rest = createRestRoutes({ run: createRunOperation(services), identify, pagePolicy });
    const openApi = createOpenApiRoute(config);
    const { introspection } = config;
    const acceptPage = config.graphiql ? graphiql.acceptGraphiql : null;
    const { plugins } = options;
    const shared = { services, identify, subscriptions, log, plugins };
    const graphql = createGraphQLRoute({ ...shared, acceptPage, introspection, trustedDocuments });
    return (url) => rest(url) ?? graphql(url) ?? openApi(url);
  }

  function onEmbedWrite({ id, before, after }: EmbedWrite): void {
    hosted.noteWrite(id, after);
    if (!purger) return;
    const urls = [before, after].flatMap((embed) => (embed ? [embedUrlOf(embed, config)] : []));
    purger.purge([{ key: embedKeyOf(id), urls: [...new Set(urls)] }]);
  }

  function onPurgeEvent(event: PurgeEvent): void {
    if (event.kind === 'counted') {
      for (const observer of observers) observer.purged(event);
      return;
    }
    const { kind, host, ...reason } = event;
    if (kind === 'failing') log.warn({ host, ...reason }, 'the CDN does not take purges: they are retried');
    else log.info({ host }, 'the CDN takes purges again');
  }

  const handle: App['handle'] = (request) => instrumentRequest(request.headers, () => pipeline(request), observers);
  return {
    handle,
    fetch: async (request) => toResponse(await handle(request)),
    async load() {
      await findApi();
      await loadExecution();
    },
    endSubscriptions: subscriptions.close,
    async close() {
      subscriptions.close();
      await Promise.all([pages.close(), pictures?.close()]);
      await purger?.close();
    },
    async announceRenderer() {
      const stayCards = 'pages that are built by JavaScript are shown as cards';
      if ('reason' in browser) return log.info({ reason: browser.reason }, `no browser: ${stayCards}`);
      const product = await renderer?.check().catch(() => null);
      if (product) log.info({ browser: product, ...browser }, 'pages that are built by JavaScript are rendered');
      else log.warn({ ...browser }, `the browser cannot be used: ${stayCards}`);
    },
    announceStop() {
      isStopping = true;
    },
  };
}

/** Creates a check of Authorization headers. It rejects all of them if there is no secret. */
function createBearerCheck(secret: string | null): (authorization: string | null) => boolean {
  if (secret === null) return () => false;
  const isSecret = createSecretCheck(secret);
  return (authorization) => isSecret(authorization === null ? '' : (findBearerToken(authorization) ?? ''));
}
