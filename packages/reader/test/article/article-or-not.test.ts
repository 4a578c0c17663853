import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';

const URL_OF_PAGE = 'https://www.baker.example/bread';
const SENTENCE = 'The dough rests under a cloth until the oven is hot, and then it is shaped on a floured board. ';

function contentOf(body: string, { title = 'Bread', head = '' } = {}): string | null {
  const html = `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
  return readArticle(html, { url: URL_OF_PAGE, robots: null }).article.content;
}

const teaser = (i: number) =>
  `<div class="card"><h3><a href="/story-${i}">How baker ${i} bakes the bread of the week</a></h3>
    <p>${SENTENCE}</p><a href="/story-${i}">Read more</a></div>`;

const NOT_ARTICLES: Readonly<Record<string, string>> = {
  'a home page of teasers': `<header><h1>The Baker</h1></header><main>${Array.from({ length: 9 }, (_, i) => teaser(i)).join('')}</main>`,
  'a home page of teasers in articles': `<main>${Array.from({ length: 9 }, (_, i) => `<article>${teaser(i)}</article>`).join('')}</main>`,
  'search results': `<main><h1>Results for rye</h1><p>9 results in 0.2 seconds</p><ol>${Array.from(
    { length: 9 },
    (_, i) =>
      `<li><a href="/r${i}">Rye bread number ${i} and how to bake it at home</a><p>Rye, flour, water …</p></li>`,
  ).join('')}</ol></main>`,
  'search results of other sites': `<main><p>About 1,230 results</p>${Array.from(
    { length: 9 },
    (_, i) => `<article><h3><a href="https://site${i}.example/bread">Bread ${i}</a></h3><p>${SENTENCE}</p></article>`,
  ).join('')}</main>`,
  'a wall of consent': `<main><h1>Before you continue</h1><p>We and our 812 partners use cookies and process personal data
    such as your address to show you personalised advertising and content.</p><p>You can accept or manage your choices,
    and you can withdraw your consent at any time in our privacy policy.</p><button>Accept all</button>
    <button>Manage choices</button></main>`,
  'a wall of consent with the words of its standard': `<main><h1>We value your privacy</h1><p>We and our partners store and/or access
    information on a device, such as cookies and process personal data, such as unique identifiers and standard information sent by a device
    for personalised advertising and content, audience research and services development.</p><p>You may click to consent to our and our 842
    partners’ processing as described above, or change your preferences before consenting.</p></main>`,
  'a login page': `<main><h1>Sign in to The Baker</h1><p>Enter the address and the password of your account to continue to
    your recipes and your orders.</p><p>New here? Create an account, it takes a minute and costs nothing at all.</p>
    <form><input name="user"><input type="password" name="password"><button>Sign in</button></form></main>`,
  'a page without a result': `<main><h1>Page not found</h1><p>The page that you are looking for was moved, removed, renamed
    or never existed. Check the address, or go back to the home page.</p><p>You can also search the site, or write to us
    if you think that this is our mistake and not yours.</p></main>`,
  'a page that is missing, politely': `<main><h1>Oops! We can’t find that page</h1><p>${SENTENCE.repeat(3)}</p><p>${SENTENCE.repeat(3)}</p></main>`,
  'a check of the browser': `<main><h1>Checking your browser before accessing baker.example</h1><p>This process is automatic.
    Your browser will redirect to your requested content shortly.</p><p>Please allow up to 5 seconds. Enable JavaScript and
    cookies to continue, and then reload this page in your browser.</p></main>`,
  'a wall of registration': `<main><article><h1>You have reached your article limit</h1><p>Subscribe now for unlimited access to
    all of our stories, newsletters and podcasts. Already a subscriber? Log in.</p><p>You have read all of your free articles
    this month. Get full access for one dollar a week, cancel at any time.</p></article></main>`,
  'a form': `<main><h1>Contact</h1><form><p><label>Name <input></label></p><p><label>Message <textarea></textarea></label></p>
    <button>Send</button></form><p>We answer within two days.</p></main>`,
  'an application without its scripts': `<div id="root"></div><noscript><p>You need to enable JavaScript to run this app, which
    is an application for the planning of meals, and does nothing without it.</p></noscript>`,
};

test.each(Object.entries(NOT_ARTICLES))('shows %s as a card', (_, body) => {
  const title = /<h1>(.*?)<\/h1>/.exec(body)?.[1];
  expect(contentOf(body, { title })).toBeNull();
});

test('shows an article whose headings lead to other sites', () => {
  const tool = (i: number) => `<h2><a href="https://tool${i}.example">${i}. Mixer ${i}</a></h2><p>${SENTENCE}</p>`;
  const body = `<article><h1>Nine mixers</h1><p>${SENTENCE}</p>${Array.from({ length: 9 }, (_, i) => tool(i)).join('')}</article>`;
  expect(contentOf(body)).toContain('8. Mixer 8');
});

const DECLARED = '<meta property="og:type" content="article">';

test.each([
  'Error handling in Go',
  '404 days at sea',
  'Forbidden City opens',
  'Please wait for the harvest',
  'Captcha: a history',
  'Search results are getting worse',
  'Results for the second quarter',
  'Before you continue your journey',
  'Peugeot 404',
  'Результаты поиска жизни на Марсе',
  '搜索结果优化指南',
  '検索結果の順位とは',
  'Как исправить ошибку 404',
  '404错误的解决方法',
  '서버 오류 503',
  'CAPTCHA とは何か',
  'Security check в банке',
  'Прежде чем купить дом',
  'Прежде чем перейти к делу',
  'Не найдена связь между хлебом и сном',
])('shows a short article with the title "%s"', (title) => {
  const body = `<article><h1>${title}</h1><p>${SENTENCE.repeat(3)}</p></article>`;
  expect(contentOf(body, { title: `${title} | The Baker`, head: DECLARED })).toContain('The dough rests');
});

test.each([
  'Error 404',
  '404 - Page not found',
  'Oops! Page Not Found',
  '403 Forbidden',
  'Access denied',
  'Just a moment...',
  'Ошибка 404',
  '404: Страница не найдена',
  'Не найдено',
  'Прежде чем перейти на Google',
  '오류 404',
  'エラー 404',
  'ログイン',
])('shows a short page with the title "%s" as a card', (title) => {
  const body = `<article><p>${SENTENCE.repeat(3)}</p></article>`;
  expect(contentOf(body, { title: `${title} | The Baker`, head: DECLARED })).toBeNull();
});

test.each([
  'Visitors no longer have to sign in to view the collection of loaves.',
  'Then enable JavaScript again, and reload the page of the oven.',
])('shows a declared article with the sentence "%s"', (sentence) => {
  const body = `<article><h1>Bread</h1><p>${SENTENCE.repeat(3)}${sentence}</p></article>`;
  expect(contentOf(body, { head: DECLARED })).toContain(sentence);
});

test('shows a short text that the page declares as its article', () => {
  const text =
    '<h1>Bread</h1><p>Flour, water, salt and time make bread, and the oven does the rest of the work.</p><p>That is all there is.</p>';
  expect(contentOf(`<nav><a href="/">Home</a></nav><article>${text}</article>`)).toContain('Flour, water');
  expect(contentOf(`<nav><a href="/">Home</a></nav><div>${text}</div>`)).toBeNull();
});

test('counts a Chinese character as more than a Latin one', () => {
  const main = `<main><h1>面包</h1>${'<p>面团盖着布休息到烤炉变热然后在撒了面粉的板上整形最后烘烤。</p>'.repeat(5)}</main>`;
  expect(contentOf(`<nav><a href="/">首页</a></nav>${main}`)).toContain('面团');
});

test('shows a short text with a formula', () => {
  const page = (formula: string) =>
    contentOf(
      `<main><h3>Rest</h3><p>The dough rests for ${formula} hours.</p><p>Then it is baked until brown.</p></main>`,
    );
  expect(page('<span class="math-inline" data-math="\\frac{t}{2}">x</span>')).toContain('<math');
  expect(page('some')).toBeNull();
});

test('shows a short text in the main element of a page with a heading', () => {
  const main = `<main><h1>Bread</h1><p>${SENTENCE}</p><p>${SENTENCE}</p><p>${SENTENCE}</p></main>`;
  const content = contentOf(
    `<header><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav></header>${main}<footer>Imprint</footer>`,
  );
  expect(content?.match(/The dough rests/g)).toHaveLength(3);
  expect(content).not.toMatch(/Shop|Imprint/);
});

test('reads the whole of an article of which Readability would find a part', () => {
  const steps = Array.from(
    { length: 12 },
    (_, i) => `<div class="step"><h4>Step ${i}</h4><ul><li>${SENTENCE}</li></ul></div>`,
  );
  const intro = `<div class="intro"><p>${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></div>`;
  const content = contentOf(`<article>${intro}<div class="sidebar-steps">${steps.join('')}</div></article>`) ?? '';
  expect(content.match(/Step \d/g)).toHaveLength(12);
});

test('takes long search results and a home page of linked lines for no article', () => {
  const stateOf = (title: string, body: string, url: string) =>
    readArticle(`<title>${title}</title><main>${body}</main>`, { url, robots: null }).status.state;
  const numbers = Array.from({ length: 10 }, (_, i) => i);
  const text =
    'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help. '.repeat(2);
  const results = numbers.map((i) => `<li><div><a href="/w/${i}">Bread ${i}</a></div><div>${text}</div></li>`).join('');
  const cards = numbers.map((i) => `<div><a href="/s/${i}">A story of ${i} loaves</a><p>${text}</p></div>`).join('');
  expect(
    stateOf('Search results for "bread" - Wiki', `<h1>Search</h1><ul>${results}</ul>`, 'https://wiki.example/search'),
  ).toBe('NO_ARTICLE');
  expect(stateOf('The Baker', cards, 'https://www.baker.example/')).toBe('NO_ARTICLE');
  expect(stateOf('Ten stories', `<article>${cards}</article>`, 'https://www.baker.example/ten')).toBe('SHOWN');
});

test.each([
  'Fehler 404 – Die Zeitung',
  'Sayfa bulunamadı - Gazete',
  'الصفحة غير موجودة - الجريدة',
  '로그인',
  'Suche nach „Brot“',
])('takes a page titled "%s" for no article', (title) => {
  expect(contentOf(`<main><h1>404</h1>${`<p>${SENTENCE} ${SENTENCE}</p>`.repeat(3)}</main>`, { title })).toBeNull();
});

test('shows a short text on eye tracking', () => {
  const text = 'With eye tracking, the lab measured how bakers read. Its partner in Leiden counted the loaves.';
  expect(contentOf(`<main><h1>Bread</h1><p>${text}</p><p>${SENTENCE.repeat(5)}</p></main>`)).toContain(text);
});

test.each(['Suche nach „Titan“: Was wir wissen', 'Suche nach „Titan“ – was wir wissen'])(
  'shows a long article with the title "%s"',
  (title) => {
    expect(
      contentOf(`<main><h1>${title}</h1>${`<p>${SENTENCE.repeat(4)}</p>`.repeat(8)}</main>`, { title }),
    ).not.toBeNull();
  },
);

test('shows a wall of consent to tracking as a card', () => {
  const wall = `<h1>Weiterlesen mit Werbung</h1><p>Lesen Sie uns mit Werbung und Tracking. Ihre Zustimmung ist jederzeit widerrufbar.</p><p>${SENTENCE.repeat(3)}</p>`;
  expect(contentOf(`<main>${wall}</main>`)).toBeNull();
});

test.each([
  (form: string) => `<header>${form}</header>`,
  (form: string) => `<div role="banner">${form}</div>`,
  (form: string) => `<div class="navbar">${form}</div>`,
  (form: string) => `<div id="header">${form}</div>`,
  (form: string) => `<div style="display:none">${form}</div>`,
  (form: string) => `<dialog>${form}</dialog>`,
  (form: string) => `<aside>${form}</aside>`,
])('shows a short article and a thread beside a box to sign in: %s', (box) => {
  const form = '<form><input name="user"><input type="password" name="password"><button>Sign in</button></form>';
  const post = (i: number) =>
    `<div class="post"><div class="author">Ada ${i}</div><time datetime="2024-05-0${i}T10:00:00Z">May ${i}</time><div class="content"><p>${SENTENCE}</p></div></div>`;
  const thread = `<main><h1>Bread</h1>${[1, 2, 3].map(post).join('')}</main>`;
  expect(contentOf(`${box(form)}<article><h1>Bread</h1><p>${SENTENCE.repeat(4)}</p></article>`)).toContain('The dough');
  expect(contentOf(box(form) + thread)?.match(/The dough/g)).toHaveLength(3);
  const page = `<main><h1>Welcome</h1><p>${SENTENCE.repeat(4)}</p>${form}</main>`;
  expect(contentOf(page, { title: 'Welcome' })).toBeNull();
});

test.each(['Результаты поиска по запросу хлеб', '搜索结果：面包', '検索結果'])(
  'shows a short page with the title "%s" as a card',
  (title) => {
    expect(contentOf(`<main><p>${SENTENCE.repeat(8)}</p></main>`, { title })).toBeNull();
  },
);

test.each([
  'Мы используем cookies, чтобы сайт работал лучше. Продолжая, вы даете согласие на обработку данных.',
  'Сайт сохраняет файлы cookie на вашем устройстве. Вы можете принять их или отклонить.',
])('shows a wall of consent in Russian as a card: %s', (text) => {
  expect(contentOf(`<main><h1>Хлеб</h1><p>${text}</p><p>${SENTENCE.repeat(4)}</p></main>`)).toBeNull();
});

test('shows a short recipe of cookies that a partner likes', () => {
  const recipe = `<p>${SENTENCE.repeat(3)}The cookies are cool after an hour. Keep some for your partner.</p>`;
  expect(contentOf(`<article><h1>Cookies</h1>${recipe}<p>${SENTENCE.repeat(2)}</p></article>`)).toContain('partner');
});
