import type { EmbedMode, ListedEmbedFragment } from '../../generated/console-operations.ts';

/** What a form holds of an embed. */
export interface Draft {
  readonly pageUrl: string;
  readonly mode: EmbedMode;
  readonly font: string;
  readonly showTopBar: boolean;
}

export const EMPTY_DRAFT: Draft = { pageUrl: '', mode: 'LIGHT', font: 'default', showTopBar: true };

export function draftOf({ pageUrl, mode, font, showTopBar }: Draft): Draft {
  return { pageUrl, mode, font, showTopBar };
}

/** What of a draft an update has to send. */
export function changesBetween(before: Draft, after: Draft): Partial<Draft> {
  const names = ['pageUrl', 'mode', 'font', 'showTopBar'] as const;
  return Object.fromEntries(names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]));
}

/** The title is what the snippet calls its frame; an embed that is being made goes by its page. */
export function titleOf({ html, pageUrl }: Pick<ListedEmbedFragment, 'html' | 'pageUrl'>): string {
  const attribute = / title="([^"]*)"/.exec(html)?.[1] ?? '';
  return attribute.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS[entity] ?? '') || nameOf(pageUrl);
}

/** The words of the address, as far as it has any: what most pages are called in the end. */
function nameOf(pageUrl: string): string {
  const segment = /([^/]*)\/*$/.exec(URL.parse(pageUrl)?.pathname ?? '')?.[1] ?? '';
  const words = segment.replace(/[0-9a-f]{32}$/i, '').replace(/[-_]+/g, ' ');
  return words.includes('%') || words.trim() === '' ? siteOf(pageUrl) : words.trim();
}

/** What the gateway writes for the characters that HTML keeps for itself. */
const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

export function siteOf(pageUrl: string): string {
  return URL.parse(pageUrl)?.host.replace(/^www\./, '') ?? pageUrl;
}

/** Whether the API has not made it yet. */
export function isPending({ embedUrl }: Pick<ListedEmbedFragment, 'embedUrl'>): boolean {
  return embedUrl === '';
}

/** Where tools that speak oEmbed find the embed: at the host below which it has its name. */
export function oembedUrlOf({ embedUrl }: Pick<ListedEmbedFragment, 'embedUrl'>): string {
  const { protocol, host } = new URL(embedUrl);
  const embedHost = host.slice(host.indexOf('.') + 1);
  return `${protocol}//${embedHost}/oembed?url=${encodeURIComponent(embedUrl)}&format=json`;
}

export const MODE_LABELS: Readonly<Record<EmbedMode, string>> = {
  LIGHT: 'Light',
  DARK: 'Dark',
  AUTO: 'Auto',
  USER_DEFINED: 'Reader’s choice',
};
