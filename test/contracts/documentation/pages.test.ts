import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CACHE_BYTES } from '../../../src/cache-bytes.ts';
import { readConfig } from '../../../src/config.ts';
import { REFUSAL_CODES } from '../../../src/errors.ts';
import { PROBLEMS } from '../../../src/http/problem.ts';
import { openTelemetry } from '../../../src/telemetry/telemetry.ts';
import { findFreePort } from '../../free-port.ts';
import { MEAL_PLANNER, missingFile } from '../../open-app.ts';
import { run } from '../../process/run.ts';
import { anchorsOf, codeRowsOf, PAGES, pageAt } from './pages.ts';

const MAX_README_LINES = 180;
const MAX_README_BYTES = 9_000;

const readme = readFileSync('README.md', 'utf8');
const scripts = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts;

test('the README has at most 180 lines and 9 kB', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
  expect(statSync('README.md').size).toBeLessThanOrEqual(MAX_README_BYTES);
});

test('the README of each product names all folders of its source', () => {
  const folders = globSync('packages/*/src/*', { withFileTypes: true, exclude: ['packages/{client,embed}'] })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => ({ readme: join(dirname(parentPath), 'README.md'), name }));
  const missing = folders.filter(({ readme, name }) => !readFileSync(readme, 'utf8').includes(`${name}/`));
  expect(missing).toEqual([]);
  expect(folders.length).toBeGreaterThan(15);
});

/** Finds the relative links of a page, with their files and anchors. */
function linksOf({ path, prose }: (typeof PAGES)[number]) {
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = '', anchor] = link.split('#');
      return { link, target: file === '' ? path : join(dirname(path), file), anchor };
    });
}

test('the file and the heading of every relative link exist', () => {
  const broken: string[] = [];
  for (const page of PAGES) {
    for (const { link, target, anchor } of linksOf(page)) {
      const isValid = existsSync(target) && (anchor === undefined || anchorsOf(pageAt(target)).includes(anchor));
      if (!isValid) broken.push(`${page.path}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test('the README links to every page', () => {
  const linked = linksOf(pageAt('README.md')).map(({ target }) => target);
  expect(PAGES.map(({ path }) => path).filter((path) => path !== 'README.md' && !linked.includes(path))).toEqual([]);
});

test('the npm scripts and files in documented commands exist', () => {
  const text = PAGES.map(({ path }) => readFileSync(path, 'utf8')).join('\n');
  const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  const files = [...text.matchAll(/\bnode ((?:src|test|prisma)\/[\w./-]+)/g)].map(([, file = '']) => file);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test('the configuration reads exactly the documented variables, with the documented defaults', () => {
  const read = new Set<string>();
  const nothingSet = new Proxy<Record<string, string>>({}, { get: (_target, name) => void read.add(String(name)) });
  const defaults = readConfig(nothingSet);
  const rows = codeRowsOf(pageAt('docs/configuration.md'));
  // OpenTelemetry documents its variables itself
  expect(rows.map(([name]) => name).sort()).toEqual([...read].filter((name) => !name.startsWith('OTEL_')).sort());
  const shown = rows.map(([name = '', value = '']) => [name, value.replace('PORT', '4000')]);
  // The alias serves the former default only while EMBED_HOST is unset
  expect(readConfig(Object.fromEntries(shown))).toEqual({ ...defaults, embedHostAlias: null });
});

test('the documented error codes and statuses are those of the service', () => {
  const rows = codeRowsOf(pageAt('docs/api/errors.md'));
  const listed = Object.fromEntries(rows.map(([code = '', status = '']) => [code, Number(status)]));
  expect(listed).toEqual(Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status])));
  for (const code of REFUSAL_CODES) expect(Object.keys(listed)).toContain(code);
});

test('the documented metrics and types are those of the service', async () => {
  const { metrics } = await openTelemetry({ metrics: true, traces: false });
  const types = [...((await metrics?.render()) ?? '').matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const counted = types
    .map(([, name = '', type]) => [name, type])
    .filter(([name]) => !/^(process|nodejs)_/.test(`${name}`));
  const rows = codeRowsOf(pageAt('docs/operations/observability.md')).filter(([name = '']) => name.includes('_'));
  expect(rows.map(([name, type]) => [name, type]).sort()).toEqual(counted.sort());
});

test('the first start prints what the README shows', async () => {
  const shown = pageAt('README.md').blocks.find(({ text }) => text.includes('opening the database'))?.text ?? '';
  expect(shown).toContain(MEAL_PLANNER);
  const port = await findFreePort();
  const service = run('src/main.ts', [], { PORT: String(port), DATABASE_URL: missingFile() });
  await service.waitForOutput('in a browser');
  const printed = service
    .stdout()
    .replaceAll(String(port), '4000')
    .replace(/emb_\w{49}/g, 'emb_…')
    .split('\n');
  for (const line of shown.split('\n').filter((text) => text.trim() !== '' && text !== '…')) {
    const [, message, fields = '{}'] = /^\[[\d:]+\] INFO: (.+?) (\{.*\})$/.exec(line) ?? [];
    if (message === undefined) {
      expect(printed).toContain(line);
    } else {
      const logged = printed.find((text) => text.includes(`"msg":"${message}"`)) ?? '{}';
      expect(Object.keys(JSON.parse(logged))).toEqual(expect.arrayContaining(Object.keys(JSON.parse(fields))));
    }
  }
});

test('the table of caches has the share of each cache', () => {
  const shares = readFileSync('docs/performance.md', 'utf8').matchAll(/`(\w+)` ([\d.]+) MB/g);
  const bytes = [...shares].map(([, name, megabytes]) => [name, Number(megabytes) * 1_000_000]);
  expect(Object.fromEntries(bytes)).toEqual(CACHE_BYTES);
});
