import type { FailureReason } from '#fetcher';
import type { PageStatus } from '#reader/page-state';

type NetworkFailure = Exclude<FailureReason, 'http-error' | 'aborted'>;

const STATUSES: Readonly<Record<NetworkFailure, PageStatus>> = {
  'bad-url': { state: 'NOT_ALLOWED', reason: 'Only http and https URLs without credentials can be fetched.' },
  'own-host': { state: 'NOT_ALLOWED', reason: 'The page is on a host of this gateway.' },
  'blocked-port': { state: 'NOT_ALLOWED', reason: 'The page is on a port other than 80 and 443.' },
  'blocked-address': { state: 'NOT_ALLOWED', reason: 'The page is not on a public address.' },
  'bad-redirect': { state: 'UNREACHABLE', reason: 'The site redirects to something that is not a web address.' },
  'too-many-redirects': { state: 'UNREACHABLE', reason: 'The site redirects too often.' },
  unreachable: {
    state: 'UNREACHABLE',
    reason: 'The connection failed: the name is unknown, the site refuses, or its certificate is not valid.',
  },
  timeout: { state: 'UNREACHABLE', reason: 'The site did not answer in time.' },
  'broken-body': { state: 'UNREACHABLE', reason: 'The response of the site is incomplete or cannot be decoded.' },
  'too-large': { state: 'TOO_LARGE', reason: 'The page is larger than 5 MB.' },
};

export const UNREADABLE: PageStatus = { state: 'TOO_LARGE', reason: 'The page takes too much time or memory to read.' };

/** Says nothing about the page. */
export const BUSY: PageStatus = {
  state: 'PENDING',
  reason: 'The gateway is too busy to read the page; it tries again.',
};

export const GONE_STATUSES = [404, 410];
const FORBIDDEN_STATUSES = [401, 403, 451];

export function statusOfFailure(reason: Exclude<FailureReason, 'aborted'>, httpStatus = 0): PageStatus {
  if (reason !== 'http-error') return STATUSES[reason];
  if (GONE_STATUSES.includes(httpStatus)) {
    return { state: 'GONE', reason: `The site has no such page (status ${httpStatus}).` };
  }
  if (FORBIDDEN_STATUSES.includes(httpStatus)) {
    return { state: 'FORBIDDEN', reason: `The site does not let the gateway read the page (status ${httpStatus}).` };
  }
  return { state: 'UNREACHABLE', reason: `The site answers with an error (status ${httpStatus}).` };
}
