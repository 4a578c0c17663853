import type { PageState } from '../../../reader/src/page-state.ts';

/** Why an embed shows a card: the state of its page, or its settings. */
export type CardState = Exclude<PageState, 'PENDING'> | 'EXPIRED' | 'OTHER_SITE';

/**
 * The words of the frame in one language. If two of them are equal in one language, they are equal in all: the script that puts the
 * frame into the reader's language replaces texts.
 */
export type Words = typeof en;

export const en = {
  language: 'en',
  direction: 'ltr' as 'ltr' | 'rtl',
  openOriginal: 'Open original',
  /** The same, for phones. */
  original: 'Original',
  inNewTab: 'in a new tab',
  /** Before the link to the site. */
  from: 'Source:',
  /** Before the date of the last change. */
  updated: 'Updated',
  /** Tells a screen reader that a new version replaced the text. */
  wasUpdated: 'The text was updated.',
  /** Before a link to the site. */
  continues: 'The text continues at the source:',
  /** The frame shows a part of the page. Before a link to the whole. */
  partOnly: 'This is a part of the page.',
  showWhole: 'Show the whole page',
  loading: 'Still loading.',
  reload: 'Reload',
  colourMode: 'Colour mode',
  light: 'Light',
  dark: 'Dark',
  system: 'System',
  /** Titles of call-outs without one of their own. */
  callouts: { note: 'Note', tip: 'Tip', important: 'Important', warning: 'Warning', caution: 'Caution' },
  /** The reader's controls. */
  reader: {
    title: 'Reading settings',
    size: 'Text size',
    /** From the smallest to the largest, with the standard at the second place. */
    sizes: ['Small', 'Standard', 'Large', 'Larger', 'Largest'],
    font: 'Font',
    standard: 'Standard',
    sans: 'Sans serif',
    serif: 'Serif',
    mono: 'Monospace',
    width: 'Width',
    narrow: 'Narrow',
    wide: 'Wide',
    contents: 'Contents',
    listen: 'Listen',
    stop: 'Stop',
    print: 'Print',
    copyLink: 'Copy link to selection',
    copied: 'Link copied.',
    whatChanged: 'What changed',
    /** With `%1` for the time of the last visit, and `%2` for the number of passages that are new since. */
    changedSince: 'New or changed since %1: %2',
    /** The reader has selected nothing. */
    selectFirst: 'Select a passage first.',
  },
  /** Words around the content of files, with `%1` for a number. The reader of pages writes them in English. */
  files: {
    pages: 'Pages: %1',
    page: 'Page %1',
    /** Follows the text of a document if only its first pages are shown. */
    otherPages: 'Open the original for the other pages.',
    rest: 'Open the original for the rest.',
    firstRows: 'Only the first %1 rows are shown, sorted and searched.',
    /** The same, with `%2` for the number of all rows. */
    firstRowsOf: 'Only the first %1 of %2 rows are shown, sorted and searched.',
    daily: 'every day',
    weekly: 'every week',
    monthly: 'every month',
    yearly: 'every year',
  },
  /** The tools of long tables. */
  table: {
    search: 'Search the table',
    /** Before the choice of a column. */
    filter: 'Filter by',
    allColumns: 'All columns',
    value: 'Value',
    allValues: 'All values',
    from: 'From',
    to: 'To',
    /** With `%1` for the number of rows that are shown, and `%2` for that of all rows. */
    rows: '%1 of %2 rows',
    download: 'Download as CSV',
  },
  /** The kind of page, and the reason for readers, who know nothing of the gateway: clients of the APIs get the exact one. */
  cards: {
    SHOWN: { kind: 'Web page', reason: 'Open the original to read this page.' },
    NO_ARTICLE: { kind: 'Web page', reason: 'This page has no article to show here. Open the original to see it.' },
    NEEDS_BROWSER: { kind: 'Application', reason: 'This page is an application. Open the original to use it.' },
    FORBIDDEN: {
      kind: 'Restricted page',
      reason: 'The site does not show this page to everyone. The original may ask you to sign in.',
    },
    GONE: { kind: 'Missing page', reason: 'The site no longer has this page. It may have moved.' },
    NOT_A_PAGE: { kind: 'File', reason: 'This is a file, not a web page. Open the original to see it.' },
    TOO_LARGE: { kind: 'Large page', reason: 'This page is too large to show here. Open the original to read it.' },
    UNREACHABLE: {
      kind: 'Page out of reach',
      reason: 'The site cannot be reached at the moment. Try the original, or come back later.',
    },
    NOT_ALLOWED: { kind: 'Web page', reason: 'This page may not be copied here. Open the original to read it.' },
    EXPIRED: { kind: 'Expired embed', reason: 'The owner has ended this embed.' },
    OTHER_SITE: { kind: 'Not for this site', reason: 'The owner shows this embed on other sites only.' },
  } satisfies Readonly<Record<CardState, unknown>>,
  /** The pages in place of an embed. */
  errors: {
    notFound: { title: 'Embed not found', text: 'It may have been deleted, or the address may be incomplete.' },
    unavailable: { title: 'Temporarily unavailable', text: 'Try again in a few moments.' },
    retry: 'Try again',
  },
};
