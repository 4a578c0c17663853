import { expect, test } from 'vitest';
import { type Article, createCard } from '../../reader/src/article.ts';
import { estimateHeights, heightAt } from '../src/height.ts';

const CARD = createCard({ title: 'Meal Planner', pageUrl: 'https://example.com/' });
const IMAGE = 'https://example.com/a.png';

/** Heights in a narrow and a wide frame, in px. */
function heightsOf(article: Partial<Article>): readonly [number, number] {
  const { narrowPx, widePx } = estimateHeights({ ...CARD, ...article });
  return [narrowPx, widePx];
}

/** Returns the height that content adds to an article without any. */
function addedBy(content: string): readonly [number, number] {
  const [narrow, wide] = heightsOf({ content });
  const [emptyNarrow, emptyWide] = heightsOf({ content: '' });
  return [narrow - emptyNarrow, wide - emptyWide];
}

const LONG = 'x'.repeat(200);

test.each([
  ['nothing', '', 0, 0],
  ['spaces', '<p> </p>\n', 0, 0],
  ['a paragraph of one line', '<p>One.</p>', 49, 53],
  ['a paragraph of several lines', `<p>${LONG}</p>`, 189, 114],
  ['two paragraphs', '<p>One.</p>\n<p class="x">Two.</p>', 98, 107],
  ['text outside of blocks', 'Loose', 28, 30],
  ['a line break', '<p>One<br>two</p>', 77, 84],
  ['a quotation', '<blockquote>One.</blockquote>', 28, 30],
  ['items', '<ul><li>One</li><li>Two</li></ul>', 66, 72],
  ['terms', '<dl><dt>One</dt><dd>Two</dd></dl>', 56, 61],
  ['a heading', '<h2>One</h2>', 69, 75],
  ['subheadings', '<h3>One</h3><h4>Two</h4><h5>Three</h5><h6>Four</h6>', 213, 232],
  ['a subheading without a heading, which the frame shows as one', '<h3>One</h3>', 69, 75],
  ['a heading of two lines', `<h2>${'x'.repeat(45)}</h2>`, 101, 75],
  ['captions', '<figcaption>One</figcaption><caption>Two</caption>', 83, 91],
  ['a rule', '<hr>', 56, 61],
  ['code, which does not wrap', `<pre>\n${LONG}\n${LONG}\n</pre>`, 93, 101],
  ['a row, as high as its highest cell', `<tr><td>a</td><td>${LONG}</td><td>b</td></tr>`, 137, 149],
  ['rows', '<tr><th>a</th></tr><tr><td>b</td></tr>', 82, 89],
  ['tags, which take no space', `<p><a href="${LONG}">One</a></p>`, 49, 53],
  ['entities, which are one character', `<p>${'&eacute;'.repeat(38)}</p>`, 49, 53],
  ['one character more than a line', `<p>${'é'.repeat(39)}</p>`, 49, 53],
  ['East Asian characters, which are wide', `<p>${'日'.repeat(100)}</p>`, 189, 114],
  ['a small picture', '<img src="a" width="100" height="50">', 60, 60],
  ['pictures in a paragraph', '<p>One<img width="20" height="10"><img width="20" height="10"></p>', 89, 93],
  ['a picture wider than the column', '<img width="2000" height="1000">', 180, 333],
  ['a video of an unknown size', '<video src="a"></video>', 201, 374],
  ['a frame without height', '<iframe width="300"></iframe>', 201, 374],
  ['a picture without width', '<img height="300" data-width="x">', 201, 374],
  ['the size of a picture, which other attributes contain', '<img data-x="9" width="20" height="10">', 20, 20],
])('the estimated height counts %s', (_what, content, narrow, wide) => {
  expect(addedBy(content)).toEqual([narrow, wide]);
});

test.each<[what: string, article: Partial<Article>, narrow: number, wide: number]>([
  ['an article', { content: '' }, 212, 243],
  ['a long title', { content: '', title: 'x'.repeat(60) }, 269, 279],
  ['an author', { content: '', byline: 'Ada' }, 264, 299],
  ['a date', { content: '', publishedAt: '2026-01-31' }, 264, 299],
  ['both', { content: '', byline: 'Ada', publishedAt: '2026-01-31' }, 264, 299],
  ['a paywall', { content: '', isPaywalled: true }, 271, 307],
  ['a picture of an unknown size', { content: '', hero: { url: IMAGE, alt: '', width: null, height: null } }, 415, 609],
  [
    'a picture of an unknown height',
    { content: '', hero: { url: IMAGE, alt: '', width: 100, height: null } },
    415,
    609,
  ],
  ['a wide picture', { content: '', hero: { url: IMAGE, alt: '', width: 1200, height: 400 } }, 351, 486],
  ['a high picture', { content: '', hero: { url: IMAGE, alt: '', width: 100, height: 300 } }, 537, 570],
  ['a very long text', { content: '<p>One.</p>'.repeat(1_000) }, 10_000, 10_000],
  ['a card', {}, 337, 363],
  ['a card with a description', { description: LONG }, 513, 494],
  ['a card with a description of two lines and a word', { description: 'x'.repeat(69) }, 401, 433],
  ['a card with a picture', { image: IMAGE }, 514, 389],
])('estimates the height of %s', (_what, article, narrow, wide) => {
  expect(heightsOf(article)).toEqual([narrow, wide]);
});

test('between its two frames the height is interpolated, and beyond them it stays', () => {
  const heights = { narrowPx: 1_000, widePx: 600 };
  const at = (framePx: number) => heightAt(framePx, heights);
  expect([0, 374, 567, 760, 2_000].map(at)).toEqual([1_000, 1_000, 800, 600, 600]);
  expect(at(471)).toBe(899);
});
