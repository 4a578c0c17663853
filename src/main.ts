import './node-version.ts';
import module from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// the heap grows to 3 times its live objects. V8's default, 4 times, is not faster; at 2 times, it pauses too often
setFlagsFromString('--heap-growing-percent=200');
// half the work of a start is compiling
module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/embed-gateway'));
// dynamic, so that it is compiled after the line above
const { runGateway } = await import('./gateway.ts');
await runGateway();
module.flushCompileCache();
