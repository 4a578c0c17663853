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
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'embed_gateway_http_requests_total',
    help: 'Responses.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'embed_gateway_http_request_duration_seconds',
    help: 'Time from the headers of a request to its response.',
    labelNames: ['route'],
    buckets: REQUEST_BUCKETS_S,
    registers,
  });
  const refusals = new Counter({
    name: 'embed_gateway_refusals_total',
    help: 'Rejected requests by error code. Limits have the codes rate_limited, unavailable and payload_too_large.',
    labelNames: ['route', 'code'],
    registers,
  });
  const openStreams = new Gauge({
    name: 'embed_gateway_http_streams_open',
    help: 'Open event streams.',
    registers,
  });
  const operations = new Histogram({
    name: 'embed_gateway_operation_duration_seconds',
    help: 'Time of store operations and page fetches.',
    labelNames: ['operation', 'result'],
    buckets: OPERATION_BUCKETS_S,
    registers,
  });
  const pageRequests = new Counter({
    name: 'embed_gateway_page_requests_total',
    help: 'Lookups of pages by state of the cached copy, and page fetches by result.',
    labelNames: ['outcome'],
    registers,
  });
  const renders = new Histogram({
    name: 'embed_gateway_render_duration_seconds',
    help: 'Time of rendering a page in the browser, without the wait in the queue, by result.',
    labelNames: ['result'],
    buckets: RENDER_BUCKETS_S,
    registers,
  });
  const refusedRequests = new Counter({
    name: 'embed_gateway_render_refused_requests_total',
    help: 'Requests of rendered pages that were refused: their type, their address, or too many of them.',
    labelNames: ['reason'],
    registers,
  });
  const browserStarts = new Counter({
    name: 'embed_gateway_browser_starts_total',
    help: 'Starts of the browser that renders pages, by result.',
    labelNames: ['result'],
    registers,
  });
  const browserEnds = new Counter({
    name: 'embed_gateway_browser_ends_total',
    help: 'Ends of the browser that renders pages. The faults are crash, memory and blocked.',
    labelNames: ['reason'],
    registers,
  });
  const purges = new Counter({
    name: 'embed_gateway_purges_total',
    help: 'Purges of a CDN by key or URL, by result.',
    labelNames: ['result'],
    registers,
  });
  const databaseNodes = new Gauge({
    name: 'embed_gateway_database_node_up',
    help: 'Whether a worker of a Citus cluster answers: 1 if it does, 0 if it is away.',
    labelNames: ['node'],
    registers,
  });
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
