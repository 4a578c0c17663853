/** Logs many lines at different paces. The last one is not flushed before the process ends. */
import { createLog } from '../../src/log.ts';

const log = await createLog('info');
let line = 0;
for (; line < 2_000; line++) log.info({ line }, 'at once');
for (; line < 3_000; line++) {
  log.info({ line }, 'now and then');
  if (line % 100 === 0) await new Promise<void>((written) => log.flush(() => written()));
  if (line % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
}
log.warn({ line }, 'a warning');
log.info({ line: line + 1 }, 'the last');
