import type { PageState } from '#reader/page-state';

/** The words of the frame in one language. */
export interface Words {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly openOriginal: string;
  /** The same, for phones. */
  readonly original: string;
  readonly inNewTab: string;
  /** Before the link to the site. */
  readonly from: string;
  /** Before a link to the site. */
  readonly continues: string;
  readonly loading: string;
  readonly reload: string;
  readonly colourMode: string;
  readonly light: string;
  readonly dark: string;
  readonly system: string;
  /** Titles of call-outs without one of their own. */
  readonly callouts: Readonly<Record<'note' | 'tip' | 'important' | 'warning' | 'caution', string>>;
  readonly reader: ReaderWords;
  readonly cards: Readonly<Record<CardState, CardWords>>;
}

/** The reader's controls. */
export interface ReaderWords {
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
  /** The reader has selected nothing. */
  readonly selectFirst: string;
}

export type CardState = Exclude<PageState, 'PENDING'>;

export interface CardWords {
  /** The kind of page. */
  readonly kind: string;
  /** For readers, who know nothing of the gateway. Clients of the APIs get the exact reason. */
  readonly reason: string;
}
