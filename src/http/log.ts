import pino, { type LogFn, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Lines are written when there are 8 kB of them, or after a tenth of a second; warnings and errors at once. */
const GATHERING = { minLength: 8_192, periodicFlush: 100 };

const WARN = pino.levels.values.warn ?? 40;

/** Where the process says what it does: JSON, a line each; in a readable form on a terminal. */
export function createLog(level: string): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (process.stdout.isTTY)
    return pino(options, pretty({ translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true }));
  // requests do not wait for their lines, which go out together
  const output = pino.destination({ dest: process.stdout.fd, sync: false, ...GATHERING });
  process.once('exit', () => output.flushSync());
  return pino({ ...options, hooks: { logMethod } }, output);

  function logMethod(this: Logger, args: Parameters<LogFn>, log: LogFn, level: number): void {
    log.apply(this, args);
    if (level >= WARN) output.flush();
  }
}
