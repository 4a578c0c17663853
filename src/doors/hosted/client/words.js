/*
 * Puts the words around the article into the first language of the reader that has words, before they are painted. The page is
 * one for all readers. Without JavaScript, and for other languages, its words stay in the language of its text.
 */
(() => {
  const source = document.getElementById('words');
  const all = JSON.parse(source.textContent);
  /* The words in Chinese are in simplified script. */
  const baseOf = (tag) => (/^zh-(?:hant|tw|hk|mo)/i.test(tag) ? '' : tag.split('-')[0].toLowerCase());
  const lang = navigator.languages.find((tag) => all[baseOf(tag)]);
  if (!lang) return;
  const { direction: dir, texts } = all[baseOf(lang)];
  const translations = new Map(all[source.dataset.own].texts.map((text, i) => [text, texts[i]]));
  const done = new WeakSet();

  const formatDate = (time) =>
    new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));
  const formatMinutes = (count) => new Intl.NumberFormat(lang, { style: 'unit', unit: 'minute' }).format(count);

  const replace = (node) => {
    const text = node.nodeValue.trim();
    if (translations.has(text)) node.nodeValue = node.nodeValue.replace(text, () => translations.get(text));
  };

  const translate = (page) => {
    /* The parser may be in the middle of the last text. */
    let last = page.readyState === 'loading' ? page : null;
    while (last?.lastChild) last = last.lastChild;
    for (const element of page.querySelectorAll('[data-words]')) {
      const { dateTime, dataset } = element;
      Object.assign(element, { lang, dir });
      if (dateTime || dataset.minutes) {
        if (done.has(element) || element.contains(last)) continue;
        done.add(element);
        element.textContent = dateTime ? formatDate(dateTime) : formatMinutes(dataset.minutes);
        continue;
      }
      const walker = page.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
      for (let node = element; node; node = walker.nextNode()) {
        if (node === last || done.has(node)) continue;
        done.add(node);
        for (const one of node.attributes ?? [node]) replace(one);
      }
    }
  };

  /* The words are those of the page, and only the form of dates may differ, which takes too long before the first paint. */
  if (baseOf(lang) === source.dataset.own) {
    const translateLate = () => requestAnimationFrame(() => setTimeout(() => translate(document), 0));
    document.addEventListener('DOMContentLoaded', translateLate);
    document.addEventListener('updated', translateLate);
    return;
  }
  const observer = new MutationObserver(() => translate(document));
  observer.observe(document, { childList: true, subtree: true });
  document.addEventListener('DOMContentLoaded', () => {
    observer.disconnect();
    translate(document);
  });
  /* A new version of the page, which is not yet shown. */
  document.addEventListener('received', ({ detail }) => translate(detail));
})();
