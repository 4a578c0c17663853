import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import type { Target } from './target.ts';

const CONNECTIONS = 16;

/** Result of a load test. */
export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

export const LOAD_GENERATOR = `${hasWrk ? 'wrk' : 'autocannon'}, ${CONNECTIONS} connections`;

/**
 * Sends requests in random order over 16 connections.
 * @param name of a file in the folder. Concurrent loads need different names.
 * @throws if any response is an error
 */
export async function load(
  origin: string,
  targets: readonly Target[],
  seconds: number,
  folder: string,
  name = 'requests',
): Promise<Load> {
  const result = await (hasWrk ? useWrk : useAutocannon)(origin, targets, seconds, `${folder}/${name}`);
  if (result.errors > 0) throw new Error(`${result.errors} of ${result.requests} requests failed`);
  return { ...result, perSecond: result.requests / result.seconds };
}

interface Result extends Omit<Load, 'perSecond'> {
  readonly seconds: number;
  readonly errors: number;
}

async function useWrk(origin: string, targets: readonly Target[], seconds: number, file: string): Promise<Result> {
  const parts = targets.flatMap(({ method, path, headers, body }) => [
    ...[method, path, body ?? ''],
    ...Object.entries(headers).flat(),
    '',
  ]);
  writeFileSync(file, parts.map((part) => `${part}\0`).join(''));
  const script = fileURLToPath(new URL('load.lua', import.meta.url));
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, origin, '--', file];
  const { stdout } = await promisify(execFile)('wrk', args);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Result;
}

async function useAutocannon(origin: string, targets: readonly Target[], seconds: number): Promise<Result> {
  let clients = 0;
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient(client) {
      // each connection starts at a different target, so that equal requests are not simultaneous
      const start = Math.floor((targets.length / CONNECTIONS) * clients++);
      client.setRequests([...targets.slice(start), ...targets.slice(0, start)].map((target) => ({ ...target })));
    },
  });
  const { requests, latency, errors, non2xx, duration } = result;
  return {
    requests: requests.total,
    seconds: duration,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    errors: errors + non2xx,
  };
}
