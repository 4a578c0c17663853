import { globSync } from 'node:fs';
import { resolve } from 'node:path';

// What a module computes when it is loaded belongs to no test, so Stryker must not see it as part of the first that needs
// the module. The file of a worker runs only as one.
const files = globSync('{src/{domain,auth,http,store/embeds,store/sqlite}/**/*,packages/reader/src/*}.ts').filter(
  (file) => !file.endsWith('-worker.ts'),
);
for (const file of files) await import(/* @vite-ignore */ resolve(file));
