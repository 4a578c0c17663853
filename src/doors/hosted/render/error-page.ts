import { html, type Markup } from '#reader/html';
import type { Problem, ProblemCode } from '../../../http/problem.ts';
import { type Reply, reply } from '../../../http/reply.ts';
import { en, type Words } from '../words/en.ts';
import { type HostedPage, pageHeaders, renderDocument } from './document.ts';
import { frameWordsOf, renderAllWords } from './frame-words.ts';

const HEADINGS: Partial<Record<ProblemCode, string>> = {
  method_not_allowed: 'Method not allowed',
  rate_limited: 'Temporarily unavailable',
  unavailable: 'Temporarily unavailable',
};

const RETRYABLE: readonly ProblemCode[] = ['rate_limited', 'unavailable', 'internal'];

type ReaderError = Exclude<keyof Words['errors'], 'retry'>;

/** The errors that readers see in place of an embed. */
const READER_ERRORS: Partial<Record<ProblemCode, ReaderError>> = {
  not_found: 'notFound',
  rate_limited: 'unavailable',
  unavailable: 'unavailable',
  internal: 'unavailable',
};

/** Renders an error for readers, in their language. */
export function renderReaderError(error: ReaderError, requestId?: string): HostedPage {
  const { words, attributes } = frameWordsOf({ language: 'en', direction: 'ltr' });
  const { title, text } = words.errors[error];
  const textsIn = ({ errors }: Words) => [errors[error].title, errors[error].text, errors.retry];
  const reference = requestId && html`\n<p class="site" lang="en" dir="ltr">Request ${requestId}</p>`;
  const retry = error === 'unavailable' ? renderRetry(words.errors.retry, attributes) : null;
  const body = html`<h1${attributes}>${title}</h1>\n<p${attributes}>${text}</p>${reference ?? null}${retry}`;
  return renderErrorDocument(title, body, renderAllWords(words, textsIn));
}

/** Renders an error for an owner or a developer, in English. */
export function renderErrorPage(code: ProblemCode, detail: string): HostedPage {
  const title = HEADINGS[code] ?? 'This page cannot be shown';
  const retry = RETRYABLE.includes(code) ? renderRetry(en.errors.retry, null) : null;
  return renderErrorDocument(title, html`<h1>${title}</h1>\n<p>${detail}</p>${retry}`);
}

function renderRetry(label: string, attributes: Markup | null): Markup {
  return html`\n<a class="original primary" href=""${attributes}>${label}</a>`;
}

function renderErrorDocument(title: string, text: Markup, words?: Markup): HostedPage {
  return renderDocument({
    language: 'en',
    direction: 'ltr',
    mode: 'AUTO',
    webFont: null,
    title,
    metadata: html`<meta name="robots" content="noindex">`,
    ...(words && { words }),
    body: html`<main class="column"><section class="card"><div class="card-text">${text}</div></section></main>`,
  });
}

export function errorReply({ status, code, detail, headers }: Problem, requestId: string): Reply {
  const error = READER_ERRORS[code];
  const page = error
    ? renderReaderError(error, code === 'internal' ? requestId : undefined)
    : renderErrorPage(code, detail);
  return reply(page.html, { status, headers: { ...pageHeaders(page), 'cache-control': 'no-store', ...headers } });
}
