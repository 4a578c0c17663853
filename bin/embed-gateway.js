#!/usr/bin/env node
import './check-node.js';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { addEarlyEnd } from './end-early.js';

// glibc and V8 read these when a program starts. Without the first, glibc keeps freed memory for each thread: 40 MB of a service
// under load. Without the second, V8's young generation grows to 128 MB, which serves requests hardly faster; V8 makes it
// smaller in pauses, so it has to grow. The service has one process on Linux: this one becomes it. Windows has neither glibc nor
// `execve`, and Node 23.0 to 23.10 lack it.
const YOUNG_GENERATION = '--max-semi-space-size=16';
const [command = 'serve'] = process.argv.slice(2);
if (
  command === 'serve' &&
  process.platform === 'linux' &&
  process.execve &&
  !process.execArgv.includes(YOUNG_GENERATION)
) {
  const line = [process.execPath, YOUNG_GENERATION, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, line, { MALLOC_ARENA_MAX: '2', ...process.env });
}

// after `execve`, which would lose a signal that has arrived
if (command === 'serve') addEarlyEnd();

// Half of the time of a start is compiling: the next start reads the compiled code from disk. In this file and not in
// `main.ts`, because Node loads its TypeScript parser for a file that is not in the cache.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/embed-gateway', import.meta.url)));

// A clone runs its sources, also where a build is left over. The package has only the build, because Node does not read
// TypeScript below node_modules.
const source = new URL('../src/main.ts', import.meta.url);
await import(existsSync(source) ? source : '../dist/main.js');
