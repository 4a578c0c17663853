/**
 * Names of boxes that belong to a site, not to its article, as parts of class names and ids. A part matches whole words:
 * `share` matches `share-bar` and `articleShare`, not `shareholders`.
 */
const CLUTTER = `
  advert adverts advertisement advertising adslot adbox adwrapper dfp sponsor sponsored promo promos promotion promobox
  addthis addtoany share shares sharing sharebar sharedaddy sharethis socialbar social
  newsletter newsletters subscribe subscription signup sign-up optin opt-in mailchimp
  related relatedposts related-posts related-content relatedcontent recirc recirculation recommended recommendations
  also-read also-like readmore read-more read-next up-next more-stories more-news more-from more-links more-on
  most-read most-popular mostpopular popular-posts trending outbrain taboola zergnet revcontent
  breadcrumb breadcrumbs bread-crumb bread-crumbs pagination pager post-navigation post-nav prev-next
  author-bio author-box authorbox author-card author-info author-about author-description author-block author-profile author-flyout
  about-author about-the-author bio bylines byline author-links author-meta
  comments comment-count comment-link comments-link disqus respond reply-form
  entry-meta post-meta article-meta postmeta post-info article-info post-tags entry-tags article-tag article-tags tags taglist tag-list tagcloud
  timestamp dateline post-date entry-date published-date publish-date pub-date article-date date-published updated reading-time
  read-time
  toc(?!-section) table-of-contents tableofcontents on-this-page version-badge banners publish-banner
  cookie cookies gdpr consent paywall donate donation toolbar jump-links skip-link skip-links
  popover tooltip rollover-block hovercard flyout dropdown-menu lightbox-ui
  pagenum another-category postbtn revenue-unit wprm-call-to-action
  speechify-ignore reactions engagement wprm-recipe-print wprm-recipe-pin print-only noprint article-footer entry-footer post-footer article-tools article-actions post-actions rating-box
`;

/** Names of the captions and credits of pictures. */
const CAPTION = `
  caption captions credit credits copyright photo-credit image-credit photographer agency legend image-source photo-source
  thumbcaption image-caption media-caption newscaption imgcaption caption-text
`;

/** Words beside such names in the ids of boxes. An id with other words is that of a part of the text: `related-work`. */
const BOX_WORDS = `
  area article articles bar block body bottom box button buttons container content footer form header icons inner item items left
  link links list main media module outer page panel popup post posts right row section sidebar site stories story top widget wrap wrapper \\d+
`;

const alternativesOf = (names: string) => names.trim().split(/\s+/).join('|');
const CLUTTER_PATTERN = new RegExp(`-(?:${alternativesOf(CLUTTER)})-`);
const CLUTTER_WORDS = new RegExp(`-(?:${alternativesOf(CLUTTER)})(?=-)`, 'g');
const BOX_PATTERN = new RegExp(`^(?:-(?:${alternativesOf(BOX_WORDS)}))*-$`);
const CAPTION_PATTERN = new RegExp(`-(?:${alternativesOf(CAPTION)})-`);
/** Elements that an id can name. Those of others, such as headings, are the targets of links. */
const BOX = /^(?:aside|div|footer|form|header|nav|ol|section|ul)$/;
const HEADING = /^h[1-6]$/;
const MAX_NAME_LENGTH = 300;

/** Detects a box of the site by its class names, or by an id that has no other words. A heading is none. */
export function isNamedClutter({ localName, id, className }: Element): boolean {
  if (HEADING.test(localName)) return false;
  return CLUTTER_PATTERN.test(wordsOf(className)) || (BOX.test(localName) && isClutterId(wordsOf(id)));
}

export function isNamedCaption({ id, className }: Element): boolean {
  return CAPTION_PATTERN.test(wordsOf(`${className} ${id}`));
}

function isClutterId(id: string): boolean {
  return CLUTTER_PATTERN.test(id) && BOX_PATTERN.test(id.replace(CLUTTER_WORDS, ''));
}

/** Writes class names or an id as words between hyphens, in lower case. */
function wordsOf(names: string): string {
  const words = names
    .slice(0, MAX_NAME_LENGTH)
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-');
  return `-${words.toLowerCase()}-`;
}
