export type FailureReason =
  | 'bad-url'
  /** The URL is on a host of this service. */
  | 'own-host'
  | 'blocked-port'
  /** The host name, or one of its addresses, is not public. */
  | 'blocked-address'
  | 'bad-redirect'
  | 'too-many-redirects'
  /** Unknown name, refused connection, invalid certificate or malformed response headers. */
  | 'unreachable'
  | 'http-error'
  | 'too-large'
  /** A body that is truncated or cannot be decoded. */
  | 'broken-body'
  | 'timeout'
  | 'aborted';

export interface FailedFetch {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  /** Of the response; absent without one. */
  readonly status?: number;
  /** `Retry-After` of the response; absent or undefined without one. */
  readonly retryAfterMs?: number | undefined;
}

/** Ends a fetch. `createPageFetcher` returns its result. */
export class FetchFailure extends Error {
  readonly result: FailedFetch;

  constructor(reason: FailureReason, response: Pick<FailedFetch, 'status' | 'retryAfterMs'> = {}) {
    super(reason);
    this.result = { kind: 'failed', reason, ...response };
  }
}
