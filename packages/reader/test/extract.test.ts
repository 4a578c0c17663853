import { expect, test } from 'vitest';
import { readArticle } from '../src/article/article.ts';

const URL_OF_PAGE = 'https://www.baker.example/blog/bread';
const PROSE =
  'Bread wants flour, water, salt and time, and this paragraph tells at some length why each of them matters: the ' +
  'flour for the crumb, the water for the crust, the salt for the taste, and the time for everything else. ';
const SECRET =
  'Nobody who visits the page can see this sentence, so it must not be in the article, nor count as text. ';

function contentOf(body: string): string | null {
  const html = `<!doctype html><html lang="en"><head><title>Bread</title></head><body>${body}</body></html>`;
  return readArticle(html, { url: URL_OF_PAGE, robots: null }).article.content;
}

/** An article with some markup in its middle. */
const articleWith = (markup: string) =>
  contentOf(`<main><article><p>${PROSE.repeat(3)}</p>${markup}<p>${PROSE.repeat(3)}</p></article></main>`) ?? '';

test('finds a short article next to a newsletter box', () => {
  const newsletter = `<section class="newsletter"><h2>Our newsletter</h2><p>Join 10,000 bakers, who get our best
    recipes, tips, tools and offers, each Friday morning, in one short letter. No adverts, no spam, no nonsense, and
    you can leave the list at any time, with one click, for ever. Enter your address, confirm it, and that is all.</p>
    <form><input type="email" name="email"><button>Join</button></form></section>`;
  // Readability rates the class name as unlikely
  const article = `<div class="community-story"><p>${PROSE.repeat(2)}</p><p>${PROSE}</p></div>`;
  const content = contentOf(`<header><a href="/">Home</a></header>${article}${newsletter}<footer>Imprint</footer>`);
  expect(content).toContain('the salt for the taste');
});

test('reads text that a page builder spreads over boxes', () => {
  const box = (content: string) =>
    `<div class="elementor-element e-con"><div class="e-con-inner"><div class="elementor-widget elementor-widget-text-editor">
      <div class="elementor-widget-container">${content}</div></div></div></div>`;
  const section = (i: number) =>
    box(`<h2>Part ${i}</h2><p>${PROSE.repeat(2)}</p>`) + box('<p><img src="/loaf.jpg"></p>');
  const content = contentOf(`<div class="elementor">${[1, 2, 3, 4, 5].map(section).join('')}</div>`);
  expect(content?.match(/Part \d/g)).toHaveLength(5);
  expect(content?.match(/salt for the taste/g)).toHaveLength(10);
});

const HIDDEN: readonly string[] = [
  'hidden',
  'aria-hidden="true"',
  'style="display:none"',
  'style="color: red; DISPLAY : none !important"',
  'style="display: block; display: none"',
  'style="visibility:hidden"',
  'style="visibility: collapse;"',
  'style="color:red;visibility : HIDDEN!important"',
];

test.each(HIDDEN)('leaves out of the article what %s hides', (attribute) => {
  for (const markup of [
    `<p ${attribute}>${SECRET}</p>`,
    `<div ${attribute}><p>${SECRET}</p><p>${SECRET}</p></div>`,
    `<p>Some <span ${attribute}>${SECRET}</span> text</p>`,
    `<x-box ${attribute}>${SECRET}</x-box>`,
    `<figure><img ${attribute} src="/hidden.jpg" alt="${SECRET}"></figure>`,
  ]) {
    const content = articleWith(markup);
    expect(content.match(/the salt for the taste/g), markup).toHaveLength(6);
    expect(content, markup).not.toContain('Nobody');
    expect(content, markup).not.toContain('hidden.jpg');
  }
});

// `aria-hidden` hides text from screen readers only
test.each(HIDDEN.filter((attribute) => !attribute.startsWith('aria')))(
  'does not count text that %s hides',
  (attribute) => {
    expect(
      contentOf(`<main><p>Welcome to our bakery.</p><div ${attribute}><p>${PROSE.repeat(9)}</p></div></main>`),
    ).toBeNull();
    expect(
      contentOf(`<main><p>Welcome.</p><article ${attribute}>${`<p>${PROSE}</p>`.repeat(9)}</article></main>`),
    ).toBeNull();
  },
);

test.each([
  'aria-hidden="false"',
  'style="display:none;display:block"',
  'style="visibility:visible"',
  'style="-webkit-backface-visibility:hidden;backface-visibility: hidden"',
  'style="content-visibility:auto"',
  'style="overflow:hidden"',
  'style="--display:none"',
  // for scripts that fade it in
  'style="opacity:0"',
])('shows an element with %s', (attribute) => {
  expect(articleWith(`<p ${attribute}>A line that is shown, of the usual length.</p>`)).toContain(
    'A line that is shown',
  );
});

test('reads a page whose body is hidden until its scripts run', () => {
  const html = (attribute: string) =>
    `<html ${attribute}><title>Bread</title><body ${attribute}><main><p>${PROSE.repeat(4)}</p></main></body></html>`;
  for (const attribute of HIDDEN) {
    expect(readArticle(html(attribute), { url: URL_OF_PAGE, robots: null }).article.content, attribute).not.toBeNull();
  }
});

test('shows images that scripts would reveal', () => {
  const content = articleWith(`
    <figure><img style="display:none" data-src="/one.jpg"></figure>
    <figure><img style="visibility:hidden" data-srcset="/two.jpg 2x"></figure>
    <figure><img style="display:none" class="lazy"><noscript><img src="/three.jpg"></noscript></figure>
    <figure><img src="/four.jpg"><img hidden src="/five.jpg"><noscript><img src="/six.jpg"></noscript></figure>
    <p>The formula <img aria-hidden="true" class="mwe-math-fallback-image-inline" src="/seven.svg"> in a line.</p>`);
  for (const name of ['one', 'two', 'three', 'four', 'six', 'seven']) expect(content).toContain(`/${name}.`);
  expect(content).not.toContain('five');
});
