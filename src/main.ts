import './node-version.ts';
import module from 'node:module';
import { join } from 'node:path';

/** Compiled code is kept beside the packages, so that the next start reads it: half the work of a start is compiling. */
module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/embed-gateway'));
// a static import would be compiled before the line above
const { runGateway } = await import('./gateway.ts');
await runGateway();
module.flushCompileCache();
