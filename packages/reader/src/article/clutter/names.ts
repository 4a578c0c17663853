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
  about-author about-the-author bio biography bylines byline author-links author-meta
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

const patternOf = (names: string) => new RegExp(`-(?:${names.trim().split(/\s+/).join('|')})-`);
const CLUTTER_PATTERN = patternOf(CLUTTER);
const CAPTION_PATTERN = patternOf(CAPTION);
const MAX_NAME_LENGTH = 300;

export function isNamedClutter(element: Element): boolean {
  return CLUTTER_PATTERN.test(namesOf(element));
}

export function isNamedCaption(element: Element): boolean {
  return CAPTION_PATTERN.test(namesOf(element));
}

/** Writes the classes and the id of an element as words between hyphens, in lower case. */
function namesOf(element: Element): string {
  const names = `${element.getAttribute('class') ?? ''} ${element.id}`.slice(0, MAX_NAME_LENGTH);
  const words = names.replace(/([a-z\d])([A-Z])/g, '$1-$2').replace(/[^A-Za-z\d]+/g, '-');
  return `-${words.toLowerCase()}-`;
}
