import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';

function contentOf(body: string, path = '/page'): string | null {
  const html = `<!doctype html><html lang="en"><head><title>The Oven</title></head><body><nav><a href="/">Home</a></nav>${body}</body></html>`;
  return readArticle(html, { url: `https://www.baker.example${path}`, robots: null }).article.content;
}

const QUESTIONS = [
  ['When do you open?', 'At seven, from Tuesday to Saturday.'],
  ['Do you deliver?', 'Only in the village.'],
  ['Is there rye?', 'On Fridays.'],
] as const;
const section = ([title, text]: readonly [string, string]) => `<h3>${title}</h3><p>${text}</p>`;

/** Short texts with the structure of an article, and a part that must be in it. */
const SHORT: Readonly<Record<string, readonly [body: string, part: string]>> = {
  'questions with headings': [`<main><h1>Questions</h1>${QUESTIONS.map(section).join('')}</main>`, 'On Fridays'],
  'questions that a click opens': [
    `<main>${QUESTIONS.map(([title, text], i) => `<div><button class="accordion-button" aria-expanded="false" aria-controls="c${i}">${title}</button><div id="c${i}" class="accordion-collapse"><div>${text}</div></div></div>`).join('')}</main>`,
    '<h3>Is there rye?</h3>',
  ],
  'a list of terms': [
    `<main><dl>${QUESTIONS.map(([title, text]) => `<dt>${title}</dt><dd>${text}</dd>`).join('')}</dl></main>`,
    '<dt>Do you deliver?</dt>',
  ],
  'a poem': [
    '<div id="content"><h1>The Oven</h1><p>The oven hums its morning song,<br>the flour drifts like snow,</p><p>and all the night was slow and long<br>so that the dough could grow,<br>and grow.</p></div>',
    'song,<br>the flour',
  ],
  'a page of a manual': [
    ['NAME', 'SYNOPSIS', 'DESCRIPTION']
      .map((title) => `<h2>${title}</h2><pre>\n       oven - heat for bread\n</pre>`)
      .join(''),
    'heat for bread',
  ],
  'opening hours': [
    '<main><h1>Hours</h1><table><tr><td>Monday</td><td>closed</td></tr><tr><td>Tuesday to Friday</td><td>7:00 to 18:00</td></tr><tr><td>Saturday</td><td>7:00 to 13:00</td></tr></table></main>',
    '<td>closed</td>',
  ],
};

test.each(Object.entries(SHORT))('shows a short page of %s', (_, [body, part]) => {
  expect(contentOf(body)).toContain(part);
});

test.each([
  ['§ 7 BrotG - Backzeit', true],
  ['Artículo 7 - Ley del pan', true],
  ['Backzeit', false],
])('shows a section of a law in boxes without names, by its title: %s', (title, isShown) => {
  const clause = 'Brot im Sinne dieses Gesetzes ist, was aus Mehl, Wasser und Salz gebacken wird und ruhen durfte.';
  const html = `<!doctype html><html lang="de"><title>${title}</title><body><ul><li><a href="/">Start</a></li></ul><h1>${title}</h1><div><div>(1) ${clause}</div><div>(2) ${clause}</div></div></body></html>`;
  const { content } = readArticle(html, { url: 'https://www.laws.example/7', robots: null }).article;
  expect(content?.includes('(2) Brot') ?? false).toBe(isShown);
});

test('shows no home page of short sections, and no list of links', () => {
  const sections = `<div>${QUESTIONS.map(section).join('')}</div>`;
  expect(contentOf(sections, '/')).toBeNull();
  const links = QUESTIONS.map(([title, text], i) => `<h3><a href="/${i}">${title}</a></h3><p>${text}</p>`);
  expect(contentOf(`<main>${links.join('')}</main>`)).toBeNull();
});
