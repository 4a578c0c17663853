import type { Observer } from './instrument.ts';

export interface Telemetry {
  readonly observers: readonly Observer[];
  readonly metrics: { render(): Promise<string>; readonly contentType: string } | null;
  /** Sends the remaining traces. */
  close(): Promise<void>;
}

export const NO_TELEMETRY: Telemetry = { observers: [], metrics: null, async close() {} };

interface Options {
  readonly metrics: boolean;
  readonly traces: boolean;
}

/** Loads only the code of the enabled parts. */
export async function openTelemetry(enabled: Options): Promise<Telemetry> {
  const metrics = enabled.metrics ? (await import('./metrics.ts')).openMetrics() : null;
  const tracing = enabled.traces ? await (await import('./tracing.ts')).openTracing() : null;
  return {
    observers: [tracing, metrics].filter((observer) => observer !== null),
    metrics,
    close: async () => tracing?.close(),
  };
}
