import { escapeHtml } from '../../html.ts';
import { findText, isObject, type JsonObject } from '../../json.ts';
import { toMarkup } from '../scripted/page-data.ts';
import { MAX_MESSAGES } from './messages.ts';

const MAX_LEVEL = 20;
const ANSWERS = ['acceptedAnswer', 'suggestedAnswer', 'comment'] as const;

/** Writes a discussion that is described in JSON-LD (schema.org) as messages with their author, time and level. */
export function renderDiscussion(thing: JsonObject, nameOf: (author: unknown) => string | null): string {
  const parts: string[] = [];
  const add = (message: JsonObject, level: number, isAccepted: boolean): void => {
    if (parts.length >= MAX_MESSAGES || level > MAX_LEVEL) return;
    const text = findText(message.text) ?? findText(message.articleBody) ?? '';
    const date = findText(message.datePublished) ?? findText(message.dateCreated) ?? '';
    const author = nameOf(message.author) ?? '?';
    parts.push(
      `<div data-author="${escapeHtml(author)}" data-level="${level}"${isAccepted ? ' itemprop="acceptedAnswer"' : ''}>` +
        `<time datetime="${escapeHtml(date)}">${escapeHtml(date.slice(0, 10))}</time><div>${toMarkup(text)}</div></div>`,
    );
    for (const name of ANSWERS) {
      const answers: readonly unknown[] = [message[name]].flat();
      for (const answer of answers) if (isObject(answer)) add(answer, level + 1, name === 'acceptedAnswer');
    }
  };
  add(thing, 0, false);
  return parts.join('');
}
