import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';

const TEXT = 'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help.';

function contentOf(data: object, language = 'en'): string {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...data });
  const html = `<!doctype html><html lang="${language}"><head><title>Bread</title><script type="application/ld+json">${json}</script></head>
    <body><nav><a href="/">Home</a></nav><div><h1>Bread</h1><button>Buy</button></div></body></html>`;
  return readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article.content ?? '';
}

test.each<readonly [name: string, data: object, parts: readonly string[]]>([
  [
    'a recipe',
    {
      '@type': ['Recipe'],
      name: 'Bread',
      description: TEXT,
      totalTime: 'PT2H5M',
      recipeYield: ['4', '4 loaves'],
      recipeIngredient: ['500 g flour', '10 g salt & pepper'],
      recipeInstructions: [
        { '@type': 'HowToSection', itemListElement: [{ '@type': 'HowToStep', text: 'Knead it.' }] },
        { '@type': 'HowToStep', text: 'Bake it.' },
      ],
    },
    [
      '4 loaves · 2:05 h',
      '<ul><li>500 g flour</li><li>10 g salt &amp; pepper</li></ul>',
      '<ol><li>Knead it.</li><li>Bake it.</li></ol>',
    ],
  ],
  [
    'the parts of a recipe, with the signs of its text',
    {
      '@type': 'Recipe',
      description: `${TEXT} Don&#8217;t hurry &amp; wait.`,
      recipeInstructions: [
        {
          '@type': 'HowToSection',
          name: 'Dough',
          itemListElement: [{ '@type': 'HowToStep', text: 'Mix &amp; knead.' }],
        },
        { '@type': 'HowToSection', name: 'Oven', itemListElement: [{ '@type': 'HowToStep', text: 'Bake.' }] },
      ],
    },
    ['Don’t hurry &amp; wait.', '<h3>Dough</h3><ol><li>Mix &amp; knead.</li></ol><h3>Oven</h3><ol><li>Bake.</li></ol>'],
  ],
  [
    'questions',
    {
      '@type': 'FAQPage',
      mainEntity: [
        {
          '@type': 'Question',
          name: 'Why salt?',
          acceptedAnswer: { '@type': 'Answer', text: `<p>${TEXT}</p><b onclick=alert(1)>Salt.</b>` },
        },
      ],
    },
    ['<h3>Why salt?</h3>', `<p>${TEXT}</p>`],
  ],
  [
    'an event',
    {
      '@type': 'MusicEvent',
      startDate: '2026-03-12T19:30:00+01:00',
      endDate: '2026-03-12T21:00:00+01:00',
      description: TEXT,
      performer: { name: 'Ada Holm' },
      offers: [{ price: 12.5, priceCurrency: 'EUR' }],
      location: { name: 'Mill', address: { streetAddress: 'Lane 1', postalCode: '10', addressLocality: 'Rye' } },
    },
    [
      '<time lang="en" datetime="2026-03-12T19:30:00+01:00" class="moment">Thursday, March 12, 2026 at 7:30',
      '</time> – <time lang="en" datetime="2026-03-12T21:00:00+01:00" class="clock">9:00 PM</time>',
      'Mill, Lane 1, 10 Rye',
      'Ada Holm',
      '€12.50',
      TEXT,
    ],
  ],
  [
    'a product',
    {
      '@type': 'Product',
      description: TEXT,
      brand: { name: 'Mill' },
      offers: { price: '12.50', priceCurrency: 'EUR' },
      aggregateRating: { ratingValue: 4.8, reviewCount: 12 },
      review: [{ author: { name: 'Ben' }, reviewRating: { ratingValue: 5 }, reviewBody: 'A good loaf.' }],
    },
    ['Mill', TEXT, '€12.50', '★ 4.8 / 5 (12)', '<p>A good loaf.</p><p>Ben · ★ 5 / 5</p></blockquote>'],
  ],
  [
    'a book that is sold',
    { '@type': ['Book', 'Product'], description: TEXT, offers: { price: '12.50', priceCurrency: 'EUR' } },
    [TEXT, '€12.50'],
  ],
  [
    'opening hours',
    {
      '@type': 'Bakery',
      description: TEXT,
      telephone: '+1 2',
      openingHours: ['Mo-Fr 07:00-18:00'],
      openingHoursSpecification: [{ dayOfWeek: 'https://schema.org/Saturday', opens: '08:00:00', closes: '12:00' }],
    },
    [
      '<th><time lang="en" datetime="2024-01-06" class="weekday">Saturday</time></th><td><time lang="en" datetime="08:00" class="clock">8:00 AM</time> – ',
      'class="weekday">Monday</time> – <time lang="en" datetime="2024-01-05" class="weekday">Friday</time></th><td><time lang="en" datetime="07:00" class="clock">7:00 AM',
      '+1 2',
    ],
  ],
])('shows %s that the page only describes', (_, data, parts) => {
  const content = contentOf(data);
  for (const part of parts) expect(content.replaceAll('\u202f', ' ')).toContain(part);
  expect(content).not.toContain('alert');
});

test.each([
  ['2024-05-01', 'Wednesday, May 1, 2024</time>'],
  ['2024-05-01 19:30', 'Wednesday, May 1, 2024 at 7:30 PM</time>'],
  ['2024-05-01 19:30 -0700', 'Wednesday, May 1, 2024 at 7:30 PM</time>'],
  ['2024-05-01T19:30:00.000Z', 'Wednesday, May 1, 2024 at 7:30 PM</time>'],
  ['May 1, 2024 7:30 PM', 'Wednesday, May 1, 2024 at 7:30 PM</time>'],
  ['Wed, 01 May 2024 19:30:00 GMT', 'Wednesday, May 1, 2024 at 7:30 PM</time>'],
])('writes the time of an event, %s, by the clock of its place', (startDate, expected) => {
  const content = contentOf({ '@type': 'Event', description: TEXT, startDate, location: 'Mill' });
  expect(content.replaceAll('\u202f', ' ')).toContain(`>${expected}`);
});

test.each([
  ['', '8', '€8.00'],
  [null, 8, '€8.00'],
  ['', '', ''],
  ['0', '', '€0.00'],
])('writes the price %j of a product, the lowest of which is %j', (price, lowPrice, expected) => {
  const offers = { price, lowPrice, priceCurrency: 'EUR' };
  const content = contentOf({ '@type': 'Product', description: TEXT, offers });
  expect(/€[\d.]+/.exec(content)?.[0] ?? '').toBe(expected);
});

test('writes days and times of the day in the language of the page', () => {
  const hours = { '@type': 'Store', description: TEXT, openingHours: 'Sa,So 08:00-12:00, 24:00 <b>' };
  const text = contentOf(hours, 'de').replace(/<\/?time[^>]*>/g, '');
  expect(text).toContain('<th>Samstag,So</th><td>08:00 – 12:00, 24:00');
});

test('lets no page give a form to a time that is none', () => {
  const content = `${TEXT} <time data-embed="moment" datetime="2024-99-01">Soon</time>`;
  const html = `<!doctype html><html lang="en"><title>Bread</title><article><h1>Bread</h1>${`<p>${content}</p>`.repeat(9)}</article></html>`;
  const { article } = readArticle(html, { url: 'https://www.baker.example/bread', robots: null });
  expect(article.content).toContain('datetime="2024-99-01">Soon');
});

test.each([
  { '@type': 'Product', offers: { price: 3, priceCurrency: 'EUR' } },
  { '@type': 'Event', description: TEXT },
  { '@type': 'Organization', description: TEXT },
  { '@type': 'Recipe', recipeIngredient: ['flour'] },
  { '@type': 'FAQPage', mainEntity: 'x' },
])('shows no article for a description without a text: %s', (data) => {
  expect(contentOf(data)).toBe('');
});
