import type { EmbedWatch, ListedEmbedFragment, LookInput, LookPartsFragment } from '../generated/operations.ts';

type LookName = keyof Omit<LookPartsFragment, '__typename'>;

/** The settings that are no columns of the list, by their paths in the API, as texts of a form. An empty text is null. */
export type OwnSettings = Readonly<Record<'allowedSites' | 'expiresAt' | 'watch' | `look.${LookName}`, string>>;

type Stored = Pick<ListedEmbedFragment, 'allowedSites' | 'expiresAt' | 'watch' | 'look'>;

/** The input of a mutation, without the paths of the form. */
export type InputOf<Form> = Omit<Form, keyof OwnSettings> & {
  readonly allowedSites?: string[] | null;
  readonly expiresAt?: string | null;
  readonly watch?: EmbedWatch | null;
  readonly look?: LookInput;
};

export const NO_LOOK: Readonly<Record<LookName, null>> = {
  accentColor: null,
  width: null,
  baseSize: null,
  radius: null,
  logoUrl: null,
  branding: null,
};

const LOOK_PREFIX = 'look.';
const LOOK_NAMES = Object.keys(NO_LOOK) as LookName[];

/** Returns the settings of an embed or an account as texts of the form. */
export function textsOf({ allowedSites, expiresAt, watch, look }: Stored): OwnSettings {
  const looks = LOOK_NAMES.map((name) => [LOOK_PREFIX + name, String(look?.[name] ?? '')]);
  const texts = {
    allowedSites: allowedSites?.join('\n') ?? '',
    expiresAt: expiresAt ? localTimeOf(expiresAt) : '',
    watch: watch === 'OFF' ? '' : (watch ?? ''),
  };
  return { ...texts, ...Object.fromEntries(looks) };
}

export const NO_OWN_SETTINGS = textsOf({ allowedSites: null, expiresAt: null, watch: 'OFF', look: null });

/** Returns a text that is equal for equal looks. */
export function lookKeyOf(settings: OwnSettings): string {
  return JSON.stringify(LOOK_NAMES.map((name) => settings[`${LOOK_PREFIX}${name}`]));
}

/** A text that is no valid value is sent as it is: the API says what is wrong. */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  allowedSites: (text) => text.split(/[\n,]/).flatMap((line) => line.trim() || []),
  expiresAt: (text) => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()),
  width: (text) => (/^full$/i.test(text) ? 'FULL' : numberOf(text)),
  baseSize: numberOf,
  radius: numberOf,
  branding: (text) => text === 'true',
};

function numberOf(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/** Converts values of a form to the input of a mutation. */
export function inputOf<Form extends object>(form: Form): InputOf<Form> {
  const input: Record<string, unknown> = {};
  const look: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(form)) {
    const isOfLook = path.startsWith(LOOK_PREFIX);
    const name = isOfLook ? path.slice(LOOK_PREFIX.length) : path;
    const text = path in NO_OWN_SETTINGS ? String(value).trim() : null;
    (isOfLook ? look : input)[name] = text === null ? value : text === '' ? null : (PARSERS[name]?.(text) ?? text);
  }
  return { ...input, ...(Object.keys(look).length > 0 && { look }) } as InputOf<Form>;
}

/**
 * Returns a time as the browser's field for times has it: in the user's time zone, without an offset. The text of a save
 * that the API will reject stays as it is.
 */
function localTimeOf(instant: string): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return instant;
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().replace(/(:00)?\.\d{3}Z$/, '');
}
