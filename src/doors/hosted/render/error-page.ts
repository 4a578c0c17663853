import { html } from '#reader/html';
import type { Problem, ProblemCode } from '../../../http/problem.ts';
import { type Reply, reply } from '../../../http/reply.ts';
import { type HostedPage, pageHeaders, renderDocument } from './document.ts';

const HEADINGS: Partial<Record<ProblemCode, string>> = {
  not_found: 'Embed not found',
  method_not_allowed: 'Method not allowed',
  rate_limited: 'Temporarily unavailable',
  unavailable: 'Temporarily unavailable',
};

const RETRYABLE: readonly ProblemCode[] = ['rate_limited', 'unavailable', 'internal'];

export function renderErrorPage(code: ProblemCode, detail: string, requestId?: string): HostedPage {
  const title = HEADINGS[code] ?? 'This page cannot be shown';
  const reference = requestId && html`\n<p class="site">Request ${requestId}</p>`;
  const retry = RETRYABLE.includes(code) ? html`\n<a class="original primary" href="">Try again</a>` : null;
  const text = html`<h1>${title}</h1>\n<p>${detail}</p>${reference ?? null}${retry}`;
  return renderDocument({
    language: 'en',
    direction: 'ltr',
    mode: 'AUTO',
    webFont: null,
    title,
    metadata: html`<meta name="robots" content="noindex">`,
    body: html`<main class="column"><section class="card"><div class="card-text">${text}</div></section></main>`,
  });
}

export function errorReply({ status, code, detail, headers }: Problem, requestId: string): Reply {
  const page = renderErrorPage(code, detail, code === 'internal' ? requestId : undefined);
  return reply(page.html, { status, headers: { ...pageHeaders(page), 'cache-control': 'no-store', ...headers } });
}
