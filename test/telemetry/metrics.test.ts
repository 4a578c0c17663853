import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { instrument } from '../../src/telemetry/instrument.ts';
import { openTelemetry } from '../../src/telemetry/telemetry.ts';
import { MEAL_PLANNER, openApp } from '../open-app.ts';

const METRICS_TOKEN = 'a token for metrics';

async function openWithMetrics(rateLimit = 6_000) {
  const telemetry = await openTelemetry({ metrics: true, traces: false });
  const service = await openApp({ metricsToken: METRICS_TOKEN, rateLimit, allowPrivatePages: true }, telemetry);
  const scrape = async () => {
    const response = await service.withAuthorization(`Bearer ${METRICS_TOKEN}`).fetch('/metrics');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    return response.text();
  };
  return { ...service, scrape };
}

test('counts requests by route and status, rejected requests by code, store operations and page fetches', async () => {
  const { as, scrape } = await openWithMetrics(5);
  const ada = await as('ada');
  const { id, embed_url } = await ada.create({ page_url: MEAL_PLANNER });
  await ada.rest('GET', `/v1/embeds/${id}`);
  await ada.rest('GET', '/v1/embeds/unknown');
  await ada.fetch(embed_url);
  await ada.graphql('{ nothing }');
  await ada.rest('GET', '/v1/embeds?mode=light');
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
    'embed_gateway_http_request_duration_seconds_count{route="/graphql"} 1',
    'embed_gateway_refusals_total{route="/v1/embeds",code="rate_limited"} 1',
    'embed_gateway_refusals_total{route="/v1/embeds/{id}",code="not_found"} 1',
    'embed_gateway_operation_duration_seconds_count{operation="store.embeds.insert",result="ok"} 1',
    'embed_gateway_operation_duration_seconds_count{operation="store.lists.findPage",result="ok"} 1',
    'embed_gateway_operation_duration_seconds_count{operation="pages.fetch",result="ok"} 1',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).not.toContain(id);
});

test('shows metrics only with METRICS_TOKEN, and has no such path without it', async () => {
  const { as, withAuthorization } = await openWithMetrics();
  const ada = await as('ada');
  expect((await withAuthorization(null).rest('GET', '/metrics')).status).toBe(401);
  expect((await ada.rest('GET', '/metrics')).status).toBe(401);
  const closed = await openApp();
  expect((await closed.withAuthorization('Bearer ').rest('GET', '/metrics')).status).toBe(404);
});

test('passes `promtool check metrics`, apart from the usual names of the default metrics', async ({ skip }) => {
  if (spawnSync('promtool', ['--version']).error) skip('promtool is not installed: apt-get install prometheus');
  const { as, scrape } = await openWithMetrics();
  const ada = await as('ada');
  await ada.fetch((await ada.create()).embed_url);
  await ada.rest('GET', '/v1/embeds/unknown');
  const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await scrape(), encoding: 'utf8' });
  const problems = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !/^(process|nodejs)_/.test(line));
  expect(problems).toEqual([]);
});

test('instruments only objects whose members are async functions', () => {
  const observers = [] as const;
  const valid = { find: async (id: string) => id };
  expect(instrument('x', valid, observers)).toBe(valid);
  // @ts-expect-error a synchronous function would become async
  instrument('x', { find: (id: string) => id }, observers);
  // @ts-expect-error a value would not be a function any more
  instrument('x', { limit: 7 }, observers);
});
