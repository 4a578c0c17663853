import { availableParallelism, cpus } from 'node:os';
import type { Measurement } from './compare.ts';
import { LOAD_GENERATOR } from './load.ts';

export type Cell = string;

/** Formats a table: the first column is left-aligned, the others are right-aligned. */
export function formatTable(lines: readonly (readonly Cell[])[], widths: readonly number[]): string {
  const pad = (cell: Cell, i: number) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0));
  return lines.map((cells) => cells.map(pad).join('  ').trimEnd()).join('\n');
}

const WIDTHS = [24, 7, 8, 8, 7, 6, 7, 10, 7, 9];

export const COMPARISON_HEAD = formatTable(
  [['case', 'req/s', 'p50 ms', 'p99 ms', 'RSS MB', 'ratio', 'target', 'p99 ratio', 'CPU µs', 'CPU ratio']],
  WIDTHS,
);

/** Formats the rows of a case. "!" marks a missed target. */
export function formatComparison(rows: readonly Measurement[], maxP99Ratio: number): string {
  const lines = rows.map(({ name, perSecond, p50Ms, p99Ms, rssMb, ratio, target, p99Ratio, cpuUs, cpuRatio }) => [
    name,
    perSecond.toFixed(0),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    rssMb.toFixed(0),
    ratio === null ? '' : ratio.toFixed(2) + (target !== null && ratio < target ? '!' : ' '),
    target === null ? '' : target.toFixed(2),
    p99Ratio === null ? '' : p99Ratio.toFixed(1) + (p99Ratio > maxP99Ratio ? '!' : ' '),
    cpuUs.toFixed(0),
    cpuRatio === null ? '' : cpuRatio.toFixed(2),
  ]);
  return formatTable(lines, WIDTHS);
}

/** Describes the runtime, the processor and the load generator. */
export function formatMachine(): string {
  const [cpu] = cpus();
  return `Node ${process.version}, ${cpu?.model.trim() ?? 'an unknown processor'}, ${availableParallelism()} cores; load: ${LOAD_GENERATOR}`;
}
