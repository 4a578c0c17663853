import { readFileSync } from 'node:fs';
import type { Service } from '../harness/service.ts';

/** In bytes. */
export interface Memory {
  /** The resident memory of the process alone: the article reader and the browser are processes of their own. */
  readonly rss: number;
  readonly heapUsed: number;
  readonly heapTotal: number;
  readonly external: number;
  readonly arrayBuffers: number;
}

const PROBE_MS = 1_000;
const PROBE = `setInterval(() => console.log('MEMORY', JSON.stringify(process.memoryUsage())), ${PROBE_MS}).unref();`;

/** Arguments of Node that make a service print its memory every second. No garbage collection is forced. */
export const PROBE_OPTIONS = ['--import', `data:text/javascript,${encodeURIComponent(PROBE)}`];

/** Returns null if the service has not printed its memory yet. */
export function readMemory({ pid, log }: Service): Memory | null {
  const [, printed] = [...log().matchAll(/^MEMORY (.+)$/gm)].at(-1) ?? [];
  if (printed === undefined) return null;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024;
  return { ...(JSON.parse(printed) as Memory), rss };
}
