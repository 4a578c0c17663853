const HEADINGS = 'h1, h2, h3, h4, h5, h6';
const PERMALINK_CLASS =
  /^(?:anchor|anchor-?link|anchorjs-link|heading-?(?:link|anchor)|header-?(?:link|anchor)|hash-link|permalink|direct-link|deep-?link|sl-anchor-link)$/i;
/** Text of links that stand for a heading: a sign, or nothing that is visible. */
const PERMALINK_TEXT = /^(?:[\s#¶§⚓\u200b]|🔗|\ufe0e|\ufe0f)*$/u;
const EDIT_LINKS = '.mw-editsection, .mw-editsection-like, .mw-jump-link';

/** Removes links from headings to themselves, and the edit links of MediaWiki. Their ids move to the headings. */
export function simplifyHeadings(document: Document): void {
  for (const link of document.querySelectorAll(EDIT_LINKS)) link.remove();
  for (const heading of document.querySelectorAll(HEADINGS)) {
    const beside = [heading.previousElementSibling, heading.nextElementSibling];
    for (const link of [...heading.querySelectorAll('a'), ...beside]) {
      if (link?.localName === 'a' && isPermalink(link, heading)) removePermalink(link, heading);
    }
    const wrapper = heading.parentElement;
    // Readability would turn it into a paragraph
    if (wrapper?.localName === 'div' && isOnlyChild(heading)) wrapper.replaceWith(heading);
  }
}

function isPermalink(link: Element, heading: Element): boolean {
  const href = link.getAttribute('href') ?? '';
  if (heading.id !== '' && href === `#${heading.id}`) return true;
  if (link.querySelector('img') !== null || (href !== '' && !href.includes('#'))) return false;
  return PERMALINK_TEXT.test(link.textContent ?? '') || [...link.classList].some((name) => PERMALINK_CLASS.test(name));
}

function removePermalink(link: Element, heading: Element): void {
  const id = link.id;
  // the link may be around the whole heading
  const isWhole = heading.contains(link) && heading.textContent?.trim() === link.textContent?.trim();
  if (isWhole) link.replaceWith(...link.childNodes);
  else if (id === '' || heading.id === '' || heading.id === id) link.remove();
  else {
    // another name of the heading, to which links may point
    link.removeAttribute('href');
    link.replaceChildren();
  }
  if (id !== '' && heading.id === '') heading.id = id;
}

function isOnlyChild(heading: Element): boolean {
  return [...(heading.parentElement?.childNodes ?? [])].every(
    (node) => node === heading || node.textContent?.trim() === '',
  );
}
