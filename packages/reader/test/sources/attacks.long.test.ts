import { expect, test } from 'vitest';
import { readSource } from '../../src/sources/source.ts';
import { ATTACKS } from '../fixtures/attacks.ts';
import { faultsOf, roundTrip } from '../fixtures/safety.ts';

const WORDS = 'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help.';
const HTML = 'text/html';

interface Form {
  readonly name: string;
  readonly mediaType: string;
  readonly write: (attack: string) => string;
}

const lineOf = (attack: string) => attack.replace(/\s+/g, ' ').slice(0, 2_000);
const escaped = (attack: string) => lineOf(attack).replace(/[\\;,]/g, '\\$&');
const message = (author: string, text: string) =>
  `<div class="comment"><b class="author">${author}</b> <time datetime="2026-03-12">March 12</time><p>${text}</p></div>`;

/** Files and pages that are not read as articles. */
const FORMS: Readonly<Record<string, Form>> = {
  Markdown: {
    name: 'a.md',
    mediaType: 'text/markdown',
    write: (attack) =>
      `---\ntitle: ${JSON.stringify(attack)}\nauthor: ${JSON.stringify(attack)}\n---\n\n${WORDS}\n\n${attack}\n\nx[^1] $${lineOf(attack)}$\n\n[^1]: ${lineOf(attack)}\n`,
  },
  'a notebook': {
    name: 'a.ipynb',
    mediaType: 'application/json',
    write: (attack) =>
      JSON.stringify({
        nbformat: 4,
        metadata: { title: attack, authors: [{ name: attack }], language_info: { name: attack } },
        cells: [
          {
            cell_type: 'markdown',
            source: [WORDS, '\n\n![x](attachment:a)'],
            attachments: { a: { 'image/png': attack } },
          },
          {
            cell_type: 'code',
            source: attack,
            outputs: [
              { output_type: 'stream', text: attack },
              { output_type: 'error', ename: attack, evalue: attack },
              ...['text/html', 'image/svg+xml', 'image/png', 'text/latex', 'text/markdown', 'text/plain'].map(
                (type) => ({
                  output_type: 'display_data',
                  data: { [type]: attack, 'text/plain': attack },
                }),
              ),
            ],
          },
        ],
      }),
  },
  'a calendar': {
    name: 'a.ics',
    mediaType: 'text/calendar',
    write: (attack) =>
      `BEGIN:VCALENDAR\r\nX-WR-CALNAME:${escaped(attack)}\r\nBEGIN:VEVENT\r\nSUMMARY:${WORDS} ${escaped(attack)}\r\nDTSTART:20260312T100000Z\r\nLOCATION:${escaped(attack)}\r\nURL:javascript:alert(1)\r\nDESCRIPTION:${escaped(attack)}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
  },
  'a feed': {
    name: 'a.json',
    mediaType: 'application/feed+json',
    write: (attack) =>
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: attack,
        description: `${WORDS} ${attack}`,
        items: [{ title: attack, url: 'javascript:alert(1)', summary: attack, date_published: '2026-03-12' }],
      }),
  },
  'plain text': { name: 'a.txt', mediaType: 'text/plain', write: (attack) => `${WORDS}\n\n${attack}\n` },
  'a recipe in JSON-LD': {
    name: 'a',
    mediaType: HTML,
    write: (attack) => {
      const recipe = {
        '@type': 'Recipe',
        name: attack,
        description: `${WORDS} ${attack}`,
        author: { '@type': 'Person', name: attack },
        image: 'javascript:alert(1)',
        recipeIngredient: [attack, attack],
        recipeInstructions: [{ '@type': 'HowToStep', name: attack, text: attack, url: 'javascript:alert(1)' }],
      };
      return `<title>x</title><script type="application/ld+json">${JSON.stringify(recipe).replaceAll('<', '\\u003c')}</script>`;
    },
  },
  'a conversation': {
    name: 'a',
    mediaType: HTML,
    write: (attack) => `<title>x</title>${message('Ada', `${WORDS} ${attack}`)}${message('Bob', WORDS)}`,
  },
};

test.each(Object.entries(FORMS))('%s withstands hostile markup', async (_, { name, mediaType, write }) => {
  let count = 0;
  const faults: string[] = [];
  for (const attack of ATTACKS) {
    const file = { url: `https://www.baker.example/${name}`, mediaType, disposition: null, robots: null, size: null };
    const { article } = await readSource({ ...file, content: write(attack), isWhole: true }, 'respect');
    const content = article.content ?? '';
    if (content.includes('the oven does')) count++;
    faults.push(...faultsOf(content).map((fault) => `${fault} in ${attack}`));
    if (roundTrip(content) !== content) faults.push(`the round trip of ${attack}`);
  }
  expect(faults).toEqual([]);
  // an empty article would be safe, too
  expect(count).toBeGreaterThan(ATTACKS.length * 0.8);
});
