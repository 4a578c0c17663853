#!/usr/bin/env node
import './check-node.js';
import { existsSync } from 'node:fs';

// A clone runs its sources, also where a build is left over. The package has only the build, because Node does not read
// TypeScript below node_modules.
const source = new URL('../src/main.ts', import.meta.url);
await import(existsSync(source) ? source : '../dist/main.js');
