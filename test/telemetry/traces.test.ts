import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';

test('the OTEL_ variables turn traces on and off', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';
  expect(readConfig({}).traces).toBe(false);
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).traces).toBe(true);
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' }).traces).toBe(false);
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }).traces).toBe(false);
});
