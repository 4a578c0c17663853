import { expect } from 'vitest';
import { openSite } from '../../../../test/pages/site.ts';
import { frame, openPages, page, readPages, SENTENCE } from './read-pages.ts';
import { chromiumTest, openRenderer } from './renderer.ts';

const MENU = `<div class="menu">${'<a href="/more">One more entry of the menu</a> '.repeat(80)}</div>`;
const late = (
  path: string,
) => `<main id="m"><p>Loading</p></main><script>fetch('${path}').then((r) => r.text()).then((text) => {
  m.innerHTML = '<article><h1>Seven dinners</h1><p>' + text + '</p><p>' + text.slice(7) + '</p></article>'; });</script>`;

const wall = (words: string, names: readonly string[]) =>
  `<div class="wall" role="dialog" aria-modal="true"><p>${words}</p>${names.map((name) => `<button>${name}</button>`).join('')}</div><main id="m"></main>
    <script>document.querySelectorAll('button')[${names.length - 1}].onclick = () => { document.querySelector('.wall').remove();
    m.innerHTML = '<article><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></article>'; };</script>`;

/** Pages whose text comes late: each shows the word MARKED, as all pages below. */
const LATE: Readonly<Record<string, string>> = {
  'after 6 s, while a menu is there': MENU + late('/slow'),
  'after 6 s, by a timer': `<div id="m"><p>Loading</p></div><script>setTimeout(() => {
    m.innerHTML = '<article><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></article>'; }, 6000);</script>`,
  'after 6 s, by a timer beside a style sheet in a shadow root': `<my-bar></my-bar><div id="m"><p>Loading</p></div><script>
    document.querySelector('my-bar').attachShadow({ mode: 'open' }).innerHTML = '<style>${'b { color: red } '.repeat(20)}</style>';
    setTimeout(() => { m.innerHTML = '<article><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></article>'; }, 6000);</script>`,
  'in place of a teaser, after a timer': `<main id="m"><h1>Seven dinners</h1><p>${SENTENCE.repeat(4)}</p></main><script>setTimeout(() => {
    m.innerHTML = '<article><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></article>'; }, 800);</script>`,
  'in place of a long placeholder': `<main id="m"><p>Loading the article, please wait…</p><p>${SENTENCE.repeat(6)}</p></main><script>setTimeout(() => {
    m.innerHTML = '<article><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></article>'; }, 4000);</script>`,
  'when a picture has loaded': `<div id="m"><img src="/soup.jpg" alt=""></div><script>document.querySelector('img').onload = () => {
    m.innerHTML = '<article><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(4)}</p></article>'; };</script>`,
  'in the address of a picture that replaces a small one': `<article><h1>Seven dinners</h1><p>${SENTENCE.repeat(4)}</p><img src="/UNWANTED.jpg" alt="Soup" width="800" height="400"></article>
    <script>const large = Object.assign(new Image(), { crossOrigin: '', src: 'https://pictures.example/MARKED.jpg' }); const small = document.querySelector('img');
    large.onload = () => { small.outerHTML = '<img src="' + large.src + '" alt="Soup" width="800" height="400">'; }; large.onerror = () => small.remove();</script>`,
  'in the address of a picture that gets its own size': `<article><h1>Seven dinners</h1><p>${SENTENCE.repeat(4)}</p><img src="/MARKED.jpg" alt="Soup"></article>
    <script>const picture = document.querySelector('img'); picture.onload = () => {
    if (picture.naturalWidth < 100) picture.remove(); else Object.assign(picture, { width: picture.naturalWidth, height: picture.naturalHeight }); };</script>`,
  'beside a long menu without links': `<div class="sidebar-menu">${'<div><span>Dinners for every day of the week</span></div>'.repeat(60)}</div><div id="root"></div><script>setTimeout(() => {
    root.innerHTML = '<article><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></article>'; }, 4000);</script>`,
};

/** Pages whose text stands in frames, in shadow roots, far below or behind a wall. */
const HIDDEN: Readonly<Record<string, string>> = {
  'behind a wall of consent in a shadow root': `<div id="wall"></div><main id="m"></main><script>const wall = document.getElementById('wall');
    const root = wall.attachShadow({ mode: 'closed' }); root.innerHTML = '<div role="dialog"><p>We use cookies.</p><div tabindex="0">Deny all</div></div>';
    root.querySelector('[tabindex]').onclick = () => { wall.remove(); m.innerHTML = '<article><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></article>'; };</script>`,
  'in a frame of the same site': '<main><iframe src="/frame"></iframe></main><script></script>',
  'in a frame with its source': `<main><iframe srcdoc="${frame('MARKED').replaceAll('"', '&quot;')}"></iframe></main><script></script>`,
  'in a closed shadow root of a frame': `<main><iframe srcdoc="<body><my-app></my-app><script>customElements.define('my-app', class extends HTMLElement { connectedCallback() {
    this.attachShadow({ mode: 'closed' }).innerHTML = '<article><p>MARKED ${SENTENCE.repeat(8)}</p></article>'; } })</script>"></iframe></main><script></script>`,
  'when it becomes visible': `<article><h1>Seven dinners</h1>${`<p>${SENTENCE.repeat(3)}</p>`.repeat(3)}<div style="height:20000px"></div><p id="end">…</p></article>
    <script>new IntersectionObserver(([entry]) => { if (entry.isIntersecting) end.textContent = 'MARKED ${SENTENCE.repeat(3)}'; }).observe(end);</script>`,
  'in a closed shadow root': `<my-app></my-app><script>customElements.define('my-app', class extends HTMLElement { connectedCallback() {
    this.attachShadow({ mode: 'closed' }).innerHTML = '<article><p>MARKED ${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></article>'; } });</script>`,
  'in a declared shadow root': `<my-app><template shadowrootmode="closed"><article><p>MARKED ${SENTENCE.repeat(4)}</p></article></template></my-app><script></script>`,
  'in the slots of nested shadow roots': `<my-app><p slot="text">MARKED ${SENTENCE.repeat(4)}</p><my-note slot="text">${SENTENCE.repeat(4)}</my-note></my-app><script>
    const define = (name, html) => customElements.define(name, class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'closed' }).innerHTML = html; } });
    define('my-note', '<p><slot></slot></p>'); define('my-box', '<article><h1>Seven dinners</h1><slot name="body"></slot></article>');
    define('my-app', '<my-box><slot name="text" slot="body"></slot></my-box>');</script>`,
  'at the end of a short list that grows': `<article id="list"><h1>Seven dinners</h1><p>${SENTENCE.repeat(4)}</p></article><p id="end">…</p><script>let count = 0;
    new IntersectionObserver(([entry]) => { if (!entry.isIntersecting || count > 4) return; count++;
      list.insertAdjacentHTML('beforeend', '<p>' + (count > 4 ? 'MARKED ' : 'Part ' + count) + ' ${SENTENCE.repeat(4)}</p>'); }).observe(end);</script>`,
  'at the end of a list that grows': `<article id="list"><h1>Seven dinners</h1></article><p id="end">…</p><script>let count = 0;
    new IntersectionObserver(([entry]) => { if (!entry.isIntersecting || count > 5) return; count++;
      end.style.marginTop = count * 7000 + 'px'; list.insertAdjacentHTML('beforeend', '<p>' + (count > 5 ? 'MARKED ' : 'Part ' + count) + ' ${SENTENCE.repeat(4)}</p>'); }).observe(end);</script>`,
  'in a frame in a frame': `<main><iframe srcdoc="<iframe src='/frame'></iframe>"></iframe></main><script></script>`,
  'behind a wall of consent': `<div id="consent-wall" role="dialog"><h2>Your cookies</h2><p>We and our partners use cookies. Accept them, or manage your choices.</p>
    <button id="yes">Accept all</button><button id="no">Reject all</button></div><main id="m"></main>
    <script>const show = (event) => { if (!event.isTrusted) return; document.getElementById('consent-wall').remove();
    m.innerHTML = '<article><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></article>'; }; no.onclick = show;</script>`,
};

/** Pages whose text comes when a reader clicks or moves. */
const INTERACTIVE: Readonly<Record<string, string>> = {
  'behind a wall in German': wall('Wir bitten um Ihre Einwilligung.', ['Mehr', 'Alles ablehnen']),
  'behind a wall in French': wall('Nous utilisons des cookies.', ['Autoriser', 'Ne pas autoriser']),
  'behind a wall in Japanese': wall('当サイトでは Cookie を使用しています。', ['設定', '同意する']),
  'when the mouse moves': `<main id="m"></main><script>addEventListener('mousemove', () => {
    m.innerHTML = '<article><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></article>'; }, { once: true });</script>`,
  'below a button': `<article><h1>Seven dinners</h1><p>${SENTENCE.repeat(8)}</p><div id="rest"></div><svg role="button"><text>i</text><a>i</a></svg><button id="more">Read more</button></article>
    <script>more.onclick = (event) => { if (event.isTrusted) { rest.innerHTML = '<p>MARKED ${SENTENCE.repeat(4)}</p>'; more.remove(); } };</script>`,
  'in an accordion that shows one part at a time': `<main><h1>Seven dinners</h1><p>${SENTENCE.repeat(4)}</p><h3><button aria-expanded="false" aria-controls="a">Monday</button></h3><div id="a"></div>
    <h3><button aria-expanded="false" aria-controls="b">Friday</button></h3><div id="b"></div></main><script>const texts = { a: 'MARKED ${SENTENCE}', b: '${SENTENCE}' };
    onclick = ({ isTrusted, target }) => { for (const button of document.querySelectorAll('button')) { const isOpen = isTrusted && button === target; const id = button.getAttribute('aria-controls');
      button.setAttribute('aria-expanded', isOpen); document.getElementById(id).innerHTML = isOpen ? '<p>' + texts[id] + '</p>' : ''; } };</script>`,
  'in the tab that was open before another': `<main id="m"></main><script>const texts = { Lunch: 'MARKED ${SENTENCE.repeat(4)}', Dinner: '${SENTENCE.repeat(4)}' };
    const show = (name) => { m.innerHTML = '<h1>Seven dinners</h1><div role="tablist">' + Object.keys(texts).map((one) => '<button role="tab" aria-selected="' + (one === name) + '">' + one + '</button>').join('') +
      '</div><div role="tabpanel"><p>' + texts[name] + '</p></div>'; }; onclick = ({ target }) => target.matches('[role="tab"]') && show(target.textContent); show('Lunch');</script>`,
  'in details that load their text': `<main><h1>Seven dinners</h1><p>${SENTENCE.repeat(8)}</p><details><summary>More</summary></details></main>
    <script>const [details] = document.querySelectorAll('details'); details.ontoggle = () => { if (details.open) setTimeout(() => details.insertAdjacentHTML('beforeend', '<p>MARKED ${SENTENCE}</p>'), 50); };</script>`,
  'above a button that leads to another page': `<article><h1>Seven dinners</h1><p id="p">MARKED ${SENTENCE.repeat(8)}</p><button id="more">Read more</button></article>
    <script>const text = p.textContent; more.onclick = () => { history.pushState(null, '', '/offer'); p.textContent = 'Only for subscribers.'; };
    onpopstate = () => { p.textContent = text; };</script>`,
  'above a button that leads to another document': `<article><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(8)}</p><button onclick="location = '/offer'">Read more</button></article>`,
  'above a part that opens another document': `<main><h1>Seven dinners</h1><p>MARKED ${SENTENCE.repeat(8)}</p><h3><button aria-expanded="false" onclick="location = '/offer'">Buy</button></h3></main>`,
  'above a tab that shows another page of an application': `<main><h1>Seven dinners</h1><div role="tablist"><button role="tab" aria-selected="true">Text</button><button role="tab" id="tab">Offers</button></div>
    <div role="tabpanel" id="panel"><p>MARKED ${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></div></main><script>tab.onclick = () => { history.replaceState(null, '', '/offer');
    document.querySelector('[aria-selected]').setAttribute('aria-selected', 'false'); tab.setAttribute('aria-selected', 'true'); panel.innerHTML = '<p>UNWANTED ${SENTENCE.repeat(8)}</p>'; };</script>`,
  'in an accordion that is built anew for each part': `<main id="m"></main><script>const open = new Set(); const draw = () => { m.innerHTML = '<h1>Seven dinners</h1><p>${SENTENCE.repeat(4)}</p>' +
    ['MARKED', 'Friday'].map((day, i) => '<div><h3><button id="' + i + '" aria-expanded="' + open.has(i) + '">' + day.slice(0, 3) + '</button></h3>' + (open.has(i) ? '<p>' + day + ' is for lentils.</p>' : '') + '</div>').join(''); };
    onclick = ({ target }) => { if (target.id !== 'm' && target.matches('button')) open.add(Number(target.id)); draw(); }; draw();</script>`,
};

chromiumTest('reads text that comes late', () => readPages(LATE));

chromiumTest('reads text in frames and closed shadow roots, by scrolling, and behind a wall', () => readPages(HIDDEN));

chromiumTest('reads text that comes by clicks and by moves of the mouse', () => readPages(INTERACTIVE));

chromiumTest('reads streams that have no end for a time, and connects an EventSource once', async () => {
  const site = await openSite(({ url }, response) => {
    response.writeHead(200, { 'content-type': url === '/events' ? 'text/event-stream' : 'application/x-ndjson' });
    response.write(
      url === '/events' ? `retry: 10\ndata: MARKED ${SENTENCE.repeat(4)}\n\n` : `STREAMED ${SENTENCE.repeat(4)}\n`,
    );
  });
  const { renderer } = openRenderer();
  const html =
    page(`<main id="m"><h1>Seven dinners</h1></main><script>const add = (text) => m.insertAdjacentHTML('beforeend', '<p>' + text + '</p>');
    new EventSource('/events').onmessage = ({ data }) => add(data);
    fetch('/lines').then(async ({ body }) => { for await (const text of body.pipeThrough(new TextDecoderStream())) add(text); });</script>`);
  const rendered = await renderer.render({ url: `${site.origin}/page`, html, robots: null });
  expect(rendered?.kind === 'page' && rendered.html.match(/MARKED The|STREAMED The/g)?.sort()).toEqual([
    'MARKED The',
    'STREAMED The',
  ]);
  expect(site.requests.map(({ url }) => url).sort()).toEqual(['/events', '/lines']);
});

chromiumTest('scrolls a page whose requests never end', async () => {
  const read = await openPages({ timeoutMs: 12_000 });
  const body = `<article><h1>Seven dinners</h1><p>${SENTENCE.repeat(4)}</p><div style="height:20000px"></div><p id="end">…</p></article>
    <script>(async () => { for (;;) await fetch('/slow').catch(() => {}); })();
    new IntersectionObserver(([entry]) => { if (entry.isIntersecting) end.textContent = 'MARKED ${SENTENCE.repeat(3)}'; }).observe(end);</script>`;
  expect((await read(page(body))).content).toContain('MARKED');
});

chromiumTest('reads a list of which the page builds only what is visible, and says if it is too long', async () => {
  const read = await openPages();
  // the texts are in a script of the page, too
  const listOf = (
    name: string,
    count: number,
  ) => `<ul>${'<li><a href="/">Go</a></li>'.repeat(60)}</ul><main><h1>Dinners</h1><div id="box" style="height:5000px;overflow-y:auto">
    <div id="rows" style="height:${count * 100}px;position:relative"></div></div></main><script>const texts = ${JSON.stringify(
      Array.from({ length: count }, (_, i) => `Dinner ${i}. ${SENTENCE}`),
    )}; const draw = () => { const first = Math.floor(box.scrollTop / 100); rows.innerHTML = texts.slice(first, first + 50).map((text, i) =>
      '<${name} style="position:absolute;top:' + (first + i) * 100 + 'px">' + text + '</${name}>').join(''); };
      box.onscroll = draw; draw();</script>`;
  for (const name of ['p', 'div']) {
    const { content, isPaywalled } = await read(page(listOf(name, 400)));
    expect(content?.match(/Dinner \d+\./g)).toEqual(Array.from({ length: 400 }, (_, i) => `Dinner ${i}.`));
    expect(isPaywalled).toBe(false);
  }
  const { content, isPaywalled } = await read(page(listOf('p', 4_000)));
  expect(content).toContain('Dinner 1.');
  expect(isPaywalled).toBe(true);
});

chromiumTest(
  'reads rows that are pictures or get their text late, and keeps pictures of a text that changes by scrolling',
  async () => {
    const read = await openPages();
    const list = `<main><h1>Dinners</h1><div id="box" style="height:5000px;overflow-y:auto"><div id="rows" style="height:20000px;position:relative"></div></div></main>
    <script>const loaded = new Set(); const draw = () => { const first = Math.floor(box.scrollTop / 100); rows.innerHTML = Array.from({ length: 50 }, (_, i) => first + i).map((i) =>
      '<div data-index="' + i + '" style="position:absolute;top:' + i * 100 + 'px">' + (i === 70 ? '<img src="/rye.png" alt="">' : '<p>' + (loaded.has(i) ? 'Dinner ' + i + '. ${SENTENCE}' : '…') + '</p>') + '</div>').join('');
      if (!loaded.has(first)) setTimeout(() => { for (let i = first; i < first + 50; i++) loaded.add(i); draw(); }, 30); }; box.onscroll = draw; draw();</script>`;
    const { content } = await read(page(list));
    expect(content).toContain('Dinner 120.');
    expect(content).toContain('rye.png');
    const text = `<article><h1>Seven dinners</h1>${['Monday', 'Friday'].map((day) => `<p>${day}: ${SENTENCE.repeat(4)}</p><figure><img src="/${day}.png" alt=""></figure>`).join('')}<div style="height:9000px"></div></article>
    <script>onscroll = () => { for (const p of document.querySelectorAll('p')) p.textContent = p.textContent.replace(':', ' and more:'); onscroll = null; };</script>`;
    expect((await read(page(text))).content).toMatch(/Monday\.png.*Friday\.png/s);
  },
);

chromiumTest('opens the views of a database of Notion, and shows them as tabs', async () => {
  const read = await openPages();
  const card = (name: string) =>
    `<a class="notion-collection-item" href="/${name}"><div>${name}</div><div>Easy</div></a>`;
  const views = {
    Table: `<div class="notion-table-view"><div class="notion-table-view-header-cell">Dish</div>${['Soup', 'Bread']
      .map((name) => `<div class="notion-table-view-row"><div class="notion-table-view-cell">${name}</div></div>`)
      .join('')}</div>`,
    'By day': `<div class="notion-board-view"><div class="notion-board-group"><div>Monday</div>${card('Lentils')}</div></div>`,
    Pictures: `<div class="notion-gallery-view">${card('Pumpkin')}</div>`,
  };
  const tabs = Object.keys(views).map((name) => `<div role="tab" tabindex="0">${name}</div>`);
  const body = `<div id="notion-app"><div class="notion-page-content"><div class="notion-text-block"><div data-content-editable-leaf="true">${SENTENCE.repeat(4)}</div></div>
    <div class="notion-selectable notion-collection_view-block"><div role="tablist">${tabs.join('')}</div><div id="view"></div></div></div></div>
    <script>const views = ${JSON.stringify(views)};
    const show = (name) => { view.innerHTML = views[name]; for (const tab of document.querySelectorAll('[role="tab"]')) tab.setAttribute('aria-selected', tab.textContent === name); };
    addEventListener('click', ({ isTrusted, target }) => isTrusted && target.matches('[role="tab"]') && setTimeout(show, 100, target.textContent)); show('Table');</script>`;
  const { content } = await read(page(body));
  const links = content?.replace(/ href="[^"]*" target="_blank" rel="[^"]*"/g, '');
  const item = (name: string) => `<ul><li><a>${name}</a> · Easy</li></ul>`;
  expect(links).toContain(
    '<div class="views"><details open="" name="views-0"><summary>Table</summary><div class="embed-table"><table><thead><tr><th>Dish</th></tr></thead>' +
      '<tbody><tr><td>Soup</td></tr><tr><td>Bread</td></tr></tbody></table></div></details>' +
      `<details name="views-0"><summary>By day</summary><h3>Monday</h3>${item('Lentils')}</details>` +
      `<details name="views-0"><summary>Pictures</summary>${item('Pumpkin')}</details></div>`,
  );
});

chromiumTest('opens the closed groups of a database of Notion, and loads all of its rows', async () => {
  const read = await openPages();
  const group = (name: string) =>
    `<div><div><div role="button" aria-expanded="false" style="width:9px;height:9px"></div><span>${name}</span></div><div></div></div>`;
  const more = '<div role="button">Load more</div>';
  const body = `<div id="notion-app"><div class="notion-collection_view_page-block"><h1>Dinners</h1></div>
    <div class="notion-list-view">${group('Monday')}${group('Friday')}</div></div><script>
    const add = (box, name) => box.insertAdjacentHTML('beforeend', '<a class="notion-collection-item" href="/' + name + '"><div>' + name + '</div></a>');
    addEventListener('click', ({ isTrusted, target }) => setTimeout(() => {
      if (!isTrusted || !target.matches('[role="button"]')) return;
      if (target.matches('[aria-expanded="false"]')) {
        target.ariaExpanded = 'true';
        const box = target.parentElement.nextElementSibling;
        add(box, target.nextElementSibling.textContent + '0'); box.insertAdjacentHTML('beforeend', '${more}');
      } else if (target.parentElement.children.length < 4) {
        add(target.parentElement, target.parentElement.previousElementSibling.textContent + (target.parentElement.children.length - 1));
        target.parentElement.append(target);
      }
    }, 50));</script>`;
  const text = (await read(page(body))).content
    ?.replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  expect(text).toBe('Monday Monday0 Monday1 Monday2 Friday Friday0 Friday1 Friday2');
});

chromiumTest('keeps frames of other sites out', async () => {
  const read = await openPages();
  const other = await openSite((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(frame('MARKED')),
  );
  const body = `<article><p>${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p><iframe src="${other.origin}/"></iframe></article><script></script>`;
  expect((await read(page(body))).content).not.toContain('MARKED');
});
