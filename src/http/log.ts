import pino, { type DestinationStream, type LogFn, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Lines are written when there are 8 kB of them, or after a tenth of a second; warnings and errors at once. */
const MIN_WRITE_BYTES = 8_192;
const FLUSH_MS = 100;
/** So many lines are handed over in one piece. */
const LINES_IN_PIECE = 16;

const WARN = pino.levels.values.warn ?? 40;

/** The same output for what is told at any level, and at once. */
export function createAuditLog(log: Logger): { info(fields: object, message: string): void } {
  const child = log.child({}, { level: 'info' });
  return {
    info(fields, message) {
      child.info(fields, message);
      child.flush();
    },
  };
}

/** Where the process says what it does: JSON, a line each; in a readable form on a terminal. */
export function createLog(level: string): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (process.stdout.isTTY)
    return pino(options, pretty({ translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true }));
  const output = gather(process.stdout.fd);
  return pino({ ...options, hooks: { logMethod } }, output);

  function logMethod(this: Logger, args: Parameters<LogFn>, log: LogFn, level: number): void {
    log.apply(this, args);
    if (level >= WARN) output.flush();
  }
}

/**
 * Requests do not wait for their lines, which go out together. They are handed on in pieces, because the destination
 * measures all that it holds each time.
 */
function gather(fd: number): DestinationStream & { flush(written?: () => void): void } {
  const destination = pino.destination({ dest: fd, sync: false, minLength: MIN_WRITE_BYTES });
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  function handOn(): void {
    if (lines.length > 0) destination.write(lines.join(''));
    lines = [];
  }

  function flush(written?: () => void): void {
    clearTimeout(timer);
    timer = undefined;
    handOn();
    destination.flush(written);
  }

  // what is begun by then is still finished
  process.once('beforeExit', () => flush());
  process.once('exit', () => {
    handOn();
    destination.flushSync();
  });
  return {
    write(line) {
      timer ??= setTimeout(flush, FLUSH_MS).unref();
      if (lines.push(line) >= LINES_IN_PIECE) handOn();
    },
    flush,
  };
}
