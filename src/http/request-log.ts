import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

/** What doors need of a logger (pino's shape). */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** One line for each request, a warning where it failed at ours. Of the URL only the path: a query string may hold what is nobody's business. */
export function logRequest(log: Log, exchange: Exchange, response: Reply, seconds: number): void {
  const { id, request, url, accountId } = exchange;
  const ms = Math.round(seconds * 100_000) / 100;
  const fields = {
    requestId: id,
    method: request.method,
    host: url.host,
    path: url.pathname,
    status: response.status,
    ms,
  };
  const level = response.status < 500 ? 'info' : 'warn';
  log[level](accountId === undefined ? fields : { ...fields, accountId }, 'request');
}

/** An error that is ours to mend, with all that is known of it. */
export function logBug(log: Log, requestId: string, error: unknown): void {
  log.error({ requestId, err: error }, 'bug');
}
