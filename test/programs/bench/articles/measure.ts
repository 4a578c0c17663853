import { type PageReading, readArticle } from '../../../../packages/reader/src/article/article.ts';
import { formatTable } from '../table.ts';
import { readNews, readOddPages } from './corpus.ts';
import { compareHeads, compareRuns, compareWords, type HeadPart, KINDS, type Score } from './scores.ts';

/** Pages that are read before the measurement, so that it does not include the compilation of the reader. */
const WARM_UP_PAGES = 10;
const GOOD = { recall: 0.9, precision: 0.75 };
const WIDTHS = [24, 10, 10, 10];

interface Plan {
  readonly folder: string;
  readonly worst: number;
}

interface Times {
  readonly ms: number;
  readonly cpuMs: number;
}

interface Measured extends Times {
  readonly reading: PageReading;
  readonly content: string;
}

/** Reads saved pages in this process, as the reader's process does, and compares the articles with the expected texts. */
export function measureArticles({ folder, worst }: Plan): void {
  const news = readNews(folder);
  const odd = readOddPages(folder);
  if (news.length + odd.length === 0) throw new Error(`${folder} has neither news/ nor pages/.`);
  for (const { name, html } of [...news, ...odd].slice(0, WARM_UP_PAGES)) read(name, html);

  const newsRows = news.map(({ name, html, text }) => {
    const measured = read(name, html);
    return { name, ...measured, ...compareRuns(text, measured.content) };
  });
  const oddRows = odd.map(({ name, html, markdown, head }) => {
    const measured = read(name, html);
    const heads = compareHeads(head, measured.reading.article);
    return { name, markdown, heads, ...measured, ...compareWords(markdown, measured.content) };
  });
  const isGood = ({ recall, precision }: Score) => (recall ?? 0) >= GOOD.recall && (precision ?? 0) >= GOOD.precision;
  const byF1 = newsRows.map((row) => ({ ...row, f1: f1Of(row) })).sort((a, b) => a.f1 - b.f1);
  const bad = oddRows.filter((row) => !isGood(row)).sort((a, b) => a.recall - b.recall);
  const lines = [
    ['worst pages', 'precision', 'recall', 'CPU ms'],
    ...[...byF1.slice(0, worst), ...bad.slice(0, worst)].map(({ name, precision, recall, cpuMs, reading }) => [
      `${name.slice(0, 60)} ${reading.status.state}`,
      format(precision ?? 0),
      format(recall ?? 0),
      cpuMs.toFixed(0),
    ]),
  ];
  console.log(formatTable(lines, [80, ...WIDTHS.slice(1)]));

  const report: (readonly string[])[] = [['', 'F1', 'precision', 'recall']];
  if (news.length > 0) {
    const mean = meanScore(newsRows);
    report.push([`${news.length} news pages`, format(f1Of(mean)), format(mean.precision), format(mean.recall)]);
    report.push(['cards among them', String(countCards(newsRows))]);
  }
  if (odd.length > 0) {
    const { precision, recall } = meanScore(oddRows);
    report.push([`${odd.length} odd pages`, '', format(precision), format(recall)]);
    report.push(
      ['good ones', String(oddRows.filter(isGood).length)],
      ['cards among them', String(countCards(oddRows))],
    );
    for (const part of ['titles', 'bylines', 'dates'] as const) report.push([part, countHeads(oddRows, part)]);
    for (const [kind, patterns] of Object.entries(KINDS)) report.push([kind, countThings(oddRows, patterns)]);
  }
  const times = [...newsRows, ...oddRows];
  report.push(['', 'mean', 'p95', 'largest']);
  report.push(['milliseconds a page', ...spreadOf(times.map(({ ms }) => ms))]);
  report.push(['processor ms a page', ...spreadOf(times.map(({ cpuMs }) => cpuMs))]);
  console.log(`\n${formatTable(report, WIDTHS)}`);
}

function read(name: string, html: string): Measured {
  const startMs = performance.now();
  const start = process.cpuUsage();
  const url = `http://127.0.0.1/${encodeURIComponent(name)}`;
  const reading = readArticle(html, { url, robots: null, robotsMode: 'named' });
  const { user, system } = process.cpuUsage(start);
  const ms = performance.now() - startMs;
  return { reading, content: reading.article.content ?? '', ms, cpuMs: (user + system) / 1_000 };
}

function meanScore(rows: readonly Score[]): { readonly precision: number; readonly recall: number } {
  const precisions = rows.map(({ precision }) => precision).filter((value) => value !== null);
  return { precision: meanOf(precisions), recall: meanOf(rows.map(({ recall }) => recall ?? 0)) };
}

function f1Of({ precision, recall }: Score): number {
  return precision && recall ? (2 * precision * recall) / (precision + recall) : 0;
}

function countCards(rows: readonly Measured[]): number {
  return rows.filter(({ content }) => content === '').length;
}

function countHeads(rows: readonly { readonly heads: Partial<Record<HeadPart, boolean>> }[], part: HeadPart): string {
  const results = rows.map(({ heads }) => heads[part]).filter((result) => result !== undefined);
  return `${results.filter(Boolean).length} of ${results.length}`;
}

function countThings(
  rows: readonly (Measured & { readonly markdown: string })[],
  [inMarkdown, inHtml]: readonly [RegExp, RegExp],
): string {
  const pairs = rows.map(({ markdown, content }) => ({
    wanted: markdown.match(inMarkdown)?.length ?? 0,
    found: content.match(inHtml)?.length ?? 0,
  }));
  const found = pairs.reduce((total, pair) => total + Math.min(pair.wanted, pair.found), 0);
  return `${found} of ${pairs.reduce((total, { wanted }) => total + wanted, 0)}`;
}

function spreadOf(values: readonly number[]): readonly string[] {
  const sorted = [...values].sort((a, b) => a - b);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
  return [meanOf(values), p95, sorted.at(-1) ?? 0].map((value) => value.toFixed(1));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / Math.max(1, values.length);
}

function format(share: number): string {
  return share.toFixed(3);
}
