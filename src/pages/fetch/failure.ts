/** Why a page could not be had. */
export type FailureReason =
  /** Not an absolute http(s) URL without credentials. */
  | 'bad-url'
  /** A page of this service itself. */
  | 'own-host'
  | 'blocked-port'
  /** A host that is not public, by its name or by one of its addresses. */
  | 'blocked-address'
  /** A redirect without a target, or with one that is no page. */
  | 'bad-redirect'
  | 'too-many-redirects'
  /** No answer: an unknown name, a refused connection, a certificate that is not valid, broken headers. */
  | 'unreachable'
  /** An answer with a status other than 2xx; the failure says which. */
  | 'http-error'
  | 'not-html'
  | 'too-large'
  /** A body that ended early, or that cannot be unpacked. */
  | 'broken-body'
  | 'timeout'
  /** The caller no longer wants the page. */
  | 'aborted';

/** Ends a fetch from wherever it is. It never leaves this room. */
export class FetchFailure extends Error {
  readonly reason: FailureReason;
  /** Of an `http-error`. */
  readonly status: number | null;

  constructor(reason: FailureReason, status: number | null = null) {
    super(reason);
    this.reason = reason;
    this.status = status;
  }
}
