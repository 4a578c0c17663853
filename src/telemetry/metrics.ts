import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { andThen, runOrRecover } from '../awaitable.ts';
import type { Observer } from './instrument.ts';

/** Requests take milliseconds, except those that fetch a page. */
const REQUEST_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const RENDER_BUCKETS_S = [0.25, 0.5, 1, 2, 3, 5, 10, 20];
const OPERATION_BUCKETS_S = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];

/** Any other method is counted as `other`, so that clients cannot create labels. */
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

export interface Metrics extends Observer {
  render(): Promise<string>;
  readonly contentType: string;
}

/** Counts the service's work, and adds prom-client's default metrics of the process. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const common = (name: string, help: string, labelNames: readonly string[]) => {
    return { name: `embed_gateway_${name}`, help, labelNames, registers: [registry] };
  };
  const counter = (...facts: Parameters<typeof common>) => new Counter(common(...facts));
  const gauge = (...facts: Parameters<typeof common>) => new Gauge(common(...facts));
  const histogram = (buckets: number[], ...facts: Parameters<typeof common>) => {
    return new Histogram({ ...common(...facts), buckets });
  };
  const requests = counter('http_requests_total', 'Responses.', ['method', 'route', 'status']);
  const durations = histogram(
    REQUEST_BUCKETS_S,
    'http_request_duration_seconds',
    'Time from the headers of a request to its response.',
    ['route'],
  );
  const refusals = counter(
    'refusals_total',
    'Rejected requests by error code. Limits have the codes rate_limited, unavailable and payload_too_large.',
    ['route', 'code'],
  );
  const openStreams = gauge('http_streams_open', 'Open event streams.', []);
  const operations = histogram(
    OPERATION_BUCKETS_S,
    'operation_duration_seconds',
    'Time of store operations and page fetches.',
    ['operation', 'result'],
  );
  const pageRequests = counter(
    'page_requests_total',
    'Lookups of pages by state of the cached copy, and page fetches by result.',
    ['outcome'],
  );
  const renders = histogram(
    RENDER_BUCKETS_S,
    'render_duration_seconds',
    'Time of rendering a page in the browser, without the wait in the queue, by result.',
    ['result'],
  );
  const refusedRequests = counter(
    'render_refused_requests_total',
    'Requests of rendered pages that were refused: their type, their address, or too many of them.',
    ['reason'],
  );
  const browserStarts = counter('browser_starts_total', 'Starts of the browser that renders pages, by result.', [
    'result',
  ]);
  const browserEnds = counter(
    'browser_ends_total',
    'Ends of the browser that renders pages. The faults are crash, memory and blocked.',
    ['reason'],
  );
  const purges = counter('purges_total', 'Purges of a CDN by key or URL, by result.', ['result']);
  const databaseNodes = gauge(
    'database_node_up',
    'Whether a worker of a Citus cluster answers: 1 if it does, 0 if it is away.',
    ['node'],
  );
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    request: (_headers, work) => work(),
    requestCompleted({ method, routeName = 'none', refusalCode, status, seconds }) {
      requests.inc({ method: METHODS.includes(method) ? method : 'other', route: routeName, status });
      durations.observe({ route: routeName }, seconds);
      if (refusalCode !== undefined) refusals.inc({ route: routeName, code: refusalCode });
    },
    openStreamsChanged: (count) => openStreams.set(count),
    operation(operation, work) {
      const stop = operations.startTimer({ operation });
      const measured = () =>
        andThen(work(), (result) => {
          stop({ result: 'ok' });
          return result;
        });
      return runOrRecover(measured, (error) => {
        stop({ result: 'error' });
        throw error;
      });
    },
    revalidated: (outcome) => pageRequests.inc({ outcome }),
    rendering(event) {
      if (event.kind === 'rendered') renders.observe({ result: event.result }, event.seconds);
      else if (event.kind === 'refused') refusedRequests.inc({ reason: event.reason });
      else if (event.kind === 'ended') browserEnds.inc({ reason: event.reason });
      else browserStarts.inc({ result: event.kind === 'started' ? 'ok' : 'error' });
    },
    purged: ({ result, count }) => purges.inc({ result }, count),
    databaseNodesChecked(states) {
      // a node that left the cluster has no value
      databaseNodes.reset();
      for (const [node, isUp] of states) databaseNodes.set({ node }, isUp ? 1 : 0);
    },
  };
}
