import { html, type Markup } from '../../../reader/src/html.ts';
import { en, type Words } from '../words/en.ts';
import { type FramePage, renderDocument } from './document.ts';
import { frameWordsOf, renderAllWords } from './frame-words.ts';

type ReaderError = Exclude<keyof Words['errors'], 'retry'>;

/** Renders an error for readers, in their language. */
export function renderReaderError(error: ReaderError, requestId?: string): FramePage {
  const { words, attributes } = frameWordsOf({ language: 'en', direction: 'ltr' });
  const { title, text } = words.errors[error];
  const textsIn = ({ errors }: Words) => [errors[error].title, errors[error].text, errors.retry];
  const reference = requestId && html`\n<p class="site" lang="en" dir="ltr">Request ${requestId}</p>`;
  const retry = error === 'unavailable' ? renderRetry(words.errors.retry, attributes) : null;
  const body = html`<h1${attributes}>${title}</h1>\n<p${attributes}>${text}</p>${reference ?? null}${retry}`;
  return renderErrorDocument(title, body, renderAllWords(words, textsIn));
}

/** Renders an error for an owner or a developer, in English. */
export function renderErrorPage(title: string, text: string, canRetry: boolean): FramePage {
  const retry = canRetry ? renderRetry(en.errors.retry, null) : null;
  return renderErrorDocument(title, html`<h1>${title}</h1>\n<p>${text}</p>${retry}`);
}

function renderRetry(label: string, attributes: Markup | null): Markup {
  return html`\n<a class="original primary" href=""${attributes}>${label}</a>`;
}

function renderErrorDocument(title: string, text: Markup, words?: Markup): FramePage {
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
