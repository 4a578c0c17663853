import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns a function that sums the anonymous and shared memory of a process group on Linux, in bytes. The proportional
 * share (PSS) would be exact, but the sandbox hides it from other processes.
 */
export function createMemoryMeter(group: number): () => number | null {
  /** True for a process of the group, by its id. */
  let known = new Map<string, boolean>();
  return () => {
    if (process.platform !== 'linux') return null;
    const pids = listProcesses();
    if (!pids) return null;
    known = new Map(pids.map((pid) => [pid, known.get(pid) ?? belongsTo(pid, group)]));
    return pids.reduce((sum, pid) => sum + (known.get(pid) ? measureProcess(pid) : 0), 0);
  };
}

/** Returns null if the service can open no file now. */
function listProcesses(): readonly string[] | null {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return null;
  }
}

function belongsTo(pid: string, group: number): boolean {
  // pid (name) state ppid pgrp …; the name may contain spaces and parentheses
  const [, , pgrp] = readProcessFile(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(pgrp) === group;
}

function measureProcess(pid: string): number {
  let bytes = 0;
  for (const [, kB] of readProcessFile(pid, 'status').matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) {
    bytes += Number(kB) * 1024;
  }
  return bytes;
}

/** Returns an empty text if the process has ended. */
function readProcessFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
