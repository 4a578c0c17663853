/** Writes the element from `embed.js`, the script that the service serves. A server imports it without effect. */
import { readFile, writeFile } from 'node:fs/promises';

const source = await readFile(new URL('../frame/src/client/embed.js', import.meta.url), 'utf8');
await writeFile(
  new URL('./dist/element.js', import.meta.url),
  `if (typeof window !== 'undefined') {\n${source}}\nexport {};\n`,
);
await writeFile(new URL('./dist/element.d.ts', import.meta.url), 'export {};\n');
