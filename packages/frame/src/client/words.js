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

  /* By the clock of the place, whatever its zone. */
  const formatTime = ({ dateTime, className }) => {
    const [day, clock] = /^\d\d:/.test(dateTime) ? ['2024-01-01', dateTime] : dateTime.split('T');
    const time = new Date(clock ? `${day}T${clock.replace(/(?:Z|[+-]\d\d:?\d\d)$/, '')}Z` : day);
    const timeStyle = clock && 'short';
    const styles = { moment: { dateStyle: 'full', timeStyle }, clock: { timeStyle }, weekday: { weekday: 'long' } };
    const style = styles[className] ?? { dateStyle: 'long' };
    return new Intl.DateTimeFormat(lang, { ...style, timeZone: 'UTC' }).format(time);
  };
  const formatAmount = ({ value, unit }) =>
    new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short' }).format(value);

  const replace = (node) => {
    const text = node.nodeValue.trim();
    const numbers = text.match(/\d+/g);
    let at = 0;
    const pattern = translations.get(text.replace(/\d+/g, () => `%${++at}`));
    const found =
      translations.get(text) ?? pattern?.replace(/%(\d)/g, (_, i) => Number(numbers[i - 1]).toLocaleString(lang));
    if (found) node.nodeValue = node.nodeValue.replace(text, () => found);
  };

  const translate = (page) => {
    /* The parser may be in the middle of the last text. */
    let last = page.readyState === 'loading' ? page : null;
    while (last?.lastChild) last = last.lastChild;
    for (const element of page.querySelectorAll('[data-words], .frame-words, time[class]')) {
      const { dateTime, dataset } = element;
      Object.assign(element, { lang, dir });
      if (dateTime || dataset.unit) {
        if (done.has(element) || element.contains(last)) continue;
        done.add(element);
        element.textContent = dateTime ? formatTime(element) : formatAmount(dataset);
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
