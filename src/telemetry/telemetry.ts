import type { Observer } from './instrument.ts';

/** What an operator sees of the service from outside. */
export interface Telemetry {
  readonly observers: readonly Observer[];
  /** Everything counted so far, for whoever has the token; null where nothing is counted. */
  readonly metrics: { render(): Promise<string>; readonly contentType: string } | null;
  /** Sends what has not been sent yet. */
  close(): Promise<void>;
}

export const NO_TELEMETRY: Telemetry = { observers: [], metrics: null, async close() {} };

/** Opens what is asked for; of the rest not even the code is loaded. */
export async function openTelemetry(wish: { readonly metrics: boolean; readonly traces: boolean }): Promise<Telemetry> {
  const metrics = wish.metrics ? (await import('./metrics.ts')).openMetrics() : null;
  const tracing = wish.traces ? await (await import('./tracing.ts')).openTracing() : null;
  return {
    observers: [tracing, metrics].filter((watch) => watch !== null),
    metrics,
    close: async () => tracing?.close(),
  };
}
