import type { Plugin } from 'graphql-yoga';
import type { Identify } from '../auth/identify.ts';
import type { Awaitable } from '../awaitable.ts';
import type { Config } from '../config.ts';
import { loadCode } from '../descriptors.ts';
import type { OpenSubscriptions } from '../doors/graphql/open-subscriptions.ts';
import type { Services } from '../graphql/execution/context.ts';
import type { OperationRunner } from '../graphql/execution/run-operation.ts';
import type { TrustedDocuments } from '../graphql/execution/trusted-documents.ts';
import type { Route } from '../http/exchange.ts';
import type { Log } from '../log.ts';

interface Options {
  readonly config: Config;
  readonly log: Log;
  readonly plugins: readonly Plugin[] | undefined;
  readonly identify: Identify;
  readonly subscriptions: OpenSubscriptions;
  readonly trustedDocuments: TrustedDocuments | null;
}

/** Loads REST, GraphQL and their schema, which are half of the code: pages are served meanwhile. */
export async function loadApiRoutes(
  services: Services,
  options: Options,
): Promise<(url: URL) => Awaitable<Route | null>> {
  const { config, ...shared } = options;
  const { pagePolicy, now } = services;
  const [{ createOperationRunner }, { createRestRoutes }, { createOpenApiRoute }, { createGraphQLRoute }, graphiql] =
    await Promise.all([
      import('../graphql/execution/run-operation.ts'),
      import('../doors/rest/routes.ts'),
      import('../doors/rest/openapi/routes.ts'),
      import('../doors/graphql/route.ts'),
      import('../doors/graphiql/page.ts'),
    ]);
  const runFor = createOperationRunner(services);
  const rest = createRestRoutes({ runFor, identify: shared.identify, pagePolicy, now });
  const openApi = createOpenApiRoute(config);
  const { introspection } = config;
  const acceptPage = config.graphiql ? graphiql.createGraphiql(config.console) : null;
  const graphql = createGraphQLRoute({ ...shared, services, acceptPage, introspection });
  const findMcp = loadCode(() => loadMcp(runFor, services, options));
  return (url) => (config.mcp && url.pathname === '/mcp' ? findMcp() : (rest(url) ?? graphql(url) ?? openApi(url)));
}

/** Loads the Model Context Protocol, which most services never use, with its first request. */
async function loadMcp(
  runFor: OperationRunner,
  { pagePolicy, now }: Services,
  { config, log, identify }: Options,
): Promise<Route> {
  const { createMcpRoute } = await import('../doors/mcp/route.ts');
  return createMcpRoute({ runFor, identify, pagePolicy, now, corsOrigins: config.corsOrigins, log });
}
