import { expect, test } from 'vitest';
import type { CacheOutcome } from '../../src/pages/copy-revalidation.ts';
import { openTelemetry } from '../../src/telemetry/telemetry.ts';
import { anchorsOf, pageAt } from '../contracts/documentation/pages.ts';
import { openApp } from '../open-app.ts';
import { ALERT_TESTS, DASHBOARD, RULES, textsOf } from './deployed-files.ts';

const METRICS_TOKEN = 'a token for metrics';

/** Labels that Prometheus adds to each series. */
const LABELS_OF_PROMETHEUS = ['job', 'instance'];
const OUTCOMES: Record<CacheOutcome, true> = {
  fresh: true,
  stale: true,
  miss: true,
  shed: true,
  fetched: true,
  unchanged: true,
  gone: true,
  failed: true,
  unreadable: true,
  dropped: true,
};

/** Label values by metric and label. */
type Series = Map<string, Map<string, Set<string>>>;

/** Causes rejected requests and failures of each kind, and returns the series that the app then has. */
async function scrapeSeries(): Promise<Series> {
  const telemetry = await openTelemetry({ metrics: true, traces: false });
  const { app, as, withAuthorization } = await openApp({ metricsToken: METRICS_TOKEN, rateLimit: 10 }, telemetry);
  const ada = await as('ada');
  const { id, embed_url } = await ada.create();
  for (const path of [embed_url, `/v1/embeds/${id}`, '/graphql', '/oembed', '/embed.js', '/livez', '/metrics']) {
    await ada.fetch(path);
  }
  await ada.rest('DELETE', `/v1/embeds/${'0'.repeat(26)}`);
  await ada.rest('DELETE', `/v1/tokens/${'0'.repeat(26)}`);
  app.announceStop();
  await ada.rest('GET', '/readyz');
  for (let sent = 0; sent < 10; sent++) await ada.rest('GET', '/v1/tokens');

  const text = await (await withAuthorization(`Bearer ${METRICS_TOKEN}`).fetch('/metrics')).text();
  const series: Series = new Map([['up', new Map()]]);
  for (const [, name = '', pairs = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const labels = series.get(name) ?? new Map<string, Set<string>>();
    series.set(name, labels);
    for (const [, label = '', value = ''] of pairs.matchAll(/(\w+)="([^"]*)"/g)) {
      labels.set(label, (labels.get(label) ?? new Set()).add(value));
    }
  }
  // only a cluster has nodes
  series.set('embed_gateway_database_node_up', new Map([['node', new Set(['worker:5432'])]]));
  series.get('embed_gateway_page_requests_total')?.set('outcome', new Set(Object.keys(OUTCOMES)));
  return series;
}

/** Finds metrics, labels and label values of the expressions and label templates that the app does not have. */
function findUnknown(text: string, series: Series): string[] {
  const unknown: string[] = [];
  const labels = new Set([...LABELS_OF_PROMETHEUS, ...[...series.values()].flatMap((values) => [...values.keys()])]);
  for (const [, name = '', matchers = ''] of text.matchAll(
    /\b((?:embed_gateway|process|nodejs)_\w+|up(?=\{))(?:\{((?:[^}"]|"[^"]*")*)\})?/g,
  )) {
    const ofMetric = series.get(name);
    if (!ofMetric) unknown.push(name);
    for (const [, label = '', pattern = ''] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)) {
      if (LABELS_OF_PROMETHEUS.includes(label)) continue;
      const values = [...(ofMetric?.get(label) ?? [])];
      // braces of routes are literal; groups are kept together
      const alternatives = pattern.replaceAll(/[{}]/g, '\\$&').split(/\|(?![^(]*\))/);
      const missing = alternatives.filter((one) => !values.some((value) => new RegExp(`^(?:${one})$`).test(value)));
      unknown.push(...missing.map((one) => `${name}{${label}="${one}"}`));
    }
  }
  const grouped = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
  const shown = [...text.matchAll(/\{\{[^}]*?(?:\$labels\.)?\b(\w+)\b[^}]*\}\}/g)].map(([, name = '']) => name);
  const ofTemplates = shown.filter((name) => !['labels', 'value', 'or'].includes(name));
  unknown.push(...[...grouped, ...ofTemplates].filter((label) => !labels.has(label)));
  return unknown;
}

test('the dashboard and the alert rules name only metrics, labels and values that the service has', async () => {
  const series = await scrapeSeries();
  const names = ['expr', 'legendFormat', 'titleFormat', 'definition'];
  const queries = names.flatMap((name) => textsOf(DASHBOARD, name));
  expect(queries.length).toBeGreaterThan(40);
  expect(findUnknown(queries.join('\n'), series)).toEqual([]);
  expect(findUnknown(RULES, series)).toEqual([]);
  const wrong =
    'sum by (rout) (process_x{}) + embed_gateway_http_requests_total{status=~"2..|299", rute="/graphql"} {{rute}}';
  expect(findUnknown(wrong, series)).toEqual([
    'process_x',
    'embed_gateway_http_requests_total{status="299"}',
    'embed_gateway_http_requests_total{rute="/graphql"}',
    'rout',
    'rute',
  ]);
});

test('each alert has a severity, a duration, and a page of the documentation that exists', () => {
  const alerts = RULES.split(/^ +- alert: /m).slice(1);
  expect(alerts.length).toBeGreaterThan(8);
  for (const alert of alerts) {
    expect(alert).toMatch(/^ +for: \d+m$/m);
    expect(alert).toMatch(/severity: (critical|warning) \}$/m);
    expect(alert).toMatch(/^ +summary: /m);
    expect(alert).toMatch(/^ +description: /m);
    const [, path = '', anchor] = /^ +docs: ([^#\s]+)(?:#(\S+))?$/m.exec(alert) ?? [];
    const anchors = anchorsOf(pageAt(path));
    if (anchor !== undefined) expect(anchors).toContain(anchor);
  }
});

test('each alert has a test', () => {
  const names = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const tested = [...ALERT_TESTS.matchAll(/alertname="(\w+)"/g)];
  expect(tested.map(([, name]) => name)).toEqual(names);
});
