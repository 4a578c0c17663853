import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { Refusal } from './errors.ts';

/** A logger, in pino's shape. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Lines are written in batches of this size, or after 100 ms; warnings and errors at once. */
const MAX_BUFFERED_LINES = 256;
const FLUSH_INTERVAL_MS = 100;
/** More than a batch ever has, so that the destination does not write by itself. */
const UNREACHABLE_BYTES = 2 ** 30;

const INFO = pino.levels.values.info ?? 30;
const WARN = pino.levels.values.warn ?? 40;

export function logBug(log: Log, requestId: string, error: unknown): void {
  log.error({ requestId, err: error }, 'bug');
}

/** Creates a log of the errors of background work. It skips refusals: the store itself logs that the database is unavailable. */
export function createErrorLog(log: Log, name: string): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof Refusal)) logBug(log, name, error);
  };
}

/** Creates a log that writes its lines without delay, at any LOG_LEVEL. Nothing waits for the end of the write. */
export function createAuditLog(log: Logger): { info(fields: object, message: string): void } {
  const child = log.child({}, { level: 'info' });
  return {
    info(fields, message) {
      child.info(fields, message);
      child.flush();
    },
  };
}

/** Creates the log of the process on standard output: JSON lines, or readable text on a terminal. */
export async function createLog(level: string): Promise<Logger> {
  const timestamp = createTimestamp();
  const options = { level, base: null, timestamp };
  if (!process.stdout.isTTY) {
    const lines = bufferLines(process.stdout.fd);
    return pino({ ...options, hooks: { logMethod: createLogMethod(lines, timestamp) } }, lines);
  }
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true }));
}

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/**
 * Creates a hook that serializes informational lines, without bindings of child loggers and serializers of errors. pino takes
 * twice as long, and most lines are requests.
 */
function createLogMethod(lines: LineBuffer, timestamp: () => string): LogMethod {
  return function logMethod(args, method, level) {
    if (level !== INFO) return method.apply(this, args);
    const [fields, message] = args as unknown as Parameters<Log['info']>;
    const members = JSON.stringify(fields).slice(1, -1);
    lines.add(`{"level":${INFO}${timestamp()}${members && `,${members}`},"msg":${JSON.stringify(message)}}\n`);
  };
}

function createTimestamp(): () => string {
  let formattedAt = Number.NaN;
  let formatted = '';
  return () => {
    const now = Date.now();
    if (now !== formattedAt) [formattedAt, formatted] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return formatted;
  };
}

interface LineBuffer extends DestinationStream {
  /** The level of the line that is written. pino sets it. */
  lastLevel: number;
  /** Adds a line that need not be written at once. */
  add(line: string): void;
  flush(onFlushed?: () => void): void;
}

/**
 * Writes lines in batches without blocking requests. They wait as bytes, because pino's destination measures all of a text that
 * waits at each line.
 */
function bufferLines(fd: number): LineBuffer {
  const limits = { minLength: UNREACHABLE_BYTES, maxWrite: UNREACHABLE_BYTES + 1 };
  const destination = pino.destination({ dest: fd, sync: false, contentMode: 'buffer', ...limits });
  let lineCount = 0;
  let flushCallbacks: (() => void)[] = [];
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;

  function startWriting(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting) return;
    if (lineCount > 0) {
      isWriting = true;
      lineCount = 0;
      destination.flush();
    } else {
      const callbacks = flushCallbacks;
      flushCallbacks = [];
      for (const onFlushed of callbacks) onFlushed();
    }
  }

  function add(line: string): void {
    // in contentMode `buffer` it takes bytes; its types allow only text
    destination.write(Buffer.from(line) as unknown as string);
    lineCount++;
    writeSoon();
  }

  function writeSoon(): void {
    if (flushCallbacks.length > 0 || lineCount >= MAX_BUFFERED_LINES) startWriting();
    else if (lineCount > 0) timer ??= setTimeout(startWriting, FLUSH_INTERVAL_MS).unref();
  }

  function continueWriting(): void {
    isWriting = false;
    writeSoon();
  }

  // after an error, the destination retries with the next write
  destination.on('drain', continueWriting).on('error', continueWriting);
  return {
    // makes pino set lastLevel
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    add,
    write(line) {
      add(line);
      if (this.lastLevel >= WARN) startWriting();
    },
    flush(onFlushed = () => {}) {
      flushCallbacks.push(onFlushed);
      startWriting();
    },
  };
}
