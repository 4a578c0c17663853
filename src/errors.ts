/**
 * The closed list of reasons for which a caller's request is refused. Each protocol has one total table from
 * these codes to its own, so that a new code does not compile until every door can say it.
 */
export const REFUSAL_CODES = [
  /** The request cannot be read at all: broken JSON, broken encoding. */
  'malformed',
  /** Readable, but some parameters are not valid; the faults say which. */
  'invalid',
  /** No credential was sent. */
  'unauthenticated',
  /** A credential was sent that is unknown, mistyped, expired or revoked. */
  'invalid_token',
  /** The credential is good, but not for this. */
  'insufficient_scope',
  /** There is no such thing, or it is somebody else's. */
  'not_found',
  /** Others keep changing the same thing; try again. */
  'conflict',
  /** The thing changed since the caller read it. */
  'precondition_failed',
  /** The caller asks more often than it may. */
  'rate_limited',
  /** The service cannot answer at this moment; try again later. */
  'unavailable',
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** A fault of one parameter, in the spelling of the door that it came through. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** Bounds of what is echoed: names come from the caller, and may be long and many; messages may quote values. */
export const MAX_SHOWN_FAULTS = 50;
export const MAX_PATH_LENGTH = 100;
export const MAX_MESSAGE_LENGTH = 300;

/** Returns faults as they are shown to clients: at most 50, with bounded texts. */
export function shownFaults(faults: readonly Fault[]): readonly Fault[] {
  return faults.slice(0, MAX_SHOWN_FAULTS).map(({ path, message }) => ({
    path: shorten(path, MAX_PATH_LENGTH),
    message: shorten(message, MAX_MESSAGE_LENGTH),
  }));
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

/** An error that is the caller's to mend. Its message is safe to show. Everything else is a bug and is masked. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly faults: readonly Fault[];
  /** When to try again, in seconds, for a refusal that time alone mends. */
  readonly retryAfterS: number | null;

  constructor(code: RefusalCode, message: string, faults: readonly Fault[] = [], retryAfterS: number | null = null) {
    super(message);
    this.code = code;
    this.faults = faults;
    this.retryAfterS = retryAfterS;
  }
}

/** What a rate limit leaves a caller in the current window. */
export interface Quota {
  /** The limit that was counted: the requests of a token, or the failed sign-ins of an address. */
  readonly policy: string;
  readonly limit: number;
  readonly windowS: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetS: number;
}

/** A caller used up a quota. */
export class RateLimited extends Refusal {
  readonly quota: Quota;
  /** The account of the caller, for the log; null when the caller was not identified. */
  readonly accountId: string | null;

  /** @param subject what was counted, as in "requests with this token" */
  constructor(subject: string, quota: Quota, accountId: string | null = null) {
    const message = `More than ${quota.limit} ${subject} in a minute; try again in ${quota.resetS} s.`;
    super('rate_limited', message, [], quota.resetS);
    this.quota = quota;
    this.accountId = accountId;
  }
}

/** The refusal of parameters that are not valid, with every fault at once. */
export function refuseFaults(faults: readonly Fault[]): Refusal {
  const message = faults.length === 1 ? 'One parameter is not valid.' : `${faults.length} parameters are not valid.`;
  return new Refusal('invalid', message, faults);
}
