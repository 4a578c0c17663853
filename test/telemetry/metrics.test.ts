import { expect, test } from 'vitest';
import { openTelemetry } from '../../src/telemetry/telemetry.ts';
import { MEAL_PLANNER, openApp } from '../open-app.ts';

const METRICS_TOKEN = 'a token for metrics';

async function openMeasured(rateLimit = 6_000) {
  const telemetry = await openTelemetry({ metrics: true, traces: false });
  const service = await openApp({ metricsToken: METRICS_TOKEN, rateLimit, allowPrivatePages: true }, telemetry);
  const scrape = async () => {
    const response = await service.withAuthorization(`Bearer ${METRICS_TOKEN}`).fetch('/metrics');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    return response.text();
  };
  return { ...service, scrape };
}

test('metrics count requests by route and status, operations of the store, looks at pages and limits hit', async () => {
  const { as, scrape } = await openMeasured(4);
  const ada = await as('ada');
  const { id, embed_url } = await ada.create({ page_url: MEAL_PLANNER });
  await ada.rest('GET', `/v1/embeds/${id}`);
  await ada.rest('GET', '/v1/embeds/unknown');
  await ada.fetch(embed_url);
  await ada.graphql('{ nothing }');
  await ada.rest('GET', '/v1/embeds');
  await ada.fetch('/v1/embeds', { method: 'MADE-UP' });
  const text = await scrape();
  for (const line of [
    'embed_gateway_http_requests_total{method="POST",route="/v1/embeds",status="201"} 1',
    'embed_gateway_http_requests_total{method="GET",route="/v1/embeds/{id}",status="200"} 1',
    'embed_gateway_http_requests_total{method="GET",route="/v1/embeds/{id}",status="404"} 1',
    'embed_gateway_http_requests_total{method="GET",route="<id>.<EMBED_HOST>",status="200"} 1',
    'embed_gateway_http_requests_total{method="POST",route="/graphql",status="400"} 1',
    'embed_gateway_refusals_total{route="/graphql",code="bad_user_input"} 1',
    'embed_gateway_http_requests_total{method="GET",route="/v1/embeds",status="429"} 1',
    'embed_gateway_http_requests_total{method="other",route="/v1/embeds",status="405"} 1',
    'http_request_duration_seconds_count{route="/graphql"} 1',
    'embed_gateway_refusals_total{route="/v1/embeds",code="rate_limited"} 1',
    'embed_gateway_refusals_total{route="/v1/embeds/{id}",code="not_found"} 1',
    'embed_gateway_operation_duration_seconds_count{operation="store.embeds.insert",result="ok"} 1',
    'embed_gateway_operation_duration_seconds_count{operation="pages.fetch",result="ok"} 1',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).not.toContain(id);
});

test('metrics are read with their own token only, and by nobody where none is set', async () => {
  const { as, withAuthorization } = await openMeasured();
  const ada = await as('ada');
  expect((await withAuthorization(null).rest('GET', '/metrics')).status).toBe(401);
  expect((await ada.rest('GET', '/metrics')).status).toBe(401);
  const closed = await openApp();
  expect((await closed.withAuthorization('Bearer ').rest('GET', '/metrics')).status).toBe(404);
});
