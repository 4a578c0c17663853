/** The codes of refusals. Each protocol has a total table from them, so a new code does not compile until every door has it. */
export const REFUSAL_CODES = [
  'malformed',
  'invalid',
  'unauthenticated',
  'invalid_token',
  'insufficient_scope',
  'not_found',
  'conflict',
  'gone',
  'precondition_failed',
  'rate_limited',
  'unavailable',
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** A fault of one parameter, in the spelling of the door that it came through. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** Limits of a response: names come from the caller, and messages may quote values. */
export const MAX_SHOWN_FAULTS = 50;
export const MAX_PATH_LENGTH = 100;
export const MAX_MESSAGE_LENGTH = 300;

export function shownFaults(faults: readonly Fault[]): readonly Fault[] {
  return faults.slice(0, MAX_SHOWN_FAULTS).map(({ path, message }) => ({
    path: shorten(path, MAX_PATH_LENGTH),
    message: shorten(message, MAX_MESSAGE_LENGTH),
  }));
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

/** An error whose message is safe to show to the caller. Any other error is a bug and is masked. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly faults: readonly Fault[];
  /** Seconds after which a retry may succeed. */
  readonly retryAfterS: number | null;

  constructor(code: RefusalCode, message: string, faults: readonly Fault[] = [], retryAfterS: number | null = null) {
    super(message);
    this.code = code;
    this.faults = faults;
    this.retryAfterS = retryAfterS;
  }
}

/** Checks whether the process, or the whole system, may open no further file or connection. */
export function isOutOfDescriptors(error: unknown): boolean {
  const { code = '', message = '' } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  // Node.js reports an unreadable package.json with a code of its own
  return code === 'EMFILE' || code === 'ENFILE' || /too many open files/.test(message);
}

/** Detects a refusal after which the same request may succeed later. */
export function isUnavailable(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code === 'unavailable';
}

/** Ends a stream of changes that cannot be continued after the last change that the client has received. */
export class ChangesMissed extends Refusal {
  constructor() {
    super('unavailable', 'Changes may have been missed: subscribe again, then read what you show anew.');
  }
}

export interface Quota {
  /** `token` or `address`. */
  readonly policy: string;
  readonly limit: number;
  readonly windowS: number;
  readonly remaining: number;
  readonly resetS: number;
}

export class RateLimited extends Refusal {
  readonly quota: Quota;
  readonly accountId: string | null;

  /** @param subject the counted events, such as "requests with this token" */
  constructor(subject: string, quota: Quota, accountId: string | null = null) {
    const message = `More than ${quota.limit} ${subject} in a minute; try again in ${quota.resetS} s.`;
    super('rate_limited', message, [], quota.resetS);
    this.quota = quota;
    this.accountId = accountId;
  }
}

export function refuseFaults(faults: readonly Fault[], code: 'invalid' | 'malformed' = 'invalid'): Refusal {
  const [first] = shownFaults(faults);
  const more = faults.length - 1;
  const others = more === 1 ? ' One more parameter is not valid.' : ` ${more} more parameters are not valid.`;
  return new Refusal(code, (first ? describeFault(first) : '') + (more > 0 ? others : ''), faults);
}

/** Returns the faults that a parser throws; none if all is valid. */
export function faultsOf(parse: () => unknown): readonly Fault[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.faults.length > 0) return error.faults;
    throw error;
  }
}

/** Returns a sentence. Most messages are predicates to the name of the parameter. */
function describeFault({ path, message }: Fault): string {
  const sentence = /^[a-z]/.test(message) ? `\`${path}\` ${message}` : message;
  return /[.…!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
