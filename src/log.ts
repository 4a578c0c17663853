import pino, { type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** A logger, in pino's shape. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

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
  const options = { level, base: null, timestamp: createTimestamp() };
  if (process.stdout.isTTY)
    return pino(options, pretty({ translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true }));
  return pino(options, gather(process.stdout.fd));
}

/** The time as pino wants it, in ISO 8601: written once for all lines of a millisecond. */
function createTimestamp(): () => string {
  let writtenAt = Number.NaN;
  let written = '';
  return () => {
    const now = Date.now();
    if (now !== writtenAt) [writtenAt, written] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return written;
  };
}

interface Gatherer extends DestinationStream {
  /** Of the line that is written. */
  lastLevel: number;
  flush(written?: () => void): void;
}

/**
 * Requests do not wait for their lines, which go out together, one piece after the other. They are gathered here, because
 * the destination measures all that it holds at each line, and leaves behind what comes while it writes.
 */
function gather(fd: number): Gatherer {
  const bounds = { minLength: NEVER_BYTES, maxWrite: NEVER_BYTES + 1 };
  const destination = pino.destination({ dest: fd, sync: false, contentMode: 'buffer', ...bounds });
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
    // bytes, which it need not measure; its types know of text alone
    destination.write(Buffer.from(lines) as unknown as string);
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
    // has pino tell of what level each line is
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line) {
      lines += line;
      if (++gathered >= MAX_GATHERED || this.lastLevel >= WARN) send();
      else timer ??= setTimeout(send, GATHER_MS).unref();
    },
    flush(written = () => {}) {
      waiting.push(written);
      send();
    },
  };
}
