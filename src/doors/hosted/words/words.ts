import type { PageState } from '#reader/page-state';

/**
 * The words of the frame in one language. If two of them are equal in one language, they are equal in all: the script that puts the
 * frame into the reader's language replaces texts.
 */
export interface Words {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly openOriginal: string;
  /** The same, for phones. */
  readonly original: string;
  readonly inNewTab: string;
  /** Before the link to the site. */
  readonly from: string;
  /** Before the date of the last change. */
  readonly updated: string;
  /** Tells a screen reader that a new version replaced the text. */
  readonly wasUpdated: string;
  /** Before a link to the site. */
  readonly continues: string;
  /** The frame shows a part of the page. Before a link to the whole. */
  readonly partOnly: string;
  readonly showWhole: string;
  readonly loading: string;
  readonly reload: string;
  readonly colourMode: string;
  readonly light: string;
  readonly dark: string;
  readonly system: string;
  /** Titles of call-outs without one of their own. */
  readonly callouts: Readonly<Record<'note' | 'tip' | 'important' | 'warning' | 'caution', string>>;
  readonly reader: ReaderWords;
  readonly files: FileWords;
  readonly table: TableWords;
  readonly cards: Readonly<Record<CardState, CardWords>>;
  readonly errors: ErrorWords;
}

/** The reader's controls. */
interface ReaderWords {
  readonly title: string;
  readonly size: string;
  /** From the smallest to the largest, with the standard at the second place. */
  readonly sizes: readonly [string, string, string, string, string];
  readonly font: string;
  readonly standard: string;
  readonly sans: string;
  readonly serif: string;
  readonly mono: string;
  readonly width: string;
  readonly narrow: string;
  readonly wide: string;
  readonly contents: string;
  readonly listen: string;
  readonly stop: string;
  readonly print: string;
  readonly copyLink: string;
  readonly copied: string;
  readonly whatChanged: string;
  /** With `%1` for the time of the last visit, and `%2` for the number of passages that are new since. */
  readonly changedSince: string;
  /** The reader has selected nothing. */
  readonly selectFirst: string;
}

/** Words around the content of files, with `%1` for a number. The reader of pages writes them in English. */
interface FileWords {
  readonly pages: string;
  readonly page: string;
  /** Follows the text of a document if only its first pages are shown. */
  readonly otherPages: string;
  readonly rest: string;
  readonly firstRows: string;
  /** The same, with `%2` for the number of all rows. */
  readonly firstRowsOf: string;
  readonly daily: string;
  readonly weekly: string;
  readonly monthly: string;
  readonly yearly: string;
}

/** The tools of long tables. */
interface TableWords {
  readonly search: string;
  /** Before the choice of a column. */
  readonly filter: string;
  readonly allColumns: string;
  readonly value: string;
  readonly allValues: string;
  readonly from: string;
  readonly to: string;
  /** With `%1` for the number of rows that are shown, and `%2` for that of all rows. */
  readonly rows: string;
  readonly download: string;
}

/** Why an embed shows a card: the state of its page, or its settings. */
export type CardState = Exclude<PageState, 'PENDING'> | 'EXPIRED' | 'OTHER_SITE';

interface CardWords {
  /** The kind of page. */
  readonly kind: string;
  /** For readers, who know nothing of the gateway. Clients of the APIs get the exact reason. */
  readonly reason: string;
}

/** The pages in place of an embed. */
export interface ErrorWords {
  readonly notFound: { readonly title: string; readonly text: string };
  readonly unavailable: { readonly title: string; readonly text: string };
  readonly retry: string;
}
