import { SETTINGS, type Setting, type SettingName } from '../../generated/console-fields.ts';
import type { EmbedMode, ListedEmbedFragment } from '../../generated/console-operations.ts';

export type Settings = Pick<ListedEmbedFragment, SettingName>;

/** The values of the form of an embed. */
export interface Draft extends Settings {
  readonly pageUrl: string;
}

const NAMES: readonly (keyof Draft)[] = ['pageUrl', ...SETTINGS.map(({ name }) => name)];

const DEFAULT_SETTINGS = Object.fromEntries(SETTINGS.map((setting) => [setting.name, setting.default])) as Settings;

export const EMPTY_DRAFT: Draft = { pageUrl: '', ...DEFAULT_SETTINGS };

export function draftOf(embed: Draft): Draft {
  return Object.fromEntries(NAMES.map((name) => [name, embed[name]])) as unknown as Draft;
}

/** Returns the fields that an update has to send. */
export function changesBetween(before: Draft, after: Draft): Partial<Draft> {
  return Object.fromEntries(NAMES.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]));
}

/** Returns whether other settings force the value of a setting. */
export function isForced({ forced }: Setting, settings: Settings): boolean {
  const values: Readonly<Record<string, unknown>> = { ...settings };
  return forced !== undefined && Object.entries(forced.while).every(([name, value]) => values[name] === value);
}

/** Returns the settings as the API stores them. */
export function withForcedValues<T extends Settings>(settings: T): T {
  const forced = SETTINGS.filter((setting) => isForced(setting, settings));
  return { ...settings, ...Object.fromEntries(forced.map((setting) => [setting.name, setting.forced?.value])) };
}

/** Returns a text that is equal for equal settings. */
export function settingsKeyOf(settings: Settings): string {
  return JSON.stringify(SETTINGS.map(({ name }) => settings[name]));
}

/** Returns short texts for the settings that differ from their defaults; the mode is always named. */
export function settingTagsOf(settings: Settings): readonly string[] {
  return SETTINGS.flatMap((setting) => {
    const value = settings[setting.name];
    if (setting.name === 'mode') return [MODE_LABELS[settings.mode]];
    if (value === setting.default) return [];
    if (setting.type === 'boolean') return [value ? capitalise(setting.label) : `No ${setting.label}`];
    return [setting.values ? labelOfValue(String(value)) : String(value)];
  });
}

/** Returns the label of an enum value: `USER_DEFINED` becomes `User defined`. */
export function labelOfValue(value: string): string {
  return capitalise(value.toLowerCase().replaceAll('_', ' '));
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
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
