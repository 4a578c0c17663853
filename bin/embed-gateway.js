#!/usr/bin/env node
import './check-node.js';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { endEarly } from './end-early.js';

// glibc reads this when a program starts, and keeps freed memory for each thread without it: 40 MB of a service under load.
// The service has one process on Linux: this one becomes it. Windows has neither glibc nor `execve`, and Node 23.0 to 23.10 lack it.
const [command = 'serve'] = process.argv.slice(2);
if (
  command === 'serve' &&
  process.platform === 'linux' &&
  process.execve &&
  process.env.MALLOC_ARENA_MAX === undefined
) {
  const line = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, line, { ...process.env, MALLOC_ARENA_MAX: '2' });
}

// after `execve`, which would lose a signal that has arrived
if (command === 'serve') endEarly();

// Half of the time of a start is compiling: the next start reads the compiled code from disk. In this file and not in
// `main.ts`, because Node loads its TypeScript parser for a file that is not in the cache.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/embed-gateway', import.meta.url)));

// A clone runs its sources, also where a build is left over. The package has only the build, because Node does not read
// TypeScript below node_modules.
const source = new URL('../src/main.ts', import.meta.url);
await import(existsSync(source) ? source : '../dist/main.js');
