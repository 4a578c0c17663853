import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';

const ASK = 'I used the same flour as always, and the dough is as flat as a stone. What happened?';
const YEAST = 'Your yeast is dead. Put some of it into warm water with sugar: if nothing foams, buy new yeast.';
const THANKS = 'It did not foam at all. New yeast it is, thank you very much for the quick answer!';

/** Returns the texts of a thread without its markup, each message in a line with its author. */
function threadOf(body: string, head = ''): string {
  const html = `<!doctype html><html lang="en"><head><title>Flat bread</title>${head}</head><body>${body}</body></html>`;
  const { content } = readArticle(html, { url: 'https://forum.example/t/12', robots: null }).article;
  return (content ?? '')
    .replace(/\s+/g, ' ')
    .replace(/<blockquote class="message">/g, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replace(/ *\n */g, '\n')
    .replace(/ +/g, ' ')
    .trim();
}

const comment = (id: string, user: string, text: string, answers = '') =>
  `<li class="comments_subtree"><div id="c_${id}" class="comment"><div class="voters"><a class="upvoter" href="/login">5</a></div><div class="details">
  <div class="byline"><a href="/~${user}"><img class="avatar" src="/${user}.png" alt="${user} avatar"></a> <a href="/~${user}">${user}</a>
  <a href="/c/${id}"><time datetime="2026-03-12 10:00:00">7 hours ago</time></a> | <a href="/c/${id}">link</a></div>
  <div class="comment_text"><p>${text}</p></div></div></div><ol class="comments">${answers}</ol></li>`;

test('shows comments on a link by their authors', () => {
  const link = `<li class="story"><div class="voters">34</div><a href="https://bread.example/rust">Flat bread</a><div class="byline"><span>via</span>
    <a class="u-author" href="/~ada">ada</a> <time datetime="2026-03-12 09:00:00">8 hours ago</time> | <a href="/caches">caches</a></div></li>`;
  const thread = threadOf(`<ol>${link}</ol><ol>${comment('a', 'ben', YEAST, comment('b', 'ada', THANKS))}</ol>`);
  expect(thread).toBe(`Flat bread\nben · 2026-03-12 ${YEAST}\nada · 2026-03-12 ${THANKS}`);
});

const postOfTable = (i: number, user: string, text: string) =>
  `<table id="post${i}"><tr><td class="thead"><a name="post${i}"><img class="inlineimg" src="old.gif" alt="Old"></a> 03-12-2014, 10:1${i} AM</td><td class="thead">#${i}</td></tr>
  <tr><td class="alt2"><a class="bigusername" href="member.php?u=${i}">${user}</a><div class="smallfont">Senior Member</div><div>Posts: 1,234</div></td>
  <td class="alt1"><div class="smallfont"><img class="inlineimg" src="icon.gif" alt="Default"><strong>Re: Flat bread</strong></div><hr><div>${text}</div><div>__________________<br>Signed</div></td></tr>
  <tr><td><img class="inlineimg" src="off.gif" alt="${user} is offline"></td><td><a href="reply.php"><img src="quote.gif" alt="Reply With Quote"></a></td></tr></table>`;

test('shows the posts of a forum of tables, without what it knows of their authors', () => {
  const quote = `<table><tr><td><div>Originally Posted by <strong>ada</strong></div><div>${ASK}</div></td></tr></table>`;
  const thread = threadOf(`${postOfTable(1, 'ada', ASK)}${postOfTable(2, 'ben', `${quote}${YEAST}`)}`);
  expect(thread).toBe(
    `ada · 03-12-2014, 10:11 AM ${ASK}\nben · 03-12-2014, 10:12 AM Originally Posted by ada ${ASK} ${YEAST}`,
  );
});

test('shows a thread for which a page has scripts, from its `noscript` element', () => {
  const post = (user: string, text: string) =>
    `<div class="crawler-post"><div class="meta"><span itemprop="author"><a href="/u/${user}"><span itemprop="name">${user}</span></a></span>
    <time datetime="2026-03-12T10:00:00Z">March 12, 2026</time></div><div itemprop="text"><p>${text}</p></div><span class="post-likes">2 Likes</span></div>`;
  const posts = [post('ada', ASK), post('ben', YEAST), post('ada', THANKS)].join('');
  const thread = threadOf(
    `<noscript><header>Forum</header><div itemscope itemtype="http://schema.org/DiscussionForumPosting">${posts}</div></noscript>`,
    '<script src="/app.js"></script>',
  );
  expect(thread).toBe(`${ASK}\nben · March 12, 2026 ${YEAST}\nada · March 12, 2026 ${THANKS}`);
});

test('shows comments below the answer on which they are', () => {
  const remark = `<ul><li class="comment"><div class="comment-body"><span>${THANKS}</span> <div>– <a href="/users/1" class="comment-user">ada</a></div>
    <span class="comment-date"><a href="#c"><span title="2026-03-12 13:00:00Z, License: CC" class="relativetime-clean">Mar 12, 2026 at 13:00</span></a></span></div></li></ul>`;
  const post = (name: string, user: string, text: string, more = '') =>
    `<div class="${name}"><div class="cell"><div class="prose"><p>${text}</p></div><div class="user-info"><time datetime="2026-03-12T10:00:00Z">Mar 12, 2026</time>
    <a href="/users/${user}">${user}</a></div></div><span class="d-none">1</span><div class="comments">${more}</div><span>&nbsp;|&nbsp;</span></div>`;
  const thread = threadOf(
    `<div itemscope itemtype="https://schema.org/QAPage">${post('question', 'ada', ASK)}<div>${post('answer accepted-answer', 'ben', YEAST, remark)}</div></div>`,
  );
  expect(thread).toBe(`${ASK}\nben · Mar 12, 2026 ✓ ${YEAST}\nada · Mar 12, 2026 at 13:00 ${THANKS}`);
});

test('shows the turns of a chat that is built of components', () => {
  const turn = (question: string, answer: string) =>
    `<user-query class="ng"><h2 class="cdk-visually-hidden">You said</h2><p>${question}</p></user-query>
    <response-container><message-content class="model-response-text"><p>${answer}</p></message-content></response-container>`;
  expect(threadOf(`<app-root>${turn(ASK, YEAST)}${turn(THANKS, YEAST)}</app-root>`)).toBe(
    `User ${ASK}\nAssistant ${YEAST}\nUser ${THANKS}\nAssistant ${YEAST}`,
  );
});

test('leaves out what a component has around a message', () => {
  const message = (author: string, text: string) =>
    `<forum-comment author="${author}" depth="0"><details open><summary><a href="/u/${author}"><img src="a.png" alt="avatar" width="40"></a>
    <a href="/u/${author}">${author}</a> <time datetime="2026-03-12T10:00:00Z">2h</time></summary><div slot="comment"><p>${text}</p></div>
    <forum-buttons slot="actionRow"><forum-number>4</forum-number></forum-buttons></details></forum-comment>`;
  expect(threadOf(message('ada', ASK) + message('ben', YEAST))).toBe(
    `ada · 2026-03-12 ${ASK}\nben · 2026-03-12 ${YEAST}`,
  );
});

test('reads dates whose month is a weekday in another language', () => {
  const html = `<title>Bread</title><main><article><h1>Bread</h1><p>Posted Mar 12, 2026 at 10:15</p><p>${ASK.repeat(3)}</p></article></main>`;
  expect(readArticle(html, { url: 'https://x.example/a', robots: null }).article.publishedAt).toBe('2026-03-12');
});

test.each(['<div>Copy</div><div>Next</div>', '<ul><li>Copy</li><li>Next</li></ul>'])(
  'keeps lines of a message that are also the labels of buttons: %s',
  (steps) => {
    const post = (user: string, text: string) =>
      `<div class="comment"><a class="author" href="/u/${user}">${user}</a> <time datetime="2026-03-12T10:00:00Z">2h</time>
      <div class="comment-body">${text}</div><div><a href="/reply">Reply</a></div></div>`;
    const thread = threadOf(post('ada', `<p>${ASK}</p>`) + post('ben', `<div>Improved:</div>${steps}<p>${YEAST}</p>`));
    expect(thread).toBe(`ada · 2026-03-12 ${ASK}\nben · 2026-03-12 Improved: Copy Next ${YEAST}`);
  },
);

test('keeps references to posts in the text of a message', () => {
  const post = (user: string, text: string) =>
    `<div class="comment"><a class="author" href="/u/${user}">${user}</a> <time datetime="2026-03-12T10:00:00Z">2h</time><div class="comment-body">${text}</div></div>`;
  const answer = `I agree with post <a href="#2">2</a> and with <a href="#3">3</a> <a href="#4">4</a>. ${YEAST}`;
  expect(threadOf(post('ada', `<p>${ASK}</p>`) + post('ben', answer))).toContain('post 2 and with 3 4 .');
});

const postInForm = (i: number, user: string, time: string, text: string) =>
  `<div class="windowbg" id="msg${i}"><div class="post_wrapper"><div class="poster"><h4><a href="/index.php?action=profile;u=${i}">${user}</a></h4>
  <ul class="user_info"><li class="membergroup">Hero Member</li><li class="postcount">Posts: 12</li></ul></div>
  <div class="postarea"><div class="subject_title"><a href="/index.php?msg=${i}">Re: Flat bread</a></div><div class="smalltext">« <b>Reply #${i} on:</b> ${time} »</div>
  <div class="post"><div class="inner" id="msg_${i}">${text}</div></div></div><div class="moderatorbar"><span class="smalltext">Logged</span></div></div></div>`;

test('shows the posts of a forum that has them in a form, with times in a line of words', () => {
  const quote = `<blockquote><cite><a href="#msg1">Quote from: ben on March 12, 2026, 10:01:00 AM</a></cite>New flour, perhaps?</blockquote>`;
  const thread = threadOf(
    `<div id="forumposts"><form>${postInForm(0, 'ada', 'March 12, 2026, 10:00:00 AM', ASK)}${postInForm(1, 'ben', 'March 12, 2026, 10:01:00 AM', YEAST)}${postInForm(2, 'ada', 'March 12, 2026, 10:02:00 AM', quote + THANKS)}</form></div>`,
  );
  expect(thread).toBe(
    `ada · March 12, 2026, 10:00:00 AM ${ASK}\nben · March 12, 2026, 10:01:00 AM ${YEAST}\nada · March 12, 2026, 10:02:00 AM Quote from: ben New flour, perhaps? ${THANKS}`,
  );
});

const postInRows = (user: string, text: string) =>
  `<tr><td class="row1"><span class="name"><b>${user}</b></span><br><span class="postdetails">Site Admin<br>Posts: 82</span></td><td class="row1"><table>
  <tr><td><a href="#1"><img src="mini.gif" width="12" alt="Post"></a><span class="postdetails">Posted: Mon Apr 05, 2004 8:12 pm<span>&nbsp;</span> Post subject: Flat bread</span></td></tr>
  <tr><td><hr></td></tr><tr><td><span class="postbody">${text}</span></td></tr></table></td></tr>`;

test('keeps short posts of a forum that has one table for all', () => {
  const rows = postInRows('ada', ASK) + postInRows('ben', YEAST) + postInRows('ada', 'That was it!');
  const said = 'Mon Apr 05, 2004 8:12 pm';
  expect(threadOf(`<table class="forumline">${rows}</table>`)).toBe(
    `ada · ${said} ${ASK}\nben · ${said} ${YEAST}\nada · ${said} That was it!`,
  );
});

test('leaves out what quotes an answer with its author, and the dash before the author of a comment', () => {
  const box = (i: number, user: string, text: string) =>
    `<div class="post"><p class="author">by <a class="username" href="/member/${user}">${user}</a> <time datetime="2026-03-12T10:0${i}:00Z">12 March 2026</time></p><div class="content">${text}</div></div>`;
  const quote = `<blockquote><div><cite>ada wrote: <a href="#1">↑</a> 12 March</cite>${ASK}</div></blockquote>`;
  const comment = `<div class="comment"><span>${THANKS}</span> – <a class="user" href="/users/1">ada</a> <time datetime="2026-03-12T10:02:00Z">12 March 2026</time></div>`;
  expect(threadOf(`<div>${box(0, 'ada', ASK)}${box(1, 'ben', quote + YEAST)}${comment}</div>`)).toBe(
    `ada · 12 March 2026 ${ASK}\nben · 12 March 2026 ${YEAST}\nada · 12 March 2026 ${THANKS}`,
  );
});

test('shows comments by authors whose names are links to their pages, and of which the page says how long ago they are', () => {
  const box = (user: string, time: string, text: string) =>
    `<div class="box"><div class="head"><a href="/${user}">${user}</a><div><a href="#c">${time}</a></div></div><div class="body"><p>${text}</p></div></div>`;
  const stamp = '<relative-time datetime="2026-03-12T10:00:00Z">Mar 12, 2026</relative-time>';
  const thread = (time: string) => threadOf(box('ada', time, ASK) + box('ben', time, YEAST) + box('ada', time, THANKS));
  expect(thread(stamp)).toBe(`ada · Mar 12, 2026 ${ASK}\nben · Mar 12, 2026 ${YEAST}\nada · Mar 12, 2026 ${THANKS}`);
  expect(thread('<span class="moment-time">2 years ago</span>')).toBe(
    `ada · 2 years ago ${ASK}\nben · 2 years ago ${YEAST}\nada · 2 years ago ${THANKS}`,
  );
});

test('takes no headings and names of versions for authors', () => {
  const change = (heading: string, name: string, text: string) =>
    `<div><${heading}><a href="/${name}">${name}</a></${heading}> <time datetime="2026-03-12">Mar 12, 2026</time><ul><li>${text}</li></ul></div>`;
  for (const [heading, names] of [
    ['h2', ['rye', 'wheat', 'oats']],
    ['span', ['v1.3', 'v1.2', 'v1.1']],
  ] as const) {
    const texts = [ASK, YEAST, THANKS];
    const changes = names.map((name, i) => change(heading, name, (texts[i] ?? '').repeat(4))).join('');
    const thread = threadOf(`<main><h1>Changes</h1>${changes}</main>`);
    expect(thread).toContain(YEAST);
    expect(thread).not.toContain('\n');
  }
});

test('keeps the fields of a view in a message', () => {
  const post = (user: string, text: string) =>
    `<div class="comment"><a class="username" href="/user/${user}">${user}</a> <time datetime="2026-03-12T10:00:00Z">Mar 12, 2026</time>
    <div class="views-field views-field-body"><div>${text}</div></div></div>`;
  expect(threadOf(post('ada', ASK) + post('ben', 'Use less water.') + post('ada', THANKS))).toBe(
    `ada · Mar 12, 2026 ${ASK}\nben · Mar 12, 2026 Use less water.\nada · Mar 12, 2026 ${THANKS}`,
  );
});

test('shows all messages of a channel of one author', () => {
  const message = (i: number, text: string) =>
    `<div class="message_wrap"><div class="message"><div class="message_user_photo"><img src="/a.jpg" alt=""></div><div class="bubble"><a class="owner_name message_author" href="/bread">Bread news</a>
    <div class="message_text">${text}<br><br>${text}</div><div class="footer"><span class="message_views">1.1K</span> <span>views</span> <a href="/bread/${i}"><time datetime="2026-03-1${i}T10:00:00Z">10:00</time></a></div></div></div></div>`;
  expect(threadOf(`<main><section>${message(1, ASK)}${message(2, YEAST)}${message(3, THANKS)}</section></main>`)).toBe(
    `Bread news · 2026-03-11 ${ASK} ${ASK}\nBread news · 2026-03-12 ${YEAST} ${YEAST}\nBread news · 2026-03-13 ${THANKS} ${THANKS}`,
  );
});

test('leaves out the button that expands a quote', () => {
  const post = (user: string, text: string) =>
    `<div class="message"><a class="username">${user}</a> <time datetime="2026-03-12T10:00:00Z">Mar 12, 2026</time><div class="body">${text}</div></div>`;
  const quote = `<blockquote><div><div>${ASK}!</div><div class="expand"><a>Click to expand...</a></div></div></blockquote>`;
  expect(threadOf(post('ada', ASK.slice(9)) + post('ben', `${quote}<p>${YEAST}</p>`))).not.toContain('expand');
});

const footOfPost = (user: string, minute: number) =>
  `<span class="meta">by <a href="/user/${user}">${user}</a> <time datetime="2026-03-12T10:${minute}:00Z">March 12, 2026</time></span>`;

test('shows a question whose author is behind its text, in forms, above comments and the heading of the only answer', () => {
  const remark = `<div class="comments"><div class="remark"><p>${THANKS}</p><div>${footOfPost('ada', 30)}</div></div></div>`;
  const question = `<div class="view"><form><div itemprop="text"><p>${ASK}</p></div>${footOfPost('ada', 10)}</form>${remark}</div>`;
  const answer = `<div class="answers"><h2>1 Answer</h2><div><form><div itemprop="text"><p>${YEAST}</p></div>${footOfPost('ben', 20)}</form></div></div>`;
  const thread = threadOf(`<div itemscope itemtype="https://schema.org/QAPage">${question}${answer}</div>`);
  expect(thread).toBe(`${ASK}\nada · March 12, 2026 ${THANKS}\nben · March 12, 2026 ${YEAST}`);
});

test('shows a post whose author is behind it in a box with the comments on it', () => {
  const post = `<div class="post"><div class="text"><p>${ASK}</p></div><div class="foot">${footOfPost('ada', 10)}</div>
    <div class="comment"><p>${YEAST}</p><div class="foot">${footOfPost('ben', 20)}</div></div></div>`;
  const thread = threadOf(`<div itemscope itemtype="https://schema.org/QAPage">${post}</div>`);
  expect(thread).toBe(`${ASK}\nben · March 12, 2026 ${YEAST}`);
});

test('shows a long post with short comments if the page names the author of each', () => {
  const reply = (user: string, depth: number, text: string) =>
    `<x-comment author="${user}" depth="${depth}"><a href="/u/${user}">${user}</a> <time datetime="2026-03-12T11:00:00Z">1 hour ago</time><p>${text}</p></x-comment>`;
  const post = `<x-post author="ada" created-timestamp="2026-03-12T10:00:00Z"><p>${`${ASK} `.repeat(6)}</p></x-post>`;
  const thread = threadOf(
    `<main>${post}<section>${reply('ben', 0, YEAST)}${reply('ada', 1, 'It did!')}</section></main>`,
  );
  expect(thread).toContain(`\nben · 2026-03-12 ${YEAST}\nada · 2026-03-12 It did!`);
});

test('gives each text to the author before it, with and without paragraphs, and none of the page to the first', () => {
  const message = (user: string, minute: number, text: string) =>
    `<div>${footOfPost(user, minute)}</div><div>${text}</div>`;
  const messages = message('ada', 10, ASK) + message('ben', 20, YEAST) + message('cy', 30, THANKS);
  const thread = threadOf(`<main><h1>Flat bread</h1><div>Rules of the house</div>${messages}</main>`);
  expect(thread).toBe(`ada · March 12, 2026 ${ASK}\nben · March 12, 2026 ${YEAST}\ncy · March 12, 2026 ${THANKS}`);
});

test('shows a thread of an archive whose times have labels in their titles, and their days again', () => {
  const mail = (user: string, text: string) =>
    `<div class="email"><div class="email-header"><h2 class="name"><a href="/u/${user}">${user}</a></h2><div class="right"><span title="Sender's time: May 2, 2023, 10 a.m.">2 May</span><div class="time"><span class="date">2 May</span>10 a.m.</div></div></div><div class="email-body"><p>${text}</p></div></div>`;
  expect(threadOf(`<section>${mail('ada', ASK)}${mail('ben', YEAST)}</section>`)).toBe(
    `ada · 2023-05-02 ${ASK}\nben · 2023-05-02 ${YEAST}`,
  );
  const named = `${YEAST}</p><p class="time">At 10:30 we bake`;
  expect(threadOf(`<section>${mail('ada', ASK)}${mail('ben', named)}</section>`)).toContain('At 10:30 we bake');
});

test('shows the answers to a long post in the same list, whose boxes share a name', () => {
  const post = (kind: string, user: string, text: string) =>
    `<div class="focusable ${kind}"><div class="${kind}-status"><a class="${kind}-name" href="/@${user}"><bdi><strong class="display-name__html">${user}</strong></bdi></a><p>${text}</p><time datetime="2026-03-12T10:00:00Z">1y</time></div></div>`;
  const thread = threadOf(
    `<div>${post('detailed', 'ada', `${ASK} ${ASK} ${ASK}`)}${post('plain', 'ben', YEAST)}</div>`,
  );
  expect(thread).toContain(`\nben · 2026-03-12 ${YEAST}`);
});
