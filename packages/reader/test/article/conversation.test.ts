import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';

const URL_OF_PAGE = 'https://forum.example/t/12';

function read(
  body: string,
  head = '',
): {
  readonly content: string;
  readonly byline: string | null;
  readonly publishedAt: string | null;
  readonly text: string;
} {
  const html = `<!doctype html><html lang="en"><head><title>Why does my bread not rise?</title>${head}</head><body>${body}</body></html>`;
  const { content, ...article } = readArticle(html, { url: URL_OF_PAGE, robots: null }).article;
  return { ...article, content: content ?? '', text: outlineOf(content ?? '') };
}

/** Writes each message as a line, indented by the number of messages around it. */
function outlineOf(content: string): string {
  let depth = 0;
  let text = '';
  for (const [part] of content.matchAll(/<blockquote class="message">|<\/blockquote>|<[^>]*>|[^<]+/g)) {
    if (part.startsWith('<blockquote')) text += `\n${'  '.repeat(depth++)}`;
    else if (part === '</blockquote>') depth--;
    else if (!part.startsWith('<')) text += ` ${part.trim()}`;
  }
  return text
    .replace(/ +(?=\n|$)/g, '')
    .replace(/(?<=\S) {2,}/g, ' ')
    .replace(/\n +(?=\S)/g, (lead) => lead.slice(0, -1))
    .trim();
}

const TEXTS = {
  ask: 'I used the same flour as always, and the dough is as flat as a stone. What happened?',
  yeast: 'Your yeast is dead. Put some of it into warm water with sugar: if nothing foams, buy new yeast.',
  thanks: 'It did not foam at all. New yeast it is, thank you very much for the quick answer!',
  cold: 'A cold kitchen doubles the time. Give it the whole night, and look again in the morning.',
};
const at = (minute: number) => `2026-03-12T10:${minute}:00Z`;

const OUTLINE = `${TEXTS.ask}
ben · 2026-03-12 ${TEXTS.yeast}
  ada · 2026-03-12 ${TEXTS.thanks}
cem · 2026-03-12 ${TEXTS.cold}`;

const NAV = '<nav><a href="/">Forum</a> <a href="/new">New</a> <a href="/login">Log in</a></nav>';
const buttons = '<ul class="flat-list buttons"><li><a href="/c">permalink</a></li><li><a href="/r">reply</a></li></ul>';

const oldReddit = (author: string, text: string, minute: number, replies = '') => `<div class="thing comment">
  <div class="entry"><p class="tagline"><a href="https://forum.example/user/${author}" class="author">${author}</a>
  <span class="score">4 points</span> <time title="x" datetime="${at(minute)}">2 hours ago</time></p>
  <form><div class="usertext-body"><div class="md"><p>${text}</p></div></div></form>${buttons}</div>
  <div class="child">${replies && `<div class="listing">${replies}</div>`}</div></div>`;
const newReddit = (author: string, text: string, minute: number, depth: number, replies = '') =>
  `<shreddit-comment author="${author}" depth="${depth}"><div slot="commentMeta"><a href="/user/${author}">${author}</a>
  <faceplate-timeago ts="${at(minute)}"><time datetime="${at(minute)}">2h ago</time></faceplate-timeago></div>
  <div slot="comment"><p>${text}</p></div><div slot="actionRow"><button>Reply</button></div>${replies}</shreddit-comment>`;
const row = (author: string, text: string, minute: number, indent: number) => `<tr class="athing comtr"><td><table><tr>
  <td class="ind"><img src="s.gif" height="1" width="${indent * 40}"></td><td class="votelinks"></td><td class="default">
  <div><span class="comhead"><a href="user?id=${author}" class="hnuser">${author}</a> <span class="age" title="${at(minute).slice(0, 19)} 1773309600">
  <a href="item?id=1">3 hours ago</a></span> <span class="navs">| <a href="#1">next</a></span></span></div><br>
  <div class="comment"><div class="commtext c00">${text}</div><div class="reply"><p><font size="1"><u><a href="reply?id=1">reply</a></u></font></div></div>
  </td></tr></table></td></tr>`;
const mail = (author: string, text: string, minute: number, level: number) => `<div class="email" data-level="${level}">
  <div class="email-header"><span class="sender">${author}</span><span class="date">12 March 2026 10:${minute}</span></div>
  <div class="email-body"><p>${text}</p></div></div>`;

const THREADS: Readonly<Record<string, string>> = {
  'comments in comments': `<div class="link"><p class="title"><a href="/t/12">Bread</a></p><p class="tagline">submitted
    <time datetime="${at(10)}">3 hours ago</time> by <a href="https://forum.example/user/ada" class="author">ada</a></p><p>${TEXTS.ask}</p></div>
    <div class="commentarea">${oldReddit('ben', TEXTS.yeast, 20, oldReddit('ada', TEXTS.thanks, 30))}${oldReddit('cem', TEXTS.cold, 40)}</div>`,
  'components with a depth': `<shreddit-post author="ada" created-timestamp="${at(10)}"><h1>Bread</h1><p>${TEXTS.ask}</p></shreddit-post>
    <section>${newReddit('ben', TEXTS.yeast, 20, 0, newReddit('ada', TEXTS.thanks, 30, 1))}${newReddit('cem', TEXTS.cold, 40, 0)}</section>`,
  'rows of a table with spacers': `<table><tr><td><table class="fatitem"><tr><td class="subtext"><a href="user?id=ada" class="hnuser">ada</a>
    <span class="age" title="${at(10).slice(0, 19)} 1773309600"><a href="item?id=1">4 hours ago</a></span></td></tr><tr><td><div class="toptext"><p>${TEXTS.ask}</p></div></td></tr></table>
    <table class="comment-tree">${row('ben', TEXTS.yeast, 20, 0)}${row('ada', TEXTS.thanks, 30, 1)}${row('cem', TEXTS.cold, 40, 0)}</table></td></tr></table>`,
};

test.each(Object.entries(THREADS))('shows a thread of %s', (_, body) => {
  const { text, byline } = read(NAV + body);
  expect(text.replace(/^Bread\s+/, '')).toBe(OUTLINE);
  expect(byline).toBe('ada');
});

const NAMES = ['ada', 'ben', 'cem'];
const POSTS = [TEXTS.ask, TEXTS.yeast, TEXTS.cold];
const posts = (write: (author: string, text: string, i: number) => string) =>
  POSTS.map((text, i) => write(NAMES[i] ?? '', text, i)).join('');

/** Markup of common software for forums, lists and posts. */
const FORUMS: Readonly<Record<string, string>> = {
  'profiles and a subject': posts(
    (author, text, i) => `<div class="post has-profile"><dl class="postprofile"><dt><a href="./memberlist.php?u=${i}"
      class="username">${author}</a></dt><dd class="profile-posts">Posts: 114</dd><dd>Joined: Mon Jan 05, 2015 3:04 pm</dd></dl>
      <div class="postbody"><h3><a href="#p${i}">${i > 0 ? 'Re: ' : ''}Bread</a></h3><p class="author">by <strong>
      <a href="./memberlist.php?u=${i}" class="username">${author}</a></strong> » <time datetime="${at(10 + i)}">Thu Mar 12, 2026 10:1${i} am</time></p>
      <div class="content">${text}</div></div><a href="#top" class="top">Top</a></div>`,
  ),
  'dates in numbers': `<ol>${posts(
    (
      author,
      text,
      i,
    ) => `<li class="postcontainer"><div class="posthead"><span class="postdate"><span class="date">03-12-2026,&nbsp;<span
      class="time">10:1${i} AM</span></span></span><a class="postcounter" href="showthread.php?p=${i}">#${i + 1}</a></div><div class="userinfo">
      <a class="username" href="member.php?u=${i}"><strong>${author}</strong></a><span class="usertitle">Senior Member</span><dl><dt>Join Date</dt>
      <dd>May 2010</dd></dl></div><div class="postbody"><div class="content">${text}</div></div><div class="postfoot">
      <a href="newreply.php">Reply With Quote</a></div></li>`,
  )}</ol>`,
  'names as headings': posts(
    (
      author,
      text,
      i,
    ) => `<div class="email"><div class="email-header"><img class="gravatar" src="g.png" width="120" height="120">
      <div class="email-author"><h2 class="name"><a href="/users/${i}/">${author}</a></h2></div><div class="email-date"><div class="date">
      <a href="/m/${i}"><span>12 Mar 2026</span></a></div><div class="time"><span>6:00 p.m.</span></div></div></div>
      <div class="email-body">${text}</div><a class="reply" href="#">Reply</a></div>`,
  ),
  'portraits beside': posts(
    (
      author,
      text,
      i,
    ) => `<article class="message" data-author="${author}"><section class="message-user"><a href="/members/${author}.${i}/"
      class="avatar"><img src="a.png"></a><h4><a href="/members/${author}.${i}/" class="username">${author}</a></h4></section>
      <ul><li><time datetime="${at(10 + i)}">Mar 12, 2026</time></li></ul><ul><li><a href="/p">#${i + 1}</a></li></ul>
      <div class="message-body">${text}</div></article>`,
  ),
  'a first post with its date at the end': posts((author, text, i) =>
    i === 0
      ? `<div class="detailed-status"><a href="/@${author}" class="display-name"><strong>${author}</strong></a><div class="content"><p>${text}</p></div>
        <div class="meta"><a class="detailed-status__datetime" href="/@${author}/1"><span>Mar 12, 2026, 10:00 AM</span></a> ·
        <a href="/@${author}/1/reblogs"><span>12</span></a></div></div>`
      : `<div class="status"><a href="/@${author}/2"><time datetime="${at(10 + i)}">2h</time></a> <a href="/@${author}" class="display-name">
        <strong>${author}</strong></a><div class="content"><p>${text}</p></div><div class="action-bar"><button>3</button></div></div>`,
  ),
};

test.each(Object.entries(FORUMS))('shows who wrote each post of a forum with %s', (_, body) => {
  const { text } = read(NAV + body);
  const lines = text.split('\n').map((line) => line.replace(/ · [\w ,:-]{8,30}? (?=[A-Z]\w* [a-z])/, ': '));
  expect(lines).toEqual(POSTS.map((post, i) => `${NAMES[i]}: ${post}`));
});

test('shows messages of one level with their dates, without what they quote of each other', () => {
  const quote = `<p>On 12 March 2026, ada wrote:</p><blockquote><p>${TEXTS.ask}</p></blockquote>`;
  const { text } = read(
    mail('Ada Holm', TEXTS.ask, 10, 0) +
      mail('Ben Ruiz', `${TEXTS.yeast}</p>${quote}<p>`, 20, 0) +
      mail('Cem Kaya', TEXTS.cold, 30, 0),
  );
  expect(text).toBe(`Ada Holm · 12 March 2026 10:10 ${TEXTS.ask}
Ben Ruiz · 12 March 2026 10:20 ${TEXTS.yeast}
Cem Kaya · 12 March 2026 10:30 ${TEXTS.cold}`);
});

const answer = (author: string, text: string, minute: number, attributes: string) => `<div class="answer" ${attributes}>
  <div class="votecell"><div class="js-vote-count">7</div></div><div class="answercell"><div class="js-post-body" itemprop="text"><p>${text}</p></div>
  <div class="post-signature"><div class="user-action-time">answered <span title="${at(minute).replace('T', ' ')}" class="relativetime">Mar 12, 2026 at 10:${minute}</span></div>
  <div class="user-details" itemprop="author"><a href="/users/4/${author}">${author}</a><span class="reputation-score">2,345</span></div></div></div></div>`;

test('shows the accepted answer first', () => {
  const question = answer('ada', TEXTS.ask, 10, '')
    .replace('answered', 'asked')
    .replace('class="answer"', 'class="question"');
  const { text } =
    read(`<div itemscope itemtype="https://schema.org/QAPage"><div id="question">${question}</div><div id="answers">
    ${answer('cem', TEXTS.cold, 40, '')}${answer('ben', TEXTS.yeast, 20, 'itemprop="acceptedAnswer"')}</div></div>`);
  expect(text.indexOf('ben')).toBeGreaterThan(0);
  expect(text.indexOf('ben')).toBeLessThan(text.indexOf('cem'));
  expect(text).toContain('✓');
  expect(text).not.toMatch(/answered|2,345/);
});

test('shows who says what in a chat with an assistant', () => {
  const { text } = read(
    `<main><div data-message-author-role="user"><div>${TEXTS.ask}</div></div><div data-message-author-role="assistant">
      <div class="markdown"><p>${TEXTS.yeast}</p></div></div><div data-message-author-role="user"><div>${TEXTS.thanks}</div></div></main>`,
  );
  expect(text).toBe(`User ${TEXTS.ask}\nAssistant ${TEXTS.yeast}\nUser ${TEXTS.thanks}`);
});

test('reads a discussion from its description, if the page shows none', () => {
  const comment = (author: string, text: string, minute: number, more = {}) => ({
    '@type': 'Comment',
    author: { '@type': 'Person', name: author },
    datePublished: at(minute),
    text,
    ...more,
  });
  const data = {
    ...comment('ada', TEXTS.ask, 10),
    '@type': 'DiscussionForumPosting',
    comment: [
      comment('ben', TEXTS.yeast, 20, { comment: [comment('ada', TEXTS.thanks, 30)] }),
      comment('cem', TEXTS.cold, 40),
    ],
  };
  const { text, byline } = read(
    '<div id="app"></div>',
    `<script type="application/ld+json">${JSON.stringify(data)}</script>`,
  );
  expect(text).toBe(OUTLINE);
  expect(byline).toBe('ada');
});

const comments = `<ol class="comment-list">${['ben', 'cem'].map((name) => `<li><b class="comment-author">${name}</b> <time datetime="${at(20)}">March 12</time><p>MARKED ${TEXTS.thanks}</p></li>`).join('')}</ol>`;

test.each([
  `<div class="post"><h1>Bread</h1><a rel="author" href="/ada">Ada</a> <time datetime="${at(10)}">March 12</time><p>${TEXTS.yeast.repeat(8)}</p></div>${comments}`,
  `<div class="section"><h1>Bread</h1><a rel="author" href="/ada">Ada</a> <time datetime="${at(10)}">March 12</time><p>${TEXTS.yeast.repeat(8)}</p></div>
    <div class="section">${comments.replace(/<li>.*?<\/li>/, '')}</div>`,
  `<article><h1>Bread</h1><p>${TEXTS.yeast.repeat(3)}</p><p>${TEXTS.cold.repeat(3)}</p></article>${comments}`,
])('leaves out the comments on an article', (body) => {
  const { content } = read(body);
  expect(content).toContain('nothing foams');
  expect(content).not.toContain('MARKED');
});

test('does not take teasers with an author and a date for messages', () => {
  const teaser = (
    i: number,
  ) => `<div class="card"><h3><a href="/story-${i}">How baker ${i} bakes</a></h3><a rel="author" href="/ada">Ada</a>
    <time datetime="${at(10 + i)}">March 12</time><p>${TEXTS.cold}</p></div>`;
  expect(read(`<main>${[1, 2, 3, 4, 5, 6].map(teaser).join('')}</main>`).content).toBe('');
});

test('shows the first thousand of many messages', () => {
  const page = Array.from(
    { length: 1_500 },
    (_, i) => `<div><b class="user">u${i}</b> <time datetime="${at(10)}">x</time><p>${TEXTS.cold}</p></div>`,
  );
  expect(read(page.join('')).content.match(/class="message"/g)).toHaveLength(1_000);
});

test('marks a day that it writes itself, for the form of the reader, and no other', () => {
  const post = (user: string, time: string, text: string) =>
    `<div><b class="user">${user}</b> <time datetime="2026-03-12T10:00:00Z">${time}</time><p>${text}</p></div>`;
  const times = ['now', '3 hours ago', '12 March 2026'];
  const page = times.map((time, i) => post(`user${i}`, time, [TEXTS.ask, TEXTS.yeast, TEXTS.cold][i] ?? '')).join('');
  expect(read(page).content.match(/<time.*?<\/time>/g)).toEqual([
    '<time datetime="2026-03-12T10:00:00.000Z" class="date">2026-03-12</time>',
    '<time datetime="2026-03-12T10:00:00.000Z" class="date">2026-03-12</time>',
    '<time datetime="2026-03-12T10:00:00Z">12 March 2026</time>',
  ]);
});

test('takes the time that is nearest to an author', () => {
  const answer = (author: string, text: string) =>
    `<div class="answer"><p>${text}</p><div class="signature"><time datetime="${at(20)}">20</time> <a href="/users/${author}">${author}</a></div></div>`;
  const asked = `<div><h1>Bread</h1><div>Asked <time datetime="${at(10)}">long ago</time></div></div>`;
  const body = `<main itemscope itemtype="https://schema.org/QAPage">${asked}<div>${answer('ada', TEXTS.ask)}</div><div>${answer('ben', TEXTS.yeast)}${answer('cleo', TEXTS.cold)}</div></main>`;
  const { text, byline } = read(body);
  expect(byline).toBe('ada');
  expect(text.split('\n')).toEqual([TEXTS.ask, `ben · 2026-03-12 ${TEXTS.yeast}`, `cleo · 2026-03-12 ${TEXTS.cold}`]);
});

test('leaves out what a forum knows of an author, and reactions', () => {
  const post = (author: string, text: string) =>
    `<div class="post"><dl class="postprofile"><dt><img src="/a.jpg" width="90" height="90"><a href="/u/${author}" class="username">${author}</a></dt><dd>Site Admin</dd></dl>
    <div class="message-userExtras"><dl><dt>Joined</dt><dd>Jan 2, 2010</dd></dl></div><time datetime="${at(10)}">10</time><div>${text}</div><div class="reactionsBar">Reactions: zed</div></div>`;
  const { content } = read(post('ada', TEXTS.ask) + post('ben', TEXTS.yeast) + post('cleo', TEXTS.cold));
  expect(content).toContain(TEXTS.yeast);
  expect(content).not.toMatch(/Site Admin|Joined|Reactions/);
});

test('takes the author of an answer rather than its editor', () => {
  const edited = (author: string, text: string, minute: number) =>
    answer(author, text, minute, '').replace(
      '<div class="post-signature">',
      `<div class="post-signature"><div class="user-action-time"><a href="/posts/1/revisions">edited <span title="${at(59).replace('T', ' ')}"
      class="relativetime">Mar 12, 2026 at 10:59</span></a></div><div class="user-details"><a href="/users/9/dan">dan</a></div></div>$&`,
    );
  const { text, byline } = read(
    `<div itemscope itemtype="https://schema.org/QAPage"><h1>Bread</h1><div>Asked <time datetime="${at(10)}">long ago</time></div>
    <div id="question">${edited('ada', TEXTS.ask, 10)}</div><div id="answers">${edited('ben', TEXTS.yeast, 20)}${answer('cem', TEXTS.cold, 40, '')}</div></div>`,
  );
  expect(byline).toBe('ada');
  expect(text).toContain(TEXTS.ask);
  expect(text).toMatch(/ben · .* Your yeast is dead/);
  expect(text).not.toMatch(/dan|edited/);
});

test('leaves out the lines of authors and times in boxes that have the author as an attribute', () => {
  const thing = (author: string, text: string, minute: number, replies = '') =>
    oldReddit(author, text, minute, replies)
      .replace('class="thing comment"', `$& data-author="${author}"`)
      .replace(
        '2 hours ago</time>',
        '$& <time title="last edited" datetime="2026-03-12T10:59:00Z">*</time> <a href="#">(1 child)</a>',
      );
  const { text } = read(
    `${NAV}<div class="side"><h1>Breadit</h1> by <a class="author">x</a> <time datetime="2011-01-01">x</time></div>
    <div data-author="ada"><p>submitted <time datetime="${at(10)}">3 hours ago</time> by <a class="author">ada</a></p><p>${TEXTS.ask}</p></div>
    <div>${thing('ben', TEXTS.yeast, 20, thing('ada', TEXTS.thanks, 30))}${thing('cem', TEXTS.cold, 40)}</div>`,
  );
  expect(text).toBe(OUTLINE);
});

test('shows emoji pictures as text', () => {
  const { text } = read(
    mail('Ada Holm', `${TEXTS.ask} <img src="/e/1.png" alt=":smile:" width="20" height="20">`, 10, 0) +
      mail('Ben Ruiz', `</p><div>${TEXTS.yeast} <img src="/smilies/a.gif" alt=":)"></div><p>`, 20, 0) +
      mail('Cem Kaya', `<img src="/a.png" alt="Cem" width="20">`, 30, 0).replace(
        '<p>',
        `<div>${TEXTS.cold}</div><div>`,
      ),
  );
  expect(text).toMatch(/ :smile:\n.* :\)\n.* morning\.$/);
});

const forumPost = (i: number, author: string, text: string) =>
  `<div id="p${i}" class="post bg${i}"><p class="author">by <a href="/u/${author}" class="username">${author}</a> » <time datetime="${at(10 + i)}">Mar 12, 2026</time></p>
  <div class="content">${text}</div><div class="notice">Last edited by <a href="/u/${author}">${author}</a> on Mar 12, 2026, edited 1 time.</div></div>`;

test('shows a long question with a short answer as a thread, without its changes', () => {
  const { text, content } = read(
    `<main>${forumPost(1, 'ada', TEXTS.ask.repeat(6))}<hr>${forumPost(2, 'ben', TEXTS.yeast)}</main>`,
  );
  expect(text).toMatch(/^ada · .*\nben · .* Your yeast is dead/);
  expect(content).not.toMatch(/edited|callout/);
});

test('leaves out what happened between messages, and nests only answers', () => {
  const comment = (author: string, text: string, minute: number) =>
    `<div class="item"><div><div><div><h3><a class="author" href="/${author}">${author}</a> commented <time datetime="${at(minute)}">Mar 12, 2026</time></h3></div>
    <div class="body"><p>${text}</p></div></div></div></div>`;
  const event = `<a class="author" href="/cem">cem</a> merged 2 commits <time datetime="${at(50)}">Mar 12</time>`;
  const { text } = read(
    `<main><div><h2>Stop the oven</h2><div>${event}</div></div><div>${comment('ada', TEXTS.ask, 10)}
    <div class="item"><div>${event}<div><code>Add a timer</code></div></div></div><div class="later">${comment('ben', TEXTS.yeast, 20)}</div></div></main>`,
  );
  expect(text).toBe(`ada · Mar 12, 2026 ${TEXTS.ask}\nben · Mar 12, 2026 ${TEXTS.yeast}`);
});

const received = (author: string, text: string, minute: number) =>
  `<pre>* <a href="#m">Re: bread</a>\nFrom: ${author} @ <a href="x/">2026-03-12 10:${minute} UTC</a> (<a href="raw">raw</a>)\n  To: list\n\n${text}\n
<a href="#r">^</a> <a href="#">permalink</a> <a href="#">raw</a>\t[<a href="#">flat</a>] 3+ messages in thread\n</pre><hr>`;

test('shows the mails of a list as a thread', () => {
  const quote = `Ada Holm writes:\n\n&gt; ${TEXTS.ask}\n`;
  const { text, byline, publishedAt, content } = read(
    `<form><pre><a href="..">Archive</a> <input></pre></form>${received('Ada Holm', TEXTS.ask, 10)}${received('Ben Ruiz', `${quote}\n${TEXTS.yeast}\nSee https://yeast.example/a.\n-- \nBen`, 20)}${received('Cem Kaya', TEXTS.cold, 30)}`,
  );
  expect(text).toBe(
    `${TEXTS.ask}\nBen Ruiz · 2026-03-12 ${TEXTS.yeast} See https://yeast.example/a .\nCem Kaya · 2026-03-12 ${TEXTS.cold}`,
  );
  expect(content).toContain('href="https://yeast.example/a"');
  expect({ byline, publishedAt }).toEqual({ byline: 'Ada Holm', publishedAt: '2026-03-12T10:10:00.000Z' });
});

const PATCH = '---\n a.c | 2 +-\n\ndiff --git a/a.c b/a.c\n@@ -1 +1 @@\n-a\n+b\n-- \n2.44.0\n';

test.each([
  [
    `<pre>From: "Ada Holm" &lt;ada@forum.example&gt;\nTo: list@forum.example,\n  ben@forum.example\nSubject: <a href="#r">Flat bread</a>\nDate: Thu, 12 Mar 2026 10:00:00 +0100\t[thread]
Message-ID: &lt;1@forum.example&gt; (<a href="raw">raw</a>)\n\n${TEXTS.ask}\n\n${PATCH}</pre><hr><pre>reply</pre>`,
    { title: 'Flat bread', byline: 'Ada Holm', publishedAt: '2026-03-12T09:00:00.000Z' },
    /What happened\?<\/p>\s*<pre><code class="language-diff">.*a\.c \| 2/s,
  ],
  [
    `<h1>Flat bread</h1><b>Ada Holm</b> <a href="mailto:list@forum.example">ada at forum.example</a><br><i>Thu Mar 12 10:00:00 CET 2026</i><ul><li>Previous
    message: <a href="0.html">Rye</a></li></ul><hr><pre>${TEXTS.ask}\n&gt;<i> Rye?\n</i>-- \nAda</pre><hr><a href="/list">More information about the list</a>`,
    { title: 'Why does my bread not rise?', byline: 'Ada Holm', publishedAt: '2026-03-12' },
    /^<div><div><p>I used.*<blockquote><p>Rye\?<\/p><\/blockquote>\s*<\/div><\/div>$/s,
  ],
])('shows a single mail with its author and date: %#', (body, head, expected) => {
  const article = read(body);
  expect(article).toMatchObject(head);
  expect(article.content.trim()).toMatch(expected);
  expect(article.content).not.toMatch(/More information|Message-ID|2\.44|<time/);
});

test('takes no example of a mail for a mail', () => {
  const example = `<pre>From: Ada\nSubject: Bread\nDate: Thu, 12 Mar 2026 10:00:00 +0100\n\nHello</pre>`;
  expect(read(`<article><h1>Mail</h1><p>${TEXTS.ask.repeat(3)}</p>${example}</article>`).content).toContain(
    'Subject: Bread',
  );
});
