import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Where the process says what it does: JSON, a line each; in a readable form on a terminal. */
export function createLog(level: string): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (process.stdout.isTTY)
    return pino(options, pretty({ translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true }));
  // requests do not wait for their lines: what gathers during one write goes out with the next
  const output = pino.destination({ dest: process.stdout.fd, sync: false });
  process.once('exit', () => output.flushSync());
  return pino(options, output);
}
