/* The reader's controls. The choices apply before, by a script in the head. */
(() => {
  const BLOCKS = 'p, li, h2, h3, h4, h5, h6, dt, dd, figcaption, td, th, blockquote, summary, caption';
  /* Blocks of a visit that the browser remembers. */
  const MAX_SEEN = 10_000;
  const root = document.documentElement;
  const article = document.querySelector('article');
  const content = article.querySelector('.content');

  /* Browsers may deny storage to third-party frames. What is stored is then lost with the page. */
  const store = (key, value) => {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {}
  };
  const choose = ({ dataset: { name }, value }) => {
    root.dataset[name] = value;
    const { size, font, width } = root.dataset;
    store('reader', { size, font, width });
  };

  /* Times by their value: their form depends on the reader, and is written later. */
  const textOf = ({ localName, dateTime, data = '', childNodes }) =>
    (localName === 'time' && dateTime) || data + [...childNodes].map(textOf).join('');
  const hashOf = (block) => {
    let hash = 0;
    for (const character of textOf(block).trim()) hash = (Math.imul(hash, 31) + character.codePointAt()) | 0;
    return hash;
  };

  /* Marks the blocks that were not there at the reader's last visit, or when the page was opened for the first time. */
  const trackChanges = (button) => {
    const key = location.pathname === '/whole' ? 'blocks-whole' : 'blocks';
    const blocks = () =>
      [...content.querySelectorAll(BLOCKS)].filter(
        (block) => !block.querySelector(BLOCKS) && !block.closest('.frame-words'),
      );
    const visit = () => ({ at: Date.now(), hashes: blocks().slice(0, MAX_SEEN).map(hashOf) });
    let last;
    try {
      last = JSON.parse(localStorage.getItem(key));
    } catch {}
    last ??= visit();
    const known = new Set(last.hashes);
    const update = () => {
      /* What is beyond the remembered blocks may have been there, in another order. */
      const isCut = last.hashes.length === MAX_SEEN;
      const changed = new Set(blocks().filter((block) => !isCut && !known.has(hashOf(block))));
      const isMarked = button.ariaPressed === 'true';
      button.hidden = !changed.size;
      for (const block of blocks()) block.classList.toggle('changed', isMarked && changed.has(block));
      return changed;
    };
    button.onclick = () => {
      button.ariaPressed = button.ariaPressed !== 'true';
      const changed = [...update()];
      status.textContent = '';
      if (!changed.length || button.ariaPressed !== 'true') return;
      const { lang } = button.closest('[lang]');
      const date = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' }).format(last.at);
      status.textContent = button.dataset.since.replace('%1', date).replace('%2', changed.length.toLocaleString(lang));
      /* Tables hide the rows that the reader has filtered out. */
      goTo(changed.find((block) => !block.closest('[hidden]')) ?? changed[0]);
    };
    update();
    document.addEventListener('updated', update);
    addEventListener('pagehide', () => store(key, visit()));
  };

  /* A fragment alone does not scroll the page around the frame. */
  const goTo = (block) => {
    for (let box = block.closest('details'); box; box = box.parentElement.closest('details')) box.open = true;
    block.tabIndex = -1;
    block.focus({ preventScroll: true });
    block.scrollIntoView();
  };

  /* Blocks with their text and its nodes, in the order of the article. A line break, also of the source, is a blank. */
  const textsWithout = (omitted) => {
    const walker = document.createTreeWalker(article);
    const blocks = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement.closest(BLOCKS);
      const data = node.localName === 'br' ? ' ' : node.data?.replace(/\s/g, ' ');
      if (!data || !element || element.checkVisibility?.() === false || node.parentElement.closest(omitted)) continue;
      if (blocks.at(-1)?.element !== element) blocks.push({ element, nodes: [], text: '' });
      const block = blocks.at(-1);
      block.nodes.push({ node, start: block.text.length });
      block.text += data;
    }
    return blocks;
  };

  const placeIn = (nodes, at) => {
    const { node, start } = nodes.findLast(({ start }) => start <= at);
    return [node, node.localName === 'br' ? 0 : at - start];
  };

  const highlight = ({ segment, index, nodes }) => {
    const range = new Range();
    range.setStart(...placeIn(nodes, index));
    range.setEnd(...placeIn(nodes, index + segment.length));
    CSS.highlights?.set('spoken', new Highlight(range));
  };

  /* A text directive (https://wicg.github.io/scroll-to-text-fragment/). One text may not span blocks. */
  const linkTo = (text) => {
    const encode = (words) => encodeURIComponent(words.join(' ')).replaceAll('-', '%2D');
    const blocks = text.trim().split(/\s*[\n\t]\s*/);
    const [first, last] = [blocks[0], blocks.at(-1)].map((block) => block.split(/\s+/));
    const isShort = blocks.length === 1 && first.length < 13;
    const value = isShort ? encode(first) : `${encode(first.slice(0, 4))},${encode(last.slice(-4))}`;
    const [href] = document.querySelector('[rel=canonical]').href.split(':~:');
    return `${href}${href.includes('#') ? '' : '#'}:~:text=${value}`;
  };

  /* Extends a selection to whole words: browsers find no others. */
  const selectWords = (selection) => {
    if (!selection.rangeCount) return;
    const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
    const blocks = textsWithout('math');
    const extend = (container, offset, step) => {
      const isEnd = ({ node }) => node === container;
      const own = { nodes: [{ node: container, start: 0 }], text: container.data ?? '' };
      const { nodes, text } = blocks.find(({ nodes }) => nodes.some(isEnd)) ?? own;
      let at = offset + nodes.find(isEnd).start;
      while (/^[\p{L}\p{N}]{2}$/u.test(text.slice(at - 1, at + 1))) at += step;
      return placeIn(nodes, at);
    };
    selection.setBaseAndExtent(...extend(startContainer, startOffset, -1), ...extend(endContainer, endOffset, 1));
  };

  /* The asynchronous clipboard needs a permission that frames do not have. */
  const copy = (text) => {
    document.oncopy = (event) => {
      event.clipboardData.setData('text/plain', text);
      event.preventDefault();
    };
    const isCopied = document.execCommand('copy');
    document.oncopy = null;
    return isCopied;
  };

  const listContents = () => {
    const all = [...content.querySelectorAll('h2, h3, h4, h5, h6')];
    const rankOf = ({ localName }) => localName[1];
    const top = Math.min(...all.map(rankOf));
    const headings = all.filter((heading) => rankOf(heading) <= top + 2);
    nav.hidden = headings.length < 2;
    Object.assign(nav.lastChild, { lang: root.lang, dir: root.dir });
    const links = headings.map((heading) => {
      heading.id ||= `part-${++parts}`;
      const link = document.createElement('a');
      link.href = `#${heading.id}`;
      link.className = `level-${rankOf(heading) - top}`;
      link.textContent = heading.innerText.trim() || heading.textContent.trim() || heading.querySelector('img')?.alt;
      link.onclick = () => goTo(heading);
      nav.lastChild.appendChild(document.createElement('li')).append(link);
      return link;
    });
    /* The current part is the one of the first visible block. */
    const visible = new Set();
    const blocks = [...content.querySelectorAll(BLOCKS)];
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) visible[isIntersecting ? 'add' : 'delete'](target);
      const first = blocks.find((block) => visible.has(block));
      const current = headings.findLastIndex((heading) => first && !(first.compareDocumentPosition(heading) & 4));
      links.forEach((link, i) => {
        link.ariaCurrent = i === current;
      });
    });
    return (isOpen) => {
      if (!isOpen) observer.disconnect();
      else for (const block of blocks) observer.observe(block);
    };
  };

  const panel = document.getElementById('reader');
  const button = document.querySelector('.tool');
  const [listen, link, changes] = panel.querySelectorAll('button');
  const status = panel.querySelector('output');
  const nav = panel.querySelector('nav');
  trackChanges(changes);
  const listenLabel = listen.textContent;
  let watch;
  /* Headings that have got an id. */
  let parts = 0;
  let sentences;
  let at = 0;
  let spoken;

  const setOpen = (isOpen) => {
    watch ??= listContents();
    panel.hidden = !isOpen;
    button.ariaExpanded = isOpen;
    watch(isOpen);
  };

  const stop = () => {
    spoken = undefined;
    listen.textContent = listenLabel;
    CSS.highlights?.delete('spoken');
  };

  /* After a stop, it continues with the same sentence. */
  const speak = () => {
    const sentence = sentences[at];
    if (!sentence) {
      at = 0;
      return stop();
    }
    const utterance = new SpeechSynthesisUtterance(sentence.segment);
    if (sentence.lang !== 'und') utterance.lang = sentence.lang;
    utterance.onend = () => {
      if (utterance !== spoken) return;
      at += 1;
      speak();
    };
    utterance.onerror = () => {
      if (utterance === spoken) stop();
    };
    spoken = utterance;
    highlight(sentence);
    speechSynthesis.speak(utterance);
  };

  for (const select of panel.querySelectorAll('select')) {
    select.value = root.dataset[select.dataset.name] ?? '';
    select.onchange = () => choose(select);
  }
  /* The voice goes on after the same sentence. */
  const findSentences = () => {
    const said = sentences?.[at]?.segment;
    sentences = textsWithout('pre, math:has(:not(mrow, mi, mn, mo)), sup').flatMap(({ element, nodes, text }) => {
      const { lang } = element.closest('[lang]');
      return [...new Intl.Segmenter(lang, { granularity: 'sentence' }).segment(text)]
        .filter(({ segment }) => /[\p{L}\p{N}]/u.test(segment))
        .map(({ segment, index }) => ({ lang, segment, index, nodes }));
    });
    const same = sentences.flatMap(({ segment }, i) => (segment === said ? i : []));
    at = same.sort((a, b) => Math.abs(a - at) - Math.abs(b - at))[0] ?? at;
  };
  document.addEventListener('updated', () => {
    watch?.(false);
    watch = undefined;
    if (sentences) findSentences();
    const focused = nav.querySelector(':focus')?.href;
    nav.lastChild.replaceChildren();
    setOpen(!panel.hidden);
    [...nav.querySelectorAll('a')].find(({ href }) => href === focused)?.focus();
  });
  button.onclick = () => setOpen(panel.hidden);
  panel.parentNode.onkeydown = ({ key }) => {
    if (key !== 'Escape' || panel.hidden) return;
    setOpen(false);
    button.focus();
  };
  listen.hidden = !('speechSynthesis' in window);
  listen.onclick = () => {
    findSentences();
    if (spoken) {
      stop();
      speechSynthesis.cancel();
    } else {
      listen.textContent = listen.dataset.stop;
      speak();
    }
  };
  addEventListener('pagehide', () => window.speechSynthesis?.cancel());
  link.onmousedown = (event) => event.preventDefault();
  link.onclick = () => {
    const selection = getSelection();
    selectWords(selection);
    const text = String(selection);
    status.textContent = text.trim() && copy(linkTo(text)) ? link.dataset.done : link.dataset.empty;
  };
  /* The sandbox of a frame forbids print(), so the link opens a tab. A reload of it does not print again. */
  if (location.hash === '#print')
    addEventListener('load', () => {
      history.replaceState(null, '', location.pathname);
      print();
    });
})();
