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

/** Ends a fetch. `createPageFetcher` turns it into a result. */
export class FetchFailure extends Error {
  readonly reason: FailureReason;
  readonly status: number | null;
  /** `Retry-After` of the response; null without one. */
  readonly retryAfterMs: number | null;

  constructor(reason: FailureReason, status: number | null = null, retryAfterMs: number | null = null) {
    super(reason);
    this.reason = reason;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
