import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import type { Observer } from './instrument.ts';

const SERVICE_NAME = 'embed-gateway';

export interface Tracing extends Observer {
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/** Sends a span per request, which continues the caller's `traceparent`, with a child span per operation. */
export function openTracing(): Tracing {
  const resource = defaultResource().merge(resourceFromAttributes({ 'service.name': SERVICE_NAME }));
  const sdk = new NodeSDK({ resource, instrumentations: [], metricReaders: [], logRecordProcessors: [] });
  sdk.start();
  const tracer = trace.getTracer(SERVICE_NAME);

  async function inSpan<T>(name: string, kind: SpanKind, work: () => Promise<T>): Promise<T> {
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
      const carrier = Object.fromEntries(['traceparent', 'tracestate'].map((name) => [name, headers.get(name) ?? '']));
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
    close: () => sdk.shutdown(),
  };
}
