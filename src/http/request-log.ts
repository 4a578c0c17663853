import type { Exchange } from './exchange.ts';

/** What doors need of a logger (pino's shape). */
export interface Log {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** One line for each request. Of the URL only the path: a query string may hold what is nobody's business. */
export function logRequest(log: Log, exchange: Exchange, response: Response, startedAt: number): void {
  const { id, request, url, accountId } = exchange;
  const ms = Math.round((performance.now() - startedAt) * 100) / 100;
  const fields = {
    requestId: id,
    method: request.method,
    host: url.host,
    path: url.pathname,
    status: response.status,
    ms,
  };
  log.info(accountId === undefined ? fields : { ...fields, accountId }, 'request');
}

/** An error that is ours to mend, with all that is known of it. */
export function logBug(log: Log, requestId: string, error: unknown): void {
  log.error({ requestId, err: error }, 'bug');
}
