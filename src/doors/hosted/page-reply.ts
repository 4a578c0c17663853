import { type FramePage, renderErrorPage, renderReaderError } from '#frame';
import type { Problem, ProblemCode } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';

/** Omits `X-Frame-Options`, which could only forbid framing; `frame-ancestors` of the policy names the sites that may frame. */
export function pageHeaders({ contentSecurityPolicy }: FramePage): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
  };
}

/** The errors that readers see in place of an embed. */
const READER_ERRORS: Partial<Record<ProblemCode, Parameters<typeof renderReaderError>[0]>> = {
  not_found: 'notFound',
  rate_limited: 'unavailable',
  unavailable: 'unavailable',
  internal: 'unavailable',
};

const HEADINGS: Partial<Record<ProblemCode, string>> = {
  method_not_allowed: 'Method not allowed',
  rate_limited: 'Temporarily unavailable',
  unavailable: 'Temporarily unavailable',
};

/** Renders a problem for an owner or a developer. */
export function renderProblem(code: ProblemCode, text: string): FramePage {
  return renderErrorPage(HEADINGS[code] ?? 'This page cannot be shown', text, READER_ERRORS[code] === 'unavailable');
}

export function errorReply({ status, code, detail, headers }: Problem, requestId: string): Reply {
  const error = READER_ERRORS[code];
  const page = error
    ? renderReaderError(error, code === 'internal' ? requestId : undefined)
    : renderProblem(code, detail);
  return reply(page.html, { status, headers: { ...pageHeaders(page), 'cache-control': 'no-store', ...headers } });
}
