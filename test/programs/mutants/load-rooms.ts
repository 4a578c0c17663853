import { globSync } from 'node:fs';
import { resolve } from 'node:path';

// The code that runs while a module loads belongs to no test, so Stryker must not count it for the first test that needs
// the module. The file of a worker runs only as one.
const files = globSync('{src/{domain,auth,http,store/embeds,store/sqlite}/**/*,packages/reader/src/*}.ts').filter(
  (file) => !file.endsWith('-worker.ts'),
);
for (const file of files) await import(/* @vite-ignore */ resolve(file));
