import pino, { type DestinationStream, type LogFn, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Lines are written when there are so many, or after a tenth of a second; warnings and errors at once. */
const MAX_GATHERED = 256;
const GATHER_MS = 100;
/** More than is ever handed to the destination at once: it shall not begin to write by itself. */
const NEVER_BYTES = 2 ** 30;

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
 * Requests do not wait for their lines, which go out together, one piece after the other. They are gathered here, because
 * the destination measures all that it holds at each line, and leaves behind what comes while it writes.
 */
function gather(fd: number): DestinationStream & { flush(written?: () => void): void } {
  const destination = pino.destination({ dest: fd, sync: false, minLength: NEVER_BYTES, maxWrite: NEVER_BYTES + 1 });
  /** In one string, which is put together once, when it is handed over. */
  let lines = '';
  let gathered = 0;
  let waiting: (() => void)[] = [];
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting) return;
    if (gathered > 0) {
      isWriting = true;
      handOver();
      destination.flush();
    } else {
      const told = waiting;
      waiting = [];
      for (const tell of told) tell();
    }
  }

  function handOver(): void {
    destination.write(lines);
    lines = '';
    gathered = 0;
  }

  function goOn(): void {
    isWriting = false;
    if (waiting.length > 0 || gathered >= MAX_GATHERED) send();
    else if (gathered > 0) timer ??= setTimeout(send, GATHER_MS).unref();
  }

  // what could not be written is tried again with what comes next
  destination.on('drain', goOn).on('error', goOn);
  // a process that has nothing else to do waits for its last lines
  process.once('beforeExit', send);
  process.once('exit', () => {
    handOver();
    destination.flushSync();
  });
  return {
    write(line) {
      timer ??= setTimeout(send, GATHER_MS).unref();
      lines += line;
      if (++gathered >= MAX_GATHERED) send();
    },
    flush(written = () => {}) {
      waiting.push(written);
      send();
    },
  };
}
