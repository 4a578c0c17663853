import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from './instrument.ts';

/** Seconds. Requests are answered in milliseconds, but for pages that are fetched first. */
const REQUEST_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const OPERATION_BUCKETS_S = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];

/** Others are counted as one, so that callers cannot fill the memory with names of their own. */
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

export interface Metrics extends Observer {
  /** Everything counted so far, in Prometheus' text form. */
  render(): Promise<string>;
  readonly contentType: string;
}

/** Counts what the service does, and what the process needs for it: memory, CPU, event-loop lag, garbage collection. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the headers of a request to its answer.',
    labelNames: ['route'],
    buckets: REQUEST_BUCKETS_S,
    registers,
  });
  const refusals = new Counter({
    name: 'refusals_total',
    help: 'Requests refused, by the code of the refusal: limits are rate_limited, unavailable, payload_too_large and the like.',
    labelNames: ['route', 'code'],
    registers,
  });
  const streams = new Gauge({
    name: 'http_streams_open',
    help: 'Answers that are sent as they come, and have not come to an end.',
    registers,
  });
  const operations = new Histogram({
    name: 'operation_duration_seconds',
    help: 'Time of operations of the store and of fetches of pages.',
    labelNames: ['operation', 'result'],
    buckets: OPERATION_BUCKETS_S,
    registers,
  });
  const looks = new Counter({
    name: 'page_looks_total',
    help: 'Looks at pages: shown from a fresh or a stale copy, or what a fetch came to.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    request: (_headers, work) => work(),
    answered({ method, routeName = 'none', refusalCode, status, seconds }) {
      requests.inc({ method: METHODS.includes(method) ? method : 'other', route: routeName, status });
      durations.observe({ route: routeName }, seconds);
      if (refusalCode !== undefined) refusals.inc({ route: routeName, code: refusalCode });
    },
    streaming: (open) => streams.set(open),
    async operation(operation, work) {
      const stop = operations.startTimer({ operation });
      try {
        const result = await work();
        stop({ result: 'ok' });
        return result;
      } catch (error) {
        stop({ result: 'error' });
        throw error;
      }
    },
    revalidated: (outcome) => looks.inc({ outcome }),
  };
}
