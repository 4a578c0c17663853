import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Where the process says what it does: JSON, a line each; in a readable form on a terminal. */
export function createLog(level: string): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stdout.isTTY) return pino(options);
  return pino(options, pretty({ translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true }));
}
