import { domainToASCII } from 'node:url';
import { checkPageUrl } from '#reader/page-url';
import { type Check, type DescribedParameter, namedEntries, textCheck, wholeNumberCheck } from '../input/parameters.ts';
import { checkInstant, toDate } from '../instant.ts';
import { isObject, type JsonObject, quote } from '../json.ts';
import { WATCHES, type Watch } from '../watch.ts';

/** A setting of an embed, of an account, or of both. No query reads it: all are in one column, in JSON. */
export interface Setting extends Omit<DescribedParameter, 'members'> {
  /** Settings of the account apply to its embeds without one of their own. */
  readonly isOfAccount?: true;
  /** Bounds of an integer. */
  readonly range?: readonly [least: number, most: number];
  /** The name of the scalar or enum in GraphQL. */
  readonly typeName?: string;
  readonly members?: Readonly<Record<string, Setting>>;
}

/** A gateway reads the settings of an account again after this time. */
export const ACCOUNT_MAX_AGE_MS = 4_000;

export const MAX_SITES = 50;
/** Of all sites together, in ASCII: the policy header names each site twice, and proxies bound headers. */
export const MAX_SITES_LENGTH = 2_000;
/** A host that a source expression of a content security policy can name: at least two labels, and no address. */
export const SITE =
  /^(?:\*\.)?(?=[^*]{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const SITE_RULE =
  'must be hosts such as example.com or *.example.com, without scheme, port and path, and no IP addresses';
const COLOUR = /^#[0-9A-Fa-f]{6}$/;

/** Returns a host in ASCII (RFC 5891) and lower case; null if it is none. */
function parseSitePattern(value: unknown): string | null {
  if (typeof value !== 'string' || /[%\s/?#\\@:]/.test(value)) return null;
  const [, wildcard = '', name = ''] = /^(\*\.)?(.*)$/.exec(value) ?? [];
  const site = wildcard + domainToASCII(name);
  return SITE.test(site) ? site : null;
}

const checkSites: Check = (value) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_SITES)
    return `must be a list of 1 to ${MAX_SITES} hosts, or null`;
  const wrong = value.filter((each) => parseSitePattern(each) === null);
  if (wrong.length > 0) return `${SITE_RULE}; not ${wrong.map(quote).join(', ')}`;
  const sites = value.map(parseSitePattern);
  const repeated = sites.find((site, i) => sites.indexOf(site) !== i);
  if (repeated !== undefined) return `must contain each host once; ${repeated} is there twice`;
  const { length } = sites.join('');
  return length > MAX_SITES_LENGTH ? `must have at most ${MAX_SITES_LENGTH} characters in all, not ${length}` : null;
};

function inRange(least: number, most: number): Pick<Setting, 'type' | 'range' | 'check'> {
  return { type: 'integer', range: [least, most], check: wholeNumberCheck(least, most) };
}

const checkLogoUrl: Check = (value, policy) => {
  const isOther = typeof value === 'string' && !/^https:\/\/[^/]/i.test(value);
  if (isOther && !policy.allowPrivatePages)
    return 'must be an absolute https URL, because browsers load no other picture';
  return checkPageUrl(value, policy);
};

/** The look of the frame. A member that is null has the value of the account, or else the usual one. */
export const LOOK: Readonly<Record<keyof Look, Setting>> = {
  accentColor: {
    restName: 'accent_color',
    type: 'text',
    pattern: COLOUR,
    check: textCheck((text) => COLOUR.test(text), 'must be a colour such as #1557c0'),
    parse: (value) => String(value).toLowerCase(),
    description:
      'The colour of links and controls, as `#rrggbb`. It is made darker or lighter where it has less contrast than 5 : 1.',
  },
  width: {
    restName: 'width',
    ...inRange(320, 1_200),
    typeName: 'LookWidth',
    values: { FULL: 'The width of the frame.' },
    description: 'The width of the text: 320 to 1200 px, or `FULL` for the width of the frame.',
  },
  baseSize: {
    restName: 'base_size',
    ...inRange(14, 22),
    description: 'The size of the text: 14 to 22 px.',
  },
  radius: {
    restName: 'radius',
    ...inRange(0, 24),
    description: 'The radius of corners: 0 to 24 px.',
  },
  logoUrl: {
    restName: 'logo_url',
    type: 'url',
    check: checkLogoUrl,
    description: 'The URL of a picture for the top bar, in place of the icon of the site: https, on a public host.',
  },
  branding: {
    restName: 'branding',
    type: 'boolean',
    description: 'Whether the last line of the frame names Embed Gateway. False if it is not set.',
  },
};

/** All settings, in the order of REST. */
export const SETTINGS: Readonly<Record<keyof StoredSettings, Setting>> = {
  allowedSites: {
    restName: 'allowed_sites',
    type: 'text',
    isList: true,
    isOfAccount: true,
    pattern: SITE,
    check: checkSites,
    parse: (value) => (value as readonly string[]).map(parseSitePattern),
    description:
      'The sites that may show the embed: 1 to 50 hosts of 2,000 characters in all, on any port. `*.example.com` means all hosts below example.com, without example.com itself. If null, those of the account; if that is null too, all sites.',
  },
  expiresAt: {
    restName: 'expires_at',
    type: 'instant',
    check: checkInstant,
    parse: (value) => toDate(String(value)).toISOString(),
    description: 'From this time on, the embed shows a card that says so in place of the page. If null, never.',
  },
  watch: {
    restName: 'watch',
    type: 'enum',
    values: WATCHES,
    parse: (value) => (value === 'OFF' ? null : value),
    description: 'How often the page is checked in the background. `OFF` if it is not set.',
  },
  look: {
    restName: 'look',
    type: 'object',
    isOfAccount: true,
    typeName: 'Look',
    members: LOOK,
    check: (value) => (isObject(value) ? null : 'must be an object, or null'),
    description: 'The look of the frame. Null if nothing is set: the look of the account, or else the usual one.',
  },
};

export interface Look {
  readonly accentColor: string;
  readonly width: number | 'FULL';
  readonly baseSize: number;
  readonly radius: number;
  readonly logoUrl: string;
  readonly branding: boolean;
}

export interface StoredSettings {
  readonly allowedSites: readonly string[] | null;
  /** In UTC, with milliseconds. */
  readonly expiresAt: string | null;
  readonly watch: Watch;
  readonly look: Readonly<Partial<Look>> | null;
}

/** Settings by name. Null removes one; omitted ones keep their values. */
export type SettingsPatch = Readonly<Record<string, unknown>>;

export interface NamedSetting extends Setting {
  readonly name: string;
}

export const EMBED_SETTINGS = namedEntries<Setting>(SETTINGS);
export const ACCOUNT_SETTINGS = EMBED_SETTINGS.filter(({ isOfAccount }) => isOfAccount);

const NO_SETTINGS: StoredSettings = { allowedSites: null, expiresAt: null, watch: 'OFF', look: null };

/** @param stored the content of the column */
export function readSettings(stored: string | null): StoredSettings {
  return stored === null ? NO_SETTINGS : { ...NO_SETTINGS, ...JSON.parse(stored) };
}

/** Returns the settings that apply to an embed: its own, or else those of its account. Members of the look fall back one by one. */
export function effectiveSettings(ofEmbed: string | null, ofAccount: string | null): StoredSettings {
  if (ofEmbed === null && ofAccount === null) return NO_SETTINGS;
  const [own, common] = [readSettings(ofEmbed), readSettings(ofAccount)];
  const look = own.look || common.look ? { ...common.look, ...own.look } : null;
  return { ...own, allowedSites: own.allowedSites ?? common.allowedSites, look };
}

/**
 * Merges valid settings into stored ones (RFC 7396), and returns the content of the column. It keeps settings of a later
 * version, and a patch without effect returns the same text.
 */
export function mergeSettings(stored: string | null, patch: SettingsPatch): string | null {
  if (Object.keys(patch).length === 0) return stored;
  const merged = mergeObjects(stored === null ? {} : JSON.parse(stored), patch);
  return Object.keys(merged).length === 0 ? null : JSON.stringify(merged);
}

function mergeObjects(current: JsonObject, patch: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...current };
  for (const [name, value] of Object.entries(patch)) {
    const before = current[name];
    const after = isObject(value) ? mergeObjects(isObject(before) ? before : {}, value) : value;
    const isEmpty = after === null || (isObject(after) && Object.keys(after).length === 0);
    if (isEmpty) delete merged[name];
    else merged[name] = after;
  }
  return merged;
}

export function isAllowedSite(sites: readonly string[], host: string): boolean {
  return sites.some((site) => (site.startsWith('*.') ? host.endsWith(site.slice(1)) : host === site));
}
