import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { MEAL_PLANNER, temporaryFolder } from '../open-app.ts';
import { run } from '../process/run.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

/** Receives spans over OTLP/HTTP with JSON. */
async function openCollector() {
  const spans: Span[] = [];
  const services = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(chunks).toString()).resourceSpans) {
      for (const { key, value } of resource.attributes) if (key === 'service.name') services.add(value.stringValue);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { spans, services, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function start(environment: Record<string, string>) {
  const port = await findFreePort();
  const database = `file:${join(temporaryFolder(), 'embeds.db')}`;
  const service = run('src/main.ts', [], {
    PORT: String(port),
    DATABASE_URL: database,
    ACCESS_TOKEN: 'a token of my own',
    ...environment,
  });
  await service.waitForOutput('"msg":"ready"');
  const headers = {
    authorization: 'Bearer a token of my own',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  };
  const body = new URLSearchParams({ page_url: MEAL_PLANNER });
  const response = await fetch(`http://127.0.0.1:${port}/v1/embeds`, { method: 'POST', headers, body });
  expect(response.status).toBe(201);
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  return service;
}

test('sends a span for a request, with a child span for each write, to the collector of the OTEL_ variables', async () => {
  const { spans, services, endpoint } = await openCollector();
  await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'my embeds',
  });
  const request = spans.find(({ name }) => name === 'POST /v1/embeds');
  expect(request).toMatchObject({ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) });
  expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 201 } });
  const insert = spans.find(({ name }) => name === 'store.embeds.insert');
  expect(insert).toMatchObject({ traceId: 'a'.repeat(32), parentSpanId: request?.spanId });
  expect([...services]).toEqual(['my embeds']);
  expect(JSON.stringify(spans)).not.toContain('a token of my own');
});

test('sends no traces with OTEL_SDK_DISABLED=true', async () => {
  const { spans, endpoint } = await openCollector();
  await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SDK_DISABLED: 'true',
  });
  expect(spans).toEqual([]);
});
