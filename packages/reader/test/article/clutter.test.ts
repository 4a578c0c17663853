import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';

const URL_OF_PAGE = 'https://www.baker.example/bread';
const PROSE =
  'Bread wants flour, water, salt and time, and this paragraph tells at some length why each of them matters to a baker: ' +
  'the flour for the crumb, the water for the crust, the salt for the taste, and the time for everything else. ';
const LINE = 'A sentence in the middle of the text, which is there to be read by everybody.';

function contentOf(body: string): string {
  const html = `<!doctype html><html lang="en"><head><title>Bread</title></head><body>${body}</body></html>`;
  return readArticle(html, { url: URL_OF_PAGE, robots: null }).article.content ?? '';
}

/** An article with some markup in its middle. */
const articleWith = (markup: string) =>
  contentOf(`<article><p>${PROSE.repeat(2)}</p>${markup}<p>${PROSE.repeat(2)}</p></article>`);

const BOXES: readonly string[] = [
  '<div class="related-stories"><p>MARKED, the other story of the week.</p></div>',
  '<div id="newsletterSignup"><p>MARKED, each Friday.</p></div>',
  '<ul class="article__tags"><li><a href="/t">MARKED</a></li></ul>',
  '<div class="post-author-bio"><p>MARKED has baked since 1999.</p></div>',
  '<div class="writer-contact"><div><div>Written by</div><div>MARKED</div></div><div>(555) 0100</div></div>',
  '<ul class="blog-metadata"><li>March 13, 2026</li><li>MARKED</li></ul>',
  '<div class="panel nocontent"><div><a href="/rye"><img src="/rye.jpg"></a><div>MARKED</div></div></div>',
  '<div role="listbox"><div role="option">Rye</div><div>MARKED</div></div>',
  '<div class="region region-copyright"><p>MARKED, 16 Mill Street</p><p>The contents of this site are ©2019 MARKED.</p></div>',
  '<p class="edit"><a href="https://github.com/MARKED">Edit this page</a></p>',
  '<div><a href="https://github.com/MARKED">Edit this page</a> <span>Last updated 3 May 2024</span></div>',
  '<span class="rollover-block">MARKED</span>',
  '<p class="visually-hidden">MARKED for screen readers</p>',
  '<figure><div><h3>MARKED</h3><p>Each week, the best of it.</p><form><input type="email"><button>OK</button></form></div></figure>',
  '<div><h3>MARKED</h3><p>Every day we send an email with the best of it.</p><form><input type="email"><button>OK</button></form></div>',
  '<figure><div><a href="/rye"><span></span></a><div><h4>MARKED: a new hope</h4></div><div>Read more</div></div></figure>',
  '<section><div class="box"><a href="/rye"><h2>MARKED: a new hope</h2></a></div></section>',
  '<div title="header"><p>MARKED, of each page</p></div>',
  ...['Comments', '3 Comments', 'Newsletter', 'Share', 'Social', 'Related posts', 'About the author'].flatMap(
    (heading) => {
      const id = heading.toLowerCase().replace('3 ', '').replaceAll(' ', '-');
      const text = '<p>MARKED and baked, it was good.</p><p>Ada wrote so.</p>';
      return [
        `<section id="${id}"><h2>${heading}</h2>${text}</section>`,
        `<div id="${id}"><h3>${heading}</h3>${text}</div>`,
      ];
    },
  ),
  ...['breadcrumbs', 'comments', 'related', 'newsletter-signup', 'post-meta', 'footer-copyright'].map(
    (id) => `<p id="${id}">MARKED, as it is on <a href="/">all</a> pages of the baker.</p>`,
  ),
  '<details id="toc"><summary>Parts</summary><ul><li><a href="#a">MARKED</a></li></ul></details>',
  '<dl id="table-of-contents"><dt>MARKED</dt><dd><a href="#a">Of it</a></dd></dl>',
  ...(
    'cookie-notice cookie-law-info-bar taboola-below-article-thumbnails newsletter-teaser subscribe-cta donation-appeal ' +
    'paywall-overlay consent-overlay promo-text author-bio-text recommended-reading trending-now most-read-today share-this-page'
  )
    .split(' ')
    .map((id) => `<div id="${id}"><p>MARKED, each week.</p><p><a href="/n">Go on</a></p></div>`),
  '<div><span class="post-date">MARKED 3</span> · <span class="kind">5 min</span></div>',
  '<p>Posted in <a href="/c">Bread</a> | <a class="comments-link" href="#c">MARKED 12</a></p>',
  `<div>${'<a class="post-tags" href="/t">MARKED</a>, '.repeat(60)}</div>`,
  '<p>Tags: <a class="post-tags" href="/t">MARKED</a>, <a class="post-tags" href="/u">MARKED</a></p>',
  '<p>It rests… <a class="read-more" href="/x">MARKED</a></p>',
  '<p>Good <span class="term">hydration<span class="tooltip">MARKED</span></span> counts.</p>',
  '<p>Good <span class="has-tip">hydration<span class="tooltip-text">MARKED</span></span> counts.</p>',
  '<p>Good <span class="tooltip">hydration<span class="tooltiptext">MARKED</span></span> counts.</p>',
  '<p>Good hydration <span role="tooltip" class="tooltip">MARKED</span> counts.</p>',
  '<p>Good <a href="/h">hydration</a><span class="popover">MARKED</span> counts.</p>',
  '<p>Some <span class="pagenum">[MARKED 2]</span></p>',
];

test.each(BOXES)('leaves out a box of the site: %s', (box) => {
  expect(articleWith(box)).not.toContain('MARKED');
  expect(articleWith(box).match(/salt for the taste/g)).toHaveLength(4);
});

test.each([
  '<h2 class="comments-title">2 thoughts on MARKED</h2>',
  '<h3 id="comments">12 Responses to MARKED</h3>',
  '<h3 class="jp-relatedposts-headline">MARKED</h3>',
  '<h3 class="share-title">MARKED</h3>',
  '<h4 class="comment-count">MARKED</h4>',
  '<h3 id="reply-title" class="comment-reply-title">Leave a comment MARKED</h3>',
])('leaves out a heading of a box that is gone: %s', (heading) => {
  const text = `<p>${PROSE.repeat(2)}</p>`;
  expect(contentOf(`<article>${text}${text}${heading}</article>`)).not.toContain('MARKED');
  expect(contentOf(`<article>${text}${heading}<p>${LINE}</p>${text}</article>`)).toContain('MARKED');
});

test('leaves out a legal text that is longer than the article before it', () => {
  const legal = `<div class="legal-disclaimer"><p>MARKED ${PROSE.repeat(8)}</p><p>${PROSE}</p></div>`;
  const text = `<p>${PROSE}</p><p>${PROSE}</p>`;
  expect(contentOf(`<main><div class="post">${text}</div>${legal}</main>`)).not.toContain('MARKED');
  expect(contentOf(`<main><div class="post">${text}</div>${legal}</main>`).match(/salt for the taste/g)).toHaveLength(
    2,
  );
  expect(contentOf(`<main>${legal}</main>`)).toContain('MARKED');
});

/** Stands before each of two paragraphs in an article of eight. */
const withHeadlines = (first: string, second: string) => {
  const text = `<p>${PROSE.repeat(2)}</p>`;
  return contentOf(
    `<article>${text.repeat(3)}<p>${first}</p>${text}<p><strong>${second}</strong></p>${text.repeat(4)}</article>`,
  );
};
const RYE = '<a href="/a">MARKED OPENS UP ABOUT ITS OVEN</a>';

test('leaves out the headlines of other stories between the paragraphs', () => {
  expect(withHeadlines(RYE, '<a href="/b">MARKED BAKES THE LOAF OF THE YEAR</a>')).not.toContain('MARKED');
});

test.each([
  ['links to parts of the page', '<a href="#a">MARKED: OF THE FLOUR AND THE MILLER</a>'],
  [
    'links in a script without capital letters',
    '<a href="/a">東京でMARKEDが新しいパンの番組を放送することになりました今日</a>',
  ],
])('keeps %s', (_name, link) => {
  expect(withHeadlines(link, link.replace('a"', 'b"')).match(/MARKED/g)).toHaveLength(2);
});

test('keeps a list of links in capital letters, and such links as headings of an article', () => {
  const other = '<a href="/b">MARKED BAKES THE LOAF OF THE YEAR</a>';
  expect(articleWith(`<p>${RYE}</p><p>${other}</p>`).match(/MARKED/g)).toHaveLength(2);
  const text = `<p>${PROSE}</p>`;
  expect(
    contentOf(`<article>${text}<p>${RYE}</p>${text}<p>${other}</p>${text}</article>`).match(/MARKED/g),
  ).toHaveLength(2);
});

test('keeps words about the editor of a page', () => {
  expect(articleWith(`<h2>Edit this page</h2><p>${LINE}</p><p><b>Suggest edits</b></p>`)).toMatch(
    /Edit this page.*Suggest edits/s,
  );
});

test('keeps pictures that slide', () => {
  const slide = '<div role="option"><img src="/a.jpg" width="800" height="500"><span>The oven</span></div>';
  expect(articleWith(`<div role="listbox">${slide}</div>`)).toMatch(/a\.jpg.*The oven/s);
});

const LINES: readonly string[] = [
  '<p>Advertisement</p>',
  '<div><span>Werbung</span></div>',
  '<p>Continue reading below</p>',
  '<p><strong>Read more: <a href="/rye">Why rye is different</a></strong></p>',
  '<p>Lesen Sie auch: <a href="/rye">Roggen ist anders</a></p>',
  '<p>[<em>Related: <a href="/rye">Why rye is different</a></em>]</p>',
  '<p>Sign up for our newsletter and get the best loaf of the week.</p>',
  '<p><a href="/rye">اقرأ أيضا: خبز الجاودار</a></p>',
  '<p>شارك</p>',
  '<p>This entry was posted on March 5th, 2009 and is filed under <a href="/c">Bread</a>.</p>',
  '<p>Follow us on Twitter @baker.</p>',
  '<p>Subscribe now to read the whole story.</p>',
  '<p>Zuletzt aktualisiert am 3. Mai 2024</p>',
  '<div>Listen to this article <span>4 min</span></div>',
  '<details><summary>12 March</summary>Last modified on Wed 13 Mar 2024 11.00 CET</details>',
  '<p>A version of this article appears in print on March 13, 2024, Section A. <a href="/o">Order Reprints</a></p>',
  '<p><a href="/r">Reuse this content</a></p>',
  '<p>© 2026 The Baker. All rights reserved.</p>',
  '<ul><li>March 13, 2026</li><li>4 min</li><li>Share</li></ul>',
  '<ul><li><a href="/s">Share</a></li><li><a href="/p">Print</a></li></ul>',
  '<h3>Comments</h3><p><a href="/l">Log in to comment</a></p>',
  '<p>Copyright 2019 The Baker</p>',
  '<p>(c) 2020 The Baker Ltd.</p>',
  '<p>Copyright The Baker, 2019</p>',
  '<p>2019 The Baker. All rights reserved. This text may not be published.</p>',
  '<p>Have the best loaves delivered straight to your inbox.</p>',
  '<p>Click here to subscribe to the newsletter of the mill.</p>',
  '<p>Subscribe to our channel.</p>',
  '<p>Follow Ada Holm on Instagram, Facebook and YouTube.</p>',
  '<p>This post may contain affiliate and/or referral links.</p>',
  '<p>If you buy with these links, we may earn a small commission.</p>',
  '<p>Got a tip? Write to tips@baker.example.</p>',
  '<p>Contact us at letters@baker.example.</p>',
  '<p>Jetzt den Newsletter abonnieren und nichts verpassen!</p>',
  '<p>As an affiliate I earn a commission from qualifying purchases.</p>',
  '<p>Abonnieren Sie unseren kostenlosen Newsletter.</p>',
  '<p>Melden Sie sich für den Bäcker-Newsletter an!</p>',
  '<p>Hier können Sie den Newsletter der Mühle abonnieren.</p>',
  '<p>Subscribe to get the latest posts sent to your email.</p>',
  '<p>If you liked this, please subscribe to my newsletter.</p>',
  '<p>For more bread, follow us on Facebook.</p>',
  '<p>You can also follow us on Facebook</p>',
  '<p>Like us on Facebook and follow us on Twitter</p>',
  '<p>Don’t forget to follow us on Instagram!</p>',
  '<p>Join the Baker mailing list</p>',
  '<p>Sign up for the Baker’s email alerts</p>',
  '<p>Subscribe to the Baker’s YouTube channel</p>',
  '<p>Jetzt für den wöchentlichen Newsletter anmelden</p>',
  '<p>Pour recevoir nos recettes, inscrivez-vous à notre newsletter</p>',
  '<p>Si te gustó el pan, suscríbete a nuestra newsletter</p>',
  '<p>This website uses cookies and similar tools.</p>',
  '<p>This website uses cookies. By baking on, you agree.</p>',
  '<p>Abonnez-vous à notre newsletter</p>',
  '<p>Suscríbete a nuestro boletín</p>',
  '<p>Подпишитесь на наш канал в Telegram</p>',
  '<p>责任编辑：王小明</p>',
];

test.each(LINES)('leaves out a line that is no part of the text: %s', (line) => {
  const text = line.replace(/<[^>]*>/g, '');
  expect(articleWith(line).replace(/<[^>]*>/g, '')).not.toContain(text);
});

const CONSENT = `We and our partners store and/or access information on a device, such as cookies and process personal data, such as unique
  identifiers. You may click to consent to our and our 842 partners’ processing, or change your preferences before you consent. `;

test.each([
  `<div id="acme-consent-track"><div id="acme-consent-text"><p>${CONSENT.repeat(2)}</p></div><button>Agree</button></div>`,
  `<section class="cookieLayer"><h2>Your choice</h2><p>${CONSENT.repeat(2)}</p></section>`,
])('leaves out a wall of consent beside a short text: %s', (wall) => {
  const article = `<article><h1>Bread</h1><p>${PROSE}</p><p>${PROSE}</p></article>`;
  for (const body of [
    `${wall}${article}`,
    `${article}${wall}`,
    `<main><h1>Bread</h1><p>${PROSE}</p>${wall}<p>${PROSE}</p></main>`,
  ]) {
    expect(contentOf(body)).not.toContain('partners');
    expect(contentOf(body).match(/salt for the taste/g)).toHaveLength(2);
  }
});

test('keeps a short text in a box that is named after the wall in it', () => {
  const wall = `<div class="cookie-bar"><p>${CONSENT}</p></div>`;
  const content = contentOf(`<div class="has-cookie-bar"><h1>Bread</h1><p>${PROSE}</p><p>${PROSE}</p>${wall}</div>`);
  expect(content).toContain('salt for the taste');
  expect(content).not.toContain('partners');
});

test('keeps a text on walls of consent in boxes with their name', () => {
  const text = `<div class="cookie-guide"><h2>Consent</h2><p>${CONSENT}</p></div>`;
  expect(
    contentOf(
      `<div class="cookie-help"><article><h1>Walls</h1><p>${PROSE.repeat(3)}</p>${text.replace('cookie', 'text')}</article></div>`,
    ),
  ).toContain('partners');
});

const COOKIES =
  'Our website uses cookies to remember the basket. You can manage them in your browser, MARKED. If you do not consent, we store none.';

test.each([
  `<section id="use-of-cookies"><h2>Use of cookies</h2><p>${COOKIES}</p></section>`,
  `<div class="section" id="cookies"><h3>4. Cookies</h3><p>${COOKIES}</p></div>`,
])('keeps a section of a privacy policy: %s', (section) => {
  const other = `<section id="baskets"><h2>Baskets</h2><p>${PROSE}</p><p>${PROSE}</p></section>`;
  for (const name of ['main', 'article', 'div'])
    expect(contentOf(`<${name}><h1>Privacy</h1>${other}${section}${other}</${name}>`)).toContain('MARKED');
});

test.each([
  '<div id="informed-consent-of-patients"><p>Please wait… said the nurse, until MARKED has read the form.</p><p>It took an hour.</p></div>',
  '<div class="informed-consent"><p>Whisk the butter, said the form that MARKED signed.</p><p>It took an hour.</p></div>',
  `<div id="eprivacy-consent"><p>${COOKIES}</p><p>So it was on the old page.</p></div>`,
  '<div class="cookie-recipe"><p>Whisk the butter and MARKED.</p><p>Bake for 12 minutes.</p></div>',
])('keeps a part of an article that has the name of a wall: %s', (part) => {
  expect(articleWith(part)).toContain('MARKED');
});

test('keeps the text below a label that says for whom it is', () => {
  const label = '<p>Article réservé aux abonnés</p>';
  const { content, isPaywalled } = readWith(`${label}<p>${LINE} ${LINE}</p><p>${PROSE}</p>`);
  expect(content).toContain('salt for the taste');
  expect(isPaywalled).toBe(true);
});

test('leaves out the teasers that follow their label', () => {
  const content = articleWith(`<p>You may also like…</p><p><a href="/a">Sourdough in ten steps</a></p><p>${LINE}</p>`);
  expect(content).not.toMatch(/also like|ten steps/);
  expect(content).toContain(LINE);
});

test.each([
  '<p>Read more books, said the baker, and bake more bread.</p>',
  '<p>Share the dough among four tins, and cover it.</p>',
  '<p class="shareholder-note">Every shareholder of the bakery gets a loaf.</p>',
  '<ol><li>Sign up for an account by e-mail at the mill.</li></ol>',
  '<p>See also <a href="/rye">the page on rye</a> and <a href="/oats">that on oats</a>.</p>',
  '<pre>share\nrelated</pre>',
  '<p>Last modified files come first.</p>',
  '<ul><li>Name</li><li>Last modified</li><li>Last updated in 2024</li></ul>',
  '<details><summary>Can I join the club by e-mail?</summary>Yes, and it costs nothing.</details>',
  '<details><summary><h3>Can I join the club by e-mail?</h3></summary>Yes, and it costs nothing.</details>',
])('keeps a line of the text: %s', (line) => {
  const text = line.replace(/<[^>]*>/g, '').slice(0, 20);
  expect(articleWith(line).replace(/<[^>]*>/g, '')).toContain(text);
});

test('keeps a section with a field for an address', () => {
  const field = '<form><input type="email"><button>OK</button></form>';
  const end = '<h2>How it ended</h2><p>In the end the mill was sold.</p>';
  const picture = '<img src="/mill.jpg" width="800" height="500">';
  expect(articleWith(`<section>${end}${picture}${field}</section>`)).toMatch(/How it ended.*mill was sold.*mill\.jpg/s);
  expect(articleWith(`<section>${end}${field}</section>`)).toMatch(/How it ended.*mill was sold/s);
  expect(articleWith(`<figure>${picture}<figcaption>${LINE}</figcaption>${field}</figure>`)).toMatch(/mill\.jpg/);
});

test.each([
  '<figure id="t1"><h4>Loaves by year<a class="anchor" href="#t1"></a></h4><table><tr><td>1901</td><td>12</td></tr></table></figure>',
  '<figure><h4>Loaves by year<a href="/bread#t1"></a></h4><ul><li>1901: 12</li><li>1902: 14</li></ul></figure>',
  '<figure><h3>Loaves by year, since 1901</h3><img src="/1901.png" width="800" height="500"><a href="/1901.csv"><i></i></a></figure>',
])('keeps a figure with a heading and a link without text: %s', (figure) => {
  expect(articleWith(figure)).toMatch(/Loaves by year.*1901/s);
});

test('keeps the linked heading of a section in a section of its own', () => {
  const section = `<section><section><a href="/r/Rye"><h3>Rye</h3></a></section><p>${PROSE.repeat(3)}</p></section>`;
  expect(articleWith(section)).toMatch(/<h3[^>]*>.*Rye/s);
});

test('keeps a list below a heading that is also a pointer', () => {
  const list = '<ul><li><a href="/a">Ada Holm: The Oven</a></li><li><a href="/b">Rye in the north</a></li></ul>';
  expect(articleWith(`<h2>Más información</h2>${list}`)).toMatch(/Más información.*The Oven.*Rye in the north/s);
});

test('leaves out a box of comments to which links point', () => {
  const box = '<div id="comments">Comments are <b>closed</b> now, and you may write to us.</div>';
  expect(articleWith(`<p>${PROSE} <a href="#comments">Below</a></p>${box}`)).not.toContain('you may write to us');
});

test('leaves out a row of cards of other stories', () => {
  const card = (i: number) => `<div><h3><a href="/s${i}">Story number ${i}</a></h3><p>A few words about it.</p></div>`;
  const content = contentOf(
    `<main><article>${`<p>${PROSE}</p>`.repeat(6)}<div>${[1, 2, 3].map(card).join('')}</div></article></main>`,
  );
  expect(content).not.toContain('Story number');
  expect(content.match(/salt for the taste/g)).toHaveLength(6);
});

test.each([
  ['li', 'ul', 'Tools'],
  ['div', 'section', 'Books on rye'],
])('keeps a list of pages of other sites: %s', (item, list, label) => {
  const items = ['mixer', 'oven', 'scale', 'stone'].map(
    (name) =>
      `<${item}><h3><a href="https://${name}.example/">The ${name}</a></h3><p>It is heavy, costs little, and works for years in a small bakery without any care, says Ada.</p></${item}>`,
  );
  const content = contentOf(
    `<main><article>${`<p>${PROSE}</p>`.repeat(6)}<h2>${label}</h2><${list}>${items.join('')}</${list}></article></main>`,
  );
  expect(content.replace(/<[^>]*>/g, '')).toMatch(/The mixer.*It is heavy.*The oven.*The scale.*The stone/s);
});

const CAPTIONED: readonly string[] = [
  '<div class="photo"><img src="/l.jpg" width="600" height="400"><span class="newsCaption">A loaf <span class="credit">Ada</span></span></div>',
  '<div><div><img src="/l.jpg" width="600" height="400"></div><div class="image-caption">A loaf</div><div class="image-credit">Ada</div></div>',
  '<figure><span><img src="/l.jpg" width="600" height="400"><span>Ada</span></span><figcaption>A loaf</figcaption></figure>',
  '<div align="center"><img src="/l.jpg" alt="A loaf, Ada" width="600" height="400"><span>A loaf, Ada</span></div>',
];

test.each(CAPTIONED)('gathers the caption and the credit of a picture: %s', (markup) => {
  const captions = articleWith(markup).match(/<figure>.*?<\/figure>/gs) ?? [];
  expect(captions).toHaveLength(1);
  const caption = /<figcaption>(.*?)<\/figcaption>/s.exec(captions[0] ?? '')?.[1] ?? '';
  expect(caption).toContain('A loaf');
  expect(caption).toContain('Ada');
});

const WALLS: readonly string[] = [
  '<div class="x1"><h3>Subscribe to continue reading</h3><p>MARKED for €1 a month.</p><p>Already a subscriber? <a href="/l">Sign in</a></p></div>',
  '<p><strong>To read the full story, subscribe or sign in.</strong></p><p>MARKED</p>',
  '<aside class="gh-post-upgrade-cta"><div><h2>This post is for paying subscribers only</h2><a href="/s">MARKED</a></div></aside>',
  '<div><h2>Create an account to read the full story.</h2><p>MARKED made this story available to members only.</p></div>',
  '<div><h2>Continue reading with a subscription</h2><p>MARKED</p></div>',
  '<div><h2>Continue reading this article with a premium digital subscription.</h2><p>MARKED</p></div>',
  '<div><h2>Become a member to read the full story</h2><p>MARKED for €1 a month.</p></div>',
  '<div><h2>Become a member to keep reading</h2><p>MARKED for €1 a month.</p></div>',
  '<p>Thank you for your patience while we verify access. If you are in Reader mode, MARKED.</p>',
  '<div><p>Keep reading for $1 per week. MARKED, cancel anytime.</p><button>Continue</button></div>',
  '<div><h3>Weiterlesen mit Plus</h3><p>MARKED, 30 Tage lang.</p></div>',
  '<p>La suite est réservée aux abonnés. MARKED</p>',
  '<div><h3>Suscríbete para seguir leyendo</h3><p>MARKED</p></div>',
  '<div><p>この記事は会員限定です。</p><p>MARKED</p></div>',
  '<div class="paywall"><h3>Subscribe to continue reading</h3><p>MARKED</p></div>',
  '<div class="subscription-offer"><p>Subscribe to continue reading MARKED.</p></div>',
  '<p>This post is available to paid subscribers of The Baker</p><p>MARKED</p>',
  '<p>This article is for members of NOISE Plus</p><p>MARKED</p>',
  '<p>Dieser Artikel ist für Abonnenten verfügbar</p><p>MARKED</p>',
  '<p>Dieser Beitrag ist für unsere Abonnentinnen und Abonnenten.</p><p>MARKED</p>',
  '<p>You have reached your free limit</p><p>MARKED</p>',
  '<p>Sign in to read the article</p><p>MARKED</p>',
  `<h3>Subscribe to continue reading</h3><p>Only €1 a month.</p><p>MARKED ${LINE} ${LINE} ${LINE} ${LINE}</p>`,
];

const readWith = (markup: string) => {
  const html = `<!doctype html><html><head><title>Bread</title></head><body><article>${markup}</article></body></html>`;
  return readArticle(html, { url: URL_OF_PAGE, robots: null }).article;
};

test.each(WALLS)('says that the text goes on for subscribers instead of what their wall says: %s', (wall) => {
  const article = readWith(`<p>${PROSE.repeat(2)}</p><p>${PROSE.repeat(2)}</p>${wall}`);
  expect(article.isPaywalled).toBe(true);
  expect(article.content).not.toContain('MARKED');
  expect(article.content?.match(/salt for the taste/g)).toHaveLength(4);
});

test('leaves out an offer that is longer than the text before it', () => {
  const offer = `<p>${'Unlimited access for 1 EUR in the first month, cancel anytime. '.repeat(5)}</p><p>Already a subscriber?</p>`;
  const article = readWith(`<p>${PROSE} ${LINE}</p><h3>Subscribe to continue reading</h3>${offer}`);
  expect(article.isPaywalled).toBe(true);
  expect(article.content).toContain(LINE);
  expect(article.content).not.toMatch(/Subscribe|Unlimited|Already/);
});

test.each(WALLS)('a text that goes on after such words has no wall: %s', (wall) => {
  const article = readWith(`<p>${PROSE.repeat(2)}</p>${wall}<p>${PROSE.repeat(3)}</p>`);
  expect(article.isPaywalled).toBe(false);
  expect(article.content?.match(/salt for the taste/g)).toHaveLength(5);
});

test.each([
  'She wanted readers to sign in to the hotel before they keep reading the menu.',
  'Join the circle of bakers to see more loaves, and subscribe to read more posts.',
  'Sign up to see the full line-up of the summer course.',
  'Continue reading about the subscription of the mill and its flour.',
  'He will become a member to keep reading rooms open.',
  'Become a member to read this whole series in the library of the town, said the baker.',
  'Keep reading the classics with a membership of the library, said the baker.',
  'This article is for bakers who have never made a loaf.',
  'You have reached the end of the recipe, and the bread is in the oven.',
  'Log in to the portal to view the report.',
  'This article is for members of the jury who have never baked.',
  'This article is for members of Congress who have never baked.',
  'Users log in to view the content of the oven.',
  'You have reached your credit limit when the bar is red.',
  'Dieser Text ist für Leser, die noch nie gebacken haben.',
  'Melden Sie sich an, um den Bericht zu lesen.',
])('keeps a last sentence that only resembles a wall: %s', (sentence) => {
  const article = readWith(`<p>${PROSE.repeat(4)}</p><p>${sentence}</p>`);
  expect(article.isPaywalled).toBe(false);
  expect(article.content).toContain(sentence);
});

test('keeps two paragraphs behind a line that resembles a wall', () => {
  const article = readWith(
    `<p>${PROSE.repeat(2)}</p><p>Sign in to read this report.</p><p>${LINE} ${LINE}</p><p>${LINE} ${LINE}</p>`,
  );
  expect(article.isPaywalled).toBe(false);
  expect(article.content?.match(/read by everybody/g)).toHaveLength(4);
});

test('leaves out the menu of a reference whose words would become a paragraph, and keeps one with a text', () => {
  const menu =
    '<nav><div><ul><li><a href="/o">Overview</a></li><li>Use</li></ul></div><div><div>SEARCH:</div></div></nav>';
  const text = `<nav><p>${LINE}</p></nav><h2>Rye</h2><p>${PROSE.repeat(4)}</p>`;
  const content = contentOf(`<main>${menu}${text}</main>`);
  expect(content).toContain(LINE);
  expect(content).not.toMatch(/Overview|SEARCH/);
});

test('leaves out the heading of a book above the heading of its chapter', () => {
  const chapter = `<div><main><h1>Bread</h1><p>${PROSE.repeat(4)}</p><h1>Dark rye</h1><p>${PROSE.repeat(4)}</p></main></div>`;
  const content = contentOf(`<div id="page"><div id="menu"><h1>The Book of Breads</h1></div>${chapter}</div>`);
  expect(content).toContain('Dark rye');
  expect(content).not.toContain('Book of Breads');
});

test('leaves out what documentation tools put beside code', () => {
  const tip = '<div class="ttc"><div class="ttname"><a href="/m">bake</a></div><div class="ttdoc">MARKED</div></div>';
  const doxygen = `<div class="fragment"><div class="line">bake(3);</div><div class="line">cool(3);</div>${tip}</div>`;
  const rustdoc =
    '<div><pre><code>let a = 1;</code></pre><a class="test-arrow" href="https://play.example/">MARKED</a></div>';
  const nim = '<p>The loaf. <a class="link-seesrc" href="/loaf#L1">MARKED</a></p>';
  const content = articleWith(doxygen + rustdoc + nim);
  expect(content).toMatch(/bake\(3\);\ncool\(3\);.*let a = 1;.*The loaf\./s);
  expect(content).not.toContain('MARKED');
});

test.each([
  '<p>Send the word <code><span>subscribe</span></code> to the mill.</p>',
  '<p>Send the word <em><span>Subscribe</span></em> to the mill.</p>',
  '<p><strong><a href="/s">Share</a></strong> the loaf with all who work at the mill.</p>',
])('keeps a word of a sentence that could be a label: %s', (line) => {
  expect(articleWith(line).replace(/<[^>]*>/g, '')).toContain(line.replace(/<[^>]*>/g, ''));
});

test('leaves out a label in inline elements of its own', () => {
  expect(articleWith('<div><b><span>Share</span></b><br><b><a href="/s">Subscribe</a></b></div>')).not.toMatch(
    /Share|Subscribe/,
  );
});
