import { createElement } from '../blocks/tree.ts';
import { findAddressedNames } from '../head/find-byline.ts';
import { parsePublished } from '../head/published.ts';
import { measureText } from '../plain-text.ts';
import { selectAll } from '../tree/select.ts';
import { MESSAGE_AUTHOR } from './attributes.ts';
import { createMailBody } from './mail-body.ts';
import { MAX_MESSAGES } from './messages.ts';

/** The line before a mail in the archives of public-inbox, and the indented lines of its receivers. */
const THREAD_HEAD = /^From: ([^\n@]{1,80}) @ (\d{4}-\d\d-\d\d +\d{1,2}:\d\d)[^\n]*\n(?:[ \t][^\n]*\n)*/m;
/** The links after it. */
const THREAD_FOOT = '\n^ permalink';
/** The head of a mail (RFC 5322, section 2.2). */
const HEAD = /^(?:[A-Z][\w-]{1,40}: [^\n]*\n(?:[ \t][^\n]*\n){0,50}){3,40}(?=\n)/;
const INTERNET_DATE = /^(?:[A-Z][a-z]{2}, +)?(\d{1,2} [A-Z][a-z]{2} \d{4} \d{1,2}:\d\d(?::\d\d)? [+-]\d{4})/;
/** A date such as "Thu Mar 12 10:00:00 CET 2026". */
const CLOCK_DATE = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) \d{1,2}:\d\d:\d\d (?:[A-Z]{2,5} )?(\d{4})$/;
const MAX_AUTHOR_LENGTH = 80;
/** Of all mails of a page, in characters. */
const MAX_LENGTH = 500_000;
const MAX_LINES = 20_000;
/** Share of the text of a page that is in `pre`, if the page is a mail. */
const MIN_SHARE = 0.5;

export interface Mail {
  readonly author: string;
  readonly publishedAt: string | null;
  readonly subject: string | null;
  readonly text: string;
}

/** Finds the mails of a page of a mailing list, which are plain text. */
export function findMails(document: Document): readonly Mail[] {
  const blocks = selectAll(document, 'pre').slice(0, MAX_MESSAGES);
  const texts = blocks.map(({ textContent }) => textContent);
  const mails = texts.map((text) => findMail(text)).filter((mail) => mail !== null);
  if (mails.length === 0) {
    const mail = texts[0] ? findHeadedMail(document, texts[0]) : null;
    return mail === null ? [] : [mail];
  }
  const length = texts.reduce((sum, text) => sum + measureText(text), 0);
  return length < measureText(document.body.textContent) * MIN_SHARE ? [] : mails;
}

/** Writes mails as messages with their author and time; those of a very large page without paragraphs. */
export function createMessages(mails: readonly Mail[], document: Document): readonly Element[] {
  const all = mails.map(({ text }) => text).join('\n');
  const isLarge = all.length > MAX_LENGTH || all.split('\n').length > MAX_LINES;
  return mails.map(({ author, publishedAt, text }) => {
    const attributes = publishedAt === null ? {} : { datetime: publishedAt };
    const time = createElement(document, 'time', attributes, publishedAt?.slice(0, 10) ?? '');
    const body = isLarge ? createElement(document, 'pre', {}, text) : createMailBody(text, document);
    return createElement(document, 'div', { [MESSAGE_AUTHOR]: author }, time, body);
  });
}

function findMail(text: string): Mail | null {
  const thread = THREAD_HEAD.exec(text);
  if (thread) {
    const [head, author = '', date] = thread;
    const rest = text.slice(thread.index + head.length);
    const end = rest.lastIndexOf(THREAD_FOOT);
    return {
      author: author.trim(),
      publishedAt: parsePublished(date),
      subject: null,
      text: end < 0 ? rest : rest.slice(0, end),
    };
  }
  const [head] = HEAD.exec(text) ?? [];
  const fieldOf = (name: string) => new RegExp(`^${name}: *([^\\n]*)`, 'm').exec(head ?? '')?.[1]?.trim() ?? null;
  const [from, subject, date] = [fieldOf('From'), fieldOf('Subject'), fieldOf('Date')];
  if (head === undefined || from === null || subject === null || date === null) return null;
  return { author: nameOf(from), publishedAt: parseMailDate(date), subject, text: text.slice(head.length) };
}

/** Finds a mail whose author, address and date are elements before it, as in the archives of Pipermail. */
function findHeadedMail(document: Document, text: string): Mail | null {
  const author = findAddressedNames(document)[0]?.textContent.trim() ?? '';
  const dates = selectAll(document, 'i:not(pre i)').slice(0, MAX_MESSAGES);
  const publishedAt = dates.map(({ textContent }) => parseMailDate(textContent.trim())).find(Boolean);
  if (author === '' || author.length > MAX_AUTHOR_LENGTH || !publishedAt) return null;
  return { author, publishedAt, subject: null, text };
}

/** Returns the name before an address, or the address up to its host. */
function nameOf(from: string): string {
  const name = from
    .replace(/<[^>]*>?/, '')
    .replaceAll('"', '')
    .trim();
  return (name || from.replace(/^</, '')).replace(/@.*$/, '').slice(0, MAX_AUTHOR_LENGTH);
}

function parseMailDate(text: string): string | null {
  const [, date] = INTERNET_DATE.exec(text) ?? [];
  if (date !== undefined) {
    const time = Date.parse(date);
    return Number.isNaN(time) ? null : new Date(time).toISOString();
  }
  const [, month, day, year] = CLOCK_DATE.exec(text) ?? [];
  return year === undefined ? null : parsePublished(`${month} ${day}, ${year}`);
}
