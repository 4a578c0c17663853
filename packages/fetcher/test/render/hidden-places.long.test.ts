import { readPages, SENTENCE } from './read-pages.ts';
import { chromiumTest } from './renderer.ts';

const ARTICLE = `<article><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></article>`;
const HALF_HIDDEN = `<style>.later { display: none }</style>${ARTICLE}<div class="later"><p>UNWANTED ${SENTENCE.repeat(9)}</p></div>`;
const framed = (html: string) =>
  `<iframe srcdoc="${html.replaceAll('"', '&quot;')}" width="900" height="700"></iframe>`;
const far = `<main><h1>Seven dinners</h1><p>${SENTENCE.repeat(4)}</p><div style="height:30000px"></div><p class="end">…</p></main>`;
const fill = (root: string) =>
  `new IntersectionObserver(([entry]) => { if (entry.isIntersecting) entry.target.textContent = 'MARKED ${SENTENCE.repeat(3)}'; }).observe(${root}.querySelector('.end'));`;

/** Pages whose text stands in frames and web components. */
const INSIDE: Readonly<Record<string, string>> = {
  'at the end of a frame': framed(`<body>${far}<script>${fill('document')}</script>`),
  'at the end of a box in a shadow root': `<my-app></my-app><script>customElements.define('my-app', class extends HTMLElement { connectedCallback() {
    const root = this.attachShadow({ mode: 'closed' }); root.innerHTML = '<div style="height:900px;overflow-y:auto">${far}</div>'; ${fill('root')} } });</script>`,
  'in a frame of a shadow root': `<my-app></my-app><script>document.querySelector('my-app').attachShadow({ mode: 'closed' }).innerHTML = '<iframe src="/frame" width="900" height="700"></iframe>';</script>`,
  'in an object': '<object data="/frame" type="text/html" width="900" height="900"></object><script></script>',
  'in web components that add their text whenever they are moved': `<my-app></my-app><script>
    const define = (name, run) => customElements.define(name, class extends HTMLElement { root = this.attachShadow({ mode: 'open' }); connectedCallback() { run(this); } });
    define('my-text', ({ root }) => root.append(Object.assign(document.createElement('p'), { textContent: 'MARKED ${SENTENCE.repeat(6)}' })));
    define('my-app', ({ root }) => { root.innerHTML = '<article><h1>Seven dinners</h1><my-text></my-text></article>'; });</script>`,
  'after the long script of a hidden frame': `<iframe srcdoc="<body><script>${'var unused = 1;'.repeat(60)}</script>" style="display:none"></iframe><div id="m"></div>
    <script>setTimeout(() => { m.innerHTML = '${ARTICLE}'; }, 2500);</script>`,
  'beside frames that are not shown': `<main id="m"></main><iframe src="/offer" width="1" height="1"></iframe><iframe src="/offer" style="visibility:hidden"></iframe>
    <script>m.innerHTML = '${ARTICLE}';</script>`,
  'beside a noscript element, in a page that forbids to parse texts': `<noscript><p>Scripts are off.</p></noscript><main id="m"></main><script>m.innerHTML = '${ARTICLE}';
    document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'Content-Security-Policy', content: "require-trusted-types-for 'script'" }));</script>`,
  'above a form with a field for children': `<main id="m"></main><form><input name="children"><div style="display:none">${SENTENCE.repeat(4)}</div></form><script>m.innerHTML = '${ARTICLE}';</script>`,
  'beside hidden text in a web component': `<my-app></my-app><script>document.querySelector('my-app').attachShadow({ mode: 'open' }).innerHTML = '${HALF_HIDDEN}';</script>`,
  'beside hidden text in a frame': `${framed(`<body>${HALF_HIDDEN}`)}<script></script>`,
  'in the second of several slides': `<div class="reveal"><div class="slides"></div></div><script>document.querySelector('.slides').innerHTML =
    '<section><h2>Monday</h2><p>${SENTENCE.repeat(4)}</p></section><section hidden aria-hidden="true" style="display:none"><h2>Friday</h2><p>MARKED ${SENTENCE.repeat(4)}</p></section>';</script>`,
};

const show = `m.innerHTML = '${ARTICLE}';`;
const wall = (words: string, names: readonly string[], show: string) =>
  `<div id="wall" class="cookie-wall"><p>${words}</p>${names.map((name) => `<button>${name}</button>`).join('')}</div><main id="m"></main>
    <script>const buttons = [...document.querySelectorAll('button')]; const leave = () => { wall.remove(); m.innerHTML = '${ARTICLE}'; }; ${show}</script>`;

/** Pages whose text stands behind a wall of consent. */
const WALLED: Readonly<Record<string, string>> = {
  'behind a wall in a frame': `${framed(`<body><p>We and our partners use cookies.</p><button>Options</button><button onclick="parent.leave()">REJECT ALL</button>`)}<main id="m"></main>
    <script>globalThis.leave = () => { document.querySelector('iframe').remove(); ${show} };</script>`,
  'behind a long wall that comes late': `<main id="m"></main><script>setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<div class="cookie-wall"><p>We use cookies. ${SENTENCE.repeat(4)}</p><button>Only allow essential cookies</button></div>');
    document.querySelector('button').onclick = () => { document.querySelector('.cookie-wall').remove(); ${show} }; }, 4500);</script>`,
  'behind a wall in a web component that has its name': `<div id="axeptio_overlay"></div><main id="m"></main><script>const root = axeptio_overlay.attachShadow({ mode: 'open' });
    root.innerHTML = '<div class="box"><p>Salut !</p><button>Non merci</button></div>'; root.querySelector('button').onclick = () => { axeptio_overlay.remove(); ${show} };</script>`,
  'behind a button with a sign': wall(
    'Ce site utilise des cookies.',
    ['✗ Interdire tous les cookies'],
    'buttons[0].onclick = leave;',
  ),
  'behind a wall that only subscribers may refuse': wall(
    'Utilizziamo cookie.',
    ['Rifiuta e abbonati', 'Accetta'],
    "buttons[0].onclick = () => { location = '/offer'; }; buttons[1].onclick = leave;",
  ),
  'behind a wall that only subscribers may refuse, in German': wall(
    'Wir nutzen Cookies.',
    ['Ablehnen und Abo abschließen', 'Zustimmen'],
    "buttons[0].onclick = () => { location = '/offer'; }; buttons[1].onclick = leave;",
  ),
  'behind buttons in a box that has their name': `<div class="cookie-wall"><p>We use cookies.</p><div class="buttons"><div class="btn">No thanks</div><div class="btn">That is ok</div></div></div><main id="m"></main>
    <script>document.querySelector('.btn').onclick = () => { document.querySelector('.cookie-wall').remove(); ${show} };</script>`,
  'after a wall whose button submits a form': `<div class="cookie-wall"><p>We use cookies.</p><form action="/offer"><button><span class="btn-label">Accept all</span></button></form></div><main id="m"></main>
    <script>setTimeout(() => { ${show} }, 4500);</script>`,
  'in a box that only has the name of a wall': `<div class="no-cookie-bar">${ARTICLE}<p><a href="/offer">Continue to the next story</a></p></div><script></script>`,
  'after a form that only has the name of a wall': `<form action="/offer" class="cookie-form"><p>Cookies of the week</p><input type="submit" value="Save"></form><main id="m"></main>
    <script>setTimeout(() => { ${show} }, 6000);</script>`,
  'in a web component beside a banner': `<div class="cookie-bar"><p>We use cookies.</p><button onclick="location = '/offer'">Save up to 50 %</button></div><my-app></my-app>
    <script>document.querySelector('my-app').attachShadow({ mode: 'open' }).innerHTML = '${ARTICLE}';</script>`,
};

const list = (rows: number, name: string) =>
  `<main><h1>Diary</h1><div id="list"></div><button id="more">${name}</button></main><script>let count = 0; const add = () => { for (let i = 0; i < 3; i++)
    list.insertAdjacentHTML('beforeend', '<h2>Day ' + ++count + '</h2><p>' + (count === ${rows} ? 'MARKED ' : '') + '${SENTENCE.repeat(3)}</p>'); if (count >= ${rows}) more.remove(); };
    more.onclick = () => setTimeout(add, 200); add();</script>`;

/** Pages of which a button shows the rest, some of it at a time. */
const LISTS: Readonly<Record<string, string>> = {
  'at the end of a list': list(12, 'Load more'),
  'at the end of a list in German': list(9, 'Mehr laden'),
  'before other articles that a button adds': `${ARTICLE}<div id="list"></div><button id="more">Load more</button><script>more.onclick = () => {
    list.insertAdjacentHTML('beforeend', '<h2>Another day</h2><p>' + (list.children.length > 2 ? 'UNWANTED ' : '') + '${SENTENCE.repeat(9)}</p>'); };</script>`,
  'before a list of other pages with their first words': `${ARTICLE}<section><h2>Related</h2><div id="list"></div><button id="more">Load more</button></section><script>const add = () => { for (let i = 0; i < 8; i++)
    list.insertAdjacentHTML('beforeend', '<div><a href="/' + i + '"><h3>UNWANTED story of another day</h3></a><p>${SENTENCE}</p></div>'); }; more.onclick = add; add();</script>`,
  'before a list of other pages': `${ARTICLE}<section><h2>Related</h2><div id="list"></div><button id="more">Load more</button></section><script>const add = () => { for (let i = 0; i < 8; i++)
    list.insertAdjacentHTML('beforeend', '<div><a href="/' + i + '"><h3>UNWANTED story of another day</h3></a></div>'); }; more.onclick = add; add();</script>`,
};

chromiumTest('reads text in frames, slides and web components, each once', () => readPages(INSIDE));

chromiumTest('reads text behind walls of consent in frames and web components, and behind late ones', () =>
  readPages(WALLED),
);

chromiumTest('reads lists that a button continues, but no lists of other pages', () => readPages(LISTS));

chromiumTest('reads framesets', () =>
  readPages({
    'in a frame beside a menu':
      '<!doctype html><title>Seven dinners</title><frameset cols="20%,80%"><frame src="/menu"><frame src="/frame"></frameset>',
    'in a frame beside a menu with words of a wall':
      '<!doctype html><title>Seven dinners</title><frameset cols="20%,80%"><frame src="/walled-menu"><frame src="/frame" name="text"></frameset>',
  }),
);
