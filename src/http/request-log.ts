import type { Log } from '../log.ts';
import type { Exchange } from './exchange.ts';

interface Completion {
  readonly status: number;
  readonly accountId: string | null;
  readonly seconds: number;
}

/** Logs a request in one line, as a warning when the service failed. The query string is left out: it may hold private data. */
export function logRequest(log: Log, { id, request, url }: Exchange, { status, accountId, seconds }: Completion): void {
  const ms = Math.round(seconds * 100_000) / 100;
  const fields = { requestId: id, method: request.method, host: url.host, path: url.pathname, status, ms };
  const level = status < 500 ? 'info' : 'warn';
  log[level](accountId === null ? fields : { ...fields, accountId }, 'request');
}
