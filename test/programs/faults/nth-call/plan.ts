import type { Scenario } from './scenario.ts';
import { CALLS, type CallCounts, type CallKind, type FaultKind, type Injection } from './strace.ts';

/** The faults that a kind of call can have. A signal stands for all kinds: it arrives between two calls. */
const FAULTS_OF: Record<CallKind, readonly FaultKind[]> = {
  sync: ['SIGKILL', 'SIGTERM', 'EIO', 'ENOSPC', 'delay'],
  write: ['SIGKILL', 'SIGTERM', 'EIO', 'ENOSPC'],
  open: ['SIGKILL', 'EIO', 'ENOSPC', 'EMFILE'],
  rename: ['SIGKILL', 'SIGTERM', 'EIO', 'ENOSPC', 'delay'],
  unlink: ['SIGKILL', 'EIO', 'delay'],
  accept: ['SIGKILL', 'EMFILE', 'delay'],
};

/** The faults of `--short`, tried once for each call in each scenario, at this share of the calls. The last ones sync folders. */
const SHORT: readonly { readonly kind: CallKind; readonly fault: FaultKind; readonly share: number }[] = [
  { kind: 'sync', fault: 'SIGKILL', share: 0.5 },
  { kind: 'sync', fault: 'EIO', share: 1 },
  { kind: 'write', fault: 'ENOSPC', share: 0.5 },
  { kind: 'open', fault: 'EMFILE', share: 0.8 },
  { kind: 'rename', fault: 'SIGKILL', share: 1 },
  { kind: 'accept', fault: 'EMFILE', share: 0.5 },
];

export interface Selection {
  readonly scenario?: string;
  /** A kind of call, or the name of one. */
  readonly call?: string;
  readonly fault?: FaultKind;
  readonly from?: number;
  /** Bounds the runs for one call and one fault. More calls are tried at even distances. */
  readonly max: number;
  readonly short?: true;
}

/** The runs for one call and one fault. */
export interface Series {
  readonly scenario: Scenario;
  readonly kind: CallKind;
  /** The number of calls in a run without a fault. */
  readonly calls: number;
  readonly injections: readonly Injection[];
}

/**
 * @param begun the calls before the part that the scenario is about
 * @param counts all calls of a run without a fault
 */
export function planSeries(scenario: Scenario, begun: CallCounts, counts: CallCounts, selection: Selection): Series[] {
  const series: Series[] = [];
  for (const [kind, calls] of Object.entries(CALLS) as [CallKind, readonly string[]][]) {
    for (const call of calls) {
      const [first, last] = [selection.from ?? (begun.get(call) ?? 0) + 1, counts.get(call) ?? 0];
      if (last === 0 || (selection.call !== undefined && ![kind, call].includes(selection.call))) continue;
      for (const fault of FAULTS_OF[kind]) {
        if (selection.fault !== undefined && selection.fault !== fault) continue;
        const numbers = selectNumbers(first, last, selection, { kind, fault });
        const injections = numbers.map((n) => ({ call, fault, n }));
        if (injections.length > 0) series.push({ scenario, kind, calls: last - first + 1, injections });
      }
    }
  }
  return series;
}

function selectNumbers(
  first: number,
  last: number,
  { short, from, max }: Selection,
  pair: { readonly kind: CallKind; readonly fault: FaultKind },
): number[] {
  if (short) {
    const chosen = SHORT.find(({ kind, fault }) => kind === pair.kind && fault === pair.fault);
    return chosen && first <= last ? [first + Math.floor(chosen.share * (last - first))] : [];
  }
  // runs differ by a few calls, so the first requested number is tried even if this run had fewer
  return from === undefined ? spread(first, last, max) : listFrom(first, last, max);
}

function listFrom(first: number, last: number, max: number): number[] {
  return Array.from({ length: Math.min(max, Math.max(1, last - first + 1)) }, (_, i) => first + i);
}

/** Returns at most `max` numbers from first to last, both included; only the first if there is room for one. */
function spread(first: number, last: number, max: number): number[] {
  const count = Math.min(max, last - first + 1);
  if (count === 1) return [first];
  return Array.from({ length: Math.max(0, count) }, (_, i) => first + Math.round((i * (last - first)) / (count - 1)));
}
