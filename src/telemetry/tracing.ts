import type { SpanKind } from '@opentelemetry/api';
import manifest from '../../package.json' with { type: 'json' };
import type { Awaitable } from '../awaitable.ts';
import { ConfigError } from '../config/environment.ts';
import type { Observer } from './instrument.ts';

const SERVICE_NAME = 'embed-gateway';
/** https://www.w3.org/TR/trace-context/, section 3 */
const TRACE_HEADERS = ['traceparent', 'tracestate'] as const;

interface Tracing extends Observer {
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/** Loads OpenTelemetry: optional peer dependencies, because most installations send no traces. */
async function loadOpenTelemetry() {
  try {
    const [api, resources, sdk] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-node'),
    ]);
    return { ...api, ...resources, NodeSDK: sdk.NodeSDK };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const packages = Object.entries(manifest.peerDependencies).map(([name, range]) => `${name}@${range}`);
    throw new ConfigError([
      `OTEL_ variables turn on traces, which need packages that are not installed: npm install ${packages.join(' ')}`,
    ]);
  }
}

/**
 * Opens OpenTelemetry traces: a span for each request, continued from the caller's `traceparent`, and below it a span for
 * each operation of the store and each fetch of a page. The OTEL_ variables, which the SDK reads, select the collector.
 * @throws {ConfigError} if OpenTelemetry is not installed
 */
export async function openTracing(): Promise<Tracing> {
  const { context, propagation, SpanKind, SpanStatusCode, trace, defaultResource, resourceFromAttributes, NodeSDK } =
    await loadOpenTelemetry();
  // OTEL_SERVICE_NAME is merged over this
  const resource = defaultResource().merge(resourceFromAttributes({ 'service.name': SERVICE_NAME }));
  const sdk = new NodeSDK({ resource, instrumentations: [], metricReaders: [], logRecordProcessors: [] });
  sdk.start();
  const tracer = trace.getTracer(SERVICE_NAME);

  async function inSpan<T>(name: string, kind: SpanKind, work: () => Awaitable<T>): Promise<T> {
    return tracer.startActiveSpan(name, { kind }, async (span) => {
      try {
        return await work();
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
        throw error;
      } finally {
        span.end();
      }
    });
  }

  return {
    request(headers, work) {
      const carrier = Object.fromEntries(TRACE_HEADERS.map((name) => [name, headers.get(name) ?? '']));
      return context.with(propagation.extract(context.active(), carrier), () =>
        inSpan('request', SpanKind.SERVER, work),
      );
    },
    /** Follows the semantic conventions for HTTP servers. */
    requestCompleted({ method, routeName, status, requestId }) {
      const span = trace.getActiveSpan();
      span?.updateName(routeName === undefined ? method : `${method} ${routeName}`);
      span?.setAttributes({
        'http.request.method': method,
        'http.response.status_code': status,
        request_id: requestId,
      });
      if (routeName !== undefined) span?.setAttribute('http.route', routeName);
      if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    },
    openStreamsChanged() {},
    operation: (name, work) => inSpan(name, SpanKind.CLIENT, work),
    revalidated: (outcome) => void trace.getActiveSpan()?.addEvent(`page ${outcome}`),
    rendering() {},
    purged() {},
    databaseNodesChecked() {},
    close: () => sdk.shutdown(),
  };
}
