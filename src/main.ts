import './node-version.ts';
import module from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/** In percent of what is in use: a heap that may grow fourfold, as by default, is no faster; twofold, its pauses come too often. */
setFlagsFromString('--heap-growing-percent=200');
/** Compiled code is kept beside the packages, so that the next start reads it: half the work of a start is compiling. */
module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/embed-gateway'));
// a static import would be compiled before the line above
const { runGateway } = await import('./gateway.ts');
await runGateway();
module.flushCompileCache();
