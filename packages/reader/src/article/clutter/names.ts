import { HEADING } from '../blocks/tree.ts';

/**
 * Names of boxes that belong to a site, not to its article, as parts of class names and ids. A part matches whole words:
 * `share` matches `share-bar` and `articleShare`, not `shareholders`.
 */
const CLUTTER = `
  advert adverts advertisement adslot adbox adwrapper dfp sponsor sponsored promo promos promobox
  addthis addtoany sharebar sharedaddy sharethis socialbar
  newsletter newsletters subscribe signup sign-up optin opt-in mailchimp
  relatedposts related-posts related-articles related-stories related-content relatedcontent recirc recirculation recommended
  also-read also-like readmore read-more read-next up-next more-stories more-news more-from more-links more-on
  most-read most-popular mostpopular popular-posts trending outbrain taboola zergnet revcontent
  breadcrumb breadcrumbs bread-crumb bread-crumbs pagination pager post-navigation post-nav prev-next
  author-bio author-box authorbox author-card author-info author-about author-biography author-description author-block author-profile author-flyout author-contact writer-bio writer-box writer-contact
  saboxplugin-wrap multiple-authors-boxes about-author about-the-author bio bylines byline author-links author-meta
  comment-count comment-link comments-link disqus respond reply-form reply-title
  entry-meta post-meta article-meta blog-meta postmeta entry-metadata post-metadata article-metadata blog-metadata post-info article-info post-tags entry-tags article-tag article-tags taglist tag-list tagcloud
  dateline post-date entry-date published-date publish-date pub-date article-date date-published reading-time
  read-time
  toc(?!-section) table-of-contents tableofcontents on-this-page version-badge banners publish-banner
  cookie(?!-recipe) gdpr paywall donate donation jump-links skip-link skip-links
  rollover-block hovercard flyout dropdown-menu lightbox-ui
  pagenum method-click-advice another-category postbtn revenue-unit wprm-call-to-action
  quarto-title-meta quarto-categories elementor-posts-container speechify-ignore engagement wprm-recipe-print wprm-recipe-pin print-only noprint footer-copyright footer-text article-footer entry-footer post-footer article-tools article-actions post-actions rating-box nocontent region-copyright region-footer copyright-wrap copyright-wrapper copyright-notice site-copyright
`;

/** Such names that are also those of parts of a text, as ids: `share-of-rye`, `related-work`. */
const AMBIGUOUS = `
  advertising promotion share shares sharing social subscription related recommendations comments tags timestamp updated
  cookies (?<!informed-)consent toolbar popover tooltip tooltiptext reactions
`;

/** Names of the captions and credits of pictures. */
const CAPTION = `
  caption captions credit credits copyright photo-credit image-credit photographer agency legend image-source photo-source
  thumbcaption image-caption media-caption newscaption imgcaption caption-text
`;

/** Words beside ambiguous names in the ids of boxes. */
const BOX_WORDS = `
  area article articles banner bar block body bottom box button buttons container content footer form header icons inner item items left
  link links list main media message modal module notice outer overlay page panel popup post posts right row section sidebar site stories
  story this top widget wrap wrapper \\d+
`;

const alternativesOf = (names: string) => names.trim().split(/\s+/).join('|');
const CLUTTER_PATTERN = new RegExp(`-(?:${alternativesOf(CLUTTER)})-`);
const AMBIGUOUS_PATTERN = new RegExp(`-(?:${alternativesOf(AMBIGUOUS)})-`);
const AMBIGUOUS_WORDS = new RegExp(`-(?:${alternativesOf(AMBIGUOUS)})(?=-)`, 'g');
const BOX_PATTERN = new RegExp(`^(?:-(?:${alternativesOf(BOX_WORDS)}))*-$`);
const CAPTION_PATTERN = new RegExp(`-(?:${alternativesOf(CAPTION)})-`);
/** Elements that an id can name. Those of others, such as headings, are the targets of links. */
const BOX = /^(?:aside|details|div|dl|footer|form|header|nav|ol|p|section|ul)$/;
const MAX_NAME_LENGTH = 300;

/** Detects a box of the site by its class names or its id. A heading is none. */
export function isNamedClutter(element: Element): boolean {
  return !HEADING.test(element.localName) && hasClutterName(element, BOX);
}

/** Detects a heading that is named like a box of the site. */
export function isNamedHeading(element: Element): boolean {
  return hasClutterName(element, HEADING);
}

export function isNamedCaption({ id, className }: Element): boolean {
  return CAPTION_PATTERN.test(wordsOf(`${className} ${id}`));
}

/** Ids count for some elements only. */
function hasClutterName({ localName, id, className }: Element, identified: RegExp): boolean {
  const names = wordsOf(className);
  if (CLUTTER_PATTERN.test(names) || AMBIGUOUS_PATTERN.test(names)) return true;
  return identified.test(localName) && isClutterId(wordsOf(id));
}

/** An id with an ambiguous name has no words but those of boxes. */
function isClutterId(id: string): boolean {
  if (CLUTTER_PATTERN.test(id)) return true;
  return AMBIGUOUS_PATTERN.test(id) && BOX_PATTERN.test(id.replace(AMBIGUOUS_WORDS, ''));
}

/** Writes class names or an id as words between hyphens, in lower case. */
function wordsOf(names: string): string {
  const words = names
    .slice(0, MAX_NAME_LENGTH)
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-');
  return `-${words.toLowerCase()}-`;
}
