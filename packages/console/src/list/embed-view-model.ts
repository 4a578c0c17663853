import type { Settings } from '../editor/draft.ts';
import { SETTINGS, type Setting } from '../generated/fields.ts';
import type { ListedEmbedFragment } from '../generated/operations.ts';

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
    if (setting.name === 'mode') return [labelOfValue(settings.mode)];
    if (value === setting.default) return [];
    if (setting.type === 'boolean') return [value ? capitalise(setting.label) : `No ${setting.label}`];
    return [setting.values ? labelOfValue(String(value)) : String(value)];
  });
}

const VALUE_LABELS: Readonly<Record<string, string>> = { USER_DEFINED: 'Reader’s choice' };

export function labelOfValue(value: string): string {
  return VALUE_LABELS[value] ?? capitalise(value.toLowerCase().replaceAll('_', ' '));
}

/** Returns the name of a field in words, such as `show top bar`. */
export function nameInWords(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the title that the API gives. An embed that is still being created has none: its URL gives the title. */
export function titleOf({ title, pageUrl }: Pick<ListedEmbedFragment, 'title' | 'pageUrl'>): string {
  return title || titleFromUrl(pageUrl);
}

/** Returns the words in the last path segment, which usually match the page's title, or else the host. */
function titleFromUrl(pageUrl: string): string {
  const segment = /([^/]*)\/*$/.exec(URL.parse(pageUrl)?.pathname ?? '')?.[1] ?? '';
  const words = segment.replace(/[0-9a-f]{32}$/i, '').replace(/[-_]+/g, ' ');
  return words.includes('%') || words.trim() === '' ? hostOf(pageUrl) : words.trim();
}

export function hostOf(pageUrl: string): string {
  return URL.parse(pageUrl)?.host.replace(/^www\./, '') ?? pageUrl;
}

/** Returns whether the browser shows an embed on the host of the console. */
export function isShownHere(
  { allowedSites }: Pick<ListedEmbedFragment, 'allowedSites'>,
  accountSites: readonly string[] | null,
): boolean {
  const { hostname } = location;
  const sites = allowedSites ?? accountSites;
  return sites?.some((site) => (site.startsWith('*.') ? hostname.endsWith(site.slice(1)) : hostname === site)) ?? true;
}

/** Returns true until the API has created the embed. */
export function isPending({ embedUrl }: Pick<ListedEmbedFragment, 'embedUrl'>): boolean {
  return embedUrl === '';
}

/** Returns the oEmbed URL, whose host is the parent domain of the embed's own host. */
export function oembedUrlOf({ embedUrl }: Pick<ListedEmbedFragment, 'embedUrl'>): string {
  const { protocol, host } = new URL(embedUrl);
  const embedHost = host.slice(host.indexOf('.') + 1);
  return `${protocol}//${embedHost}/oembed?url=${encodeURIComponent(embedUrl)}&format=json`;
}
