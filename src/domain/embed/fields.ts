import { checkPageId, checkPageUrl, WHOLE_ID } from '#reader/page-url';
import { type Check, namedEntries, textCheck, type ValueType } from '../input/parameters.ts';
import { requireJsonObject } from '../json.ts';

export type InputName = 'create' | 'update' | 'filter';

/** A field of an embed. Names and enum values in backticks have GraphQL's spelling; REST's descriptions translate them. */
export interface Field {
  readonly type: ValueType;
  /** Name in REST and CSV; null if the field is in neither. */
  readonly restName: string | null;
  /** The field is not in the embed of REST and in CSV, but in the sub-resource of its settings. */
  readonly restIn?: 'settings';
  readonly description: string;
  /** The inputs that accept the field, with a description if it differs from the field's own. */
  readonly inputs?: Readonly<Partial<Record<InputName, true | string>>>;
  /** The value of a new embed if the create omits it. Without a default, a create must send the field. */
  readonly default?: string | boolean | number;
  readonly check?: Check;
  /** For OpenAPI. */
  readonly pattern?: RegExp;
  /** The name of the enum type in GraphQL and PostgreSQL. */
  readonly enumName?: string;
  /** Enum values, with descriptions. */
  readonly values?: Readonly<Record<string, string>>;
  /** A value that the field has while other fields have the given values. */
  readonly forced?: {
    readonly value: string | boolean | number;
    readonly while: Readonly<Record<string, string>>;
    /** Replaces the help text of the form. */
    readonly hint: string;
  };
  /** The noun in messages and forms. Required for fields that clients set. */
  readonly label?: string;
  readonly hint?: string;
  readonly isComputed?: true;
  /** The field can be absent: it is null then, and a create may omit it. */
  readonly isNullable?: true;
}

const FONT = /^[A-Za-z0-9][A-Za-z0-9 -]{0,63}$/;

const checkFont = textCheck(
  (text) => FONT.test(text),
  'must be "default" or a font family: 1 to 64 letters, digits, spaces and hyphens, beginning with a letter or digit',
);

const MAX_EXTERNAL_ID_LENGTH = 200;

const checkExternalId = textCheck(
  (text) => /^[^\p{Cc}\p{Cs}]+$/u.test(text) && [...text].length <= MAX_EXTERNAL_ID_LENGTH,
  `must be 1 to ${MAX_EXTERNAL_ID_LENGTH} characters, without control characters, in well-formed Unicode`,
);

/** All fields, in the order of REST and exports. Append new fields; see CONTRIBUTING.md. */
export const FIELDS = {
  id: {
    type: 'id',
    restName: 'id',
    description: 'The id: a lower-case ULID. Cursor, REST id and subdomain of `embedUrl` are the same string.',
  },
  createdAt: {
    type: 'instant',
    restName: 'created_at',
    description: 'The time at which the embed was created, in UTC, with milliseconds.',
  },
  embedUrl: {
    type: 'url',
    restName: 'embed_url',
    description:
      'The URL to place in an iframe: `<scheme>://<id>.<embed host>/<page slug>-<page id>`. It opens without a token.',
    isComputed: true,
  },
  html: {
    type: 'text',
    restName: null,
    description:
      'The HTML to paste into a site: an iframe with the embed, and the script that adjusts its height to the content.',
    isComputed: true,
  },
  pageId: {
    type: 'uuid',
    restName: 'page_id',
    description: 'The id of the source page: the one in its URL, or else a UUIDv5 of the URL.',
    inputs: {
      update: 'The id of a new source page, which replaces the id in `pageUrl`. Rejected if the URL contains no id.',
      filter: 'Only embeds of the page with this id.',
    },
    check: checkPageId,
    pattern: WHOLE_ID,
    label: 'page id',
  },
  pageUrl: {
    type: 'url',
    restName: 'page_url',
    description: 'The URL of the source page.',
    inputs: {
      create:
        'The URL of the source page: absolute, http or https, at most 2,048 characters, without credentials, on a public host. Characters that RFC 3986 does not allow are percent-encoded. A fragment shows a part of the page: `#section`, or a text directive such as `#:~:text=start,end`.',
      update: 'The URL of a new source page; `pageId` and `embedUrl` change with it.',
      filter:
        'Only embeds of this page. All spellings of a URL are equal: case of the host, default port, dot segments, percent-encoding and fragment are ignored.',
    },
    check: checkPageUrl,
    label: 'URL',
  },
  mode: {
    type: 'enum',
    restName: 'mode',
    description: 'The colour mode.',
    inputs: { create: true, update: true, filter: 'Only embeds with this colour mode.' },
    default: 'LIGHT',
    enumName: 'EmbedMode',
    values: {
      LIGHT: 'Always light.',
      DARK: 'Always dark.',
      AUTO: "Follows the setting of the reader's system.",
      USER_DEFINED: 'The reader chooses in the top bar, which is then always shown.',
    },
    label: 'mode',
  },
  font: {
    type: 'text',
    restName: 'font',
    description:
      '`default`, or the name of a web font family: 1 to 64 letters, digits, spaces and hyphens, beginning with a letter or digit.',
    inputs: { create: true, update: true, filter: 'Only embeds with this font, compared exactly.' },
    default: 'default',
    check: checkFont,
    pattern: FONT,
    label: 'font',
  },
  showTopBar: {
    type: 'boolean',
    restName: 'show_top_bar',
    description: 'Whether the top bar is shown. Always true while the mode is `USER_DEFINED`.',
    inputs: { create: true, update: true },
    default: true,
    forced: { value: true, while: { mode: 'USER_DEFINED' }, hint: 'Always on where readers choose the mode.' },
    label: 'top bar',
    hint: 'Title, site and a link to the original.',
  },
  title: {
    type: 'text',
    restName: null,
    description:
      'The title of the source page, as `embedUrl`, the snippet and oEmbed show it: one line of at most 200 characters. It is set with the URL of the page. The frame shows the title that the page has now.',
  },
  version: {
    type: 'integer',
    restName: null,
    description:
      'The version of the embed: 1 when it is created, and one more after each change. See `expectedVersion`.',
  },
  updatedAt: {
    type: 'instant',
    restName: 'updated_at',
    restIn: 'settings',
    description: 'The time of the last change; that of the creation if there was none.',
    isNullable: true,
  },
  externalId: {
    type: 'text',
    restName: 'external_id',
    restIn: 'settings',
    description:
      'The id of the embed in a system of the client: 1 to 200 characters, unique in the account. Null if the create has set none.',
    inputs: {
      create:
        'An id of your own for the embed: 1 to 200 characters, unique in the account. It cannot be changed. `onConflict` says what happens if an embed has it.',
      filter: 'Only the embed with this external id.',
    },
    check: checkExternalId,
    isNullable: true,
    label: 'external id',
  },
} as const satisfies Record<string, Field>;

type Fields = typeof FIELDS;
export type FieldName = keyof Fields;

type NamesOf<Shape> = { [Name in FieldName]: Fields[Name] extends Shape ? Name : never }[FieldName];

export type ValueOf<Name extends FieldName> =
  | SomeValueOf<Name>
  | (Fields[Name] extends { readonly isNullable: true } ? null : never);

type SomeValueOf<Name extends FieldName> = Fields[Name] extends { readonly values: infer Values }
  ? keyof Values
  : Fields[Name]['type'] extends 'boolean'
    ? boolean
    : Fields[Name]['type'] extends 'integer'
      ? number
      : Fields[Name]['type'] extends 'instant'
        ? Date
        : string;

export type ComputedFieldName = NamesOf<{ readonly isComputed: true }>;

export type StoredFields = { readonly [Name in Exclude<FieldName, ComputedFieldName>]: ValueOf<Name> };

/** The fields that clients set and that have a default. */
export type SettingName = NamesOf<{ readonly default: unknown }>;
export type Settings = { readonly [Name in SettingName]: ValueOf<Name> };

export interface NamedField extends Field {
  readonly name: FieldName;
}

export const ALL_FIELDS = namedEntries<Field>(FIELDS) as readonly NamedField[];

export interface RestField extends NamedField {
  readonly restName: string;
}

export const REST_FIELDS = ALL_FIELDS.filter((field): field is RestField => field.restName !== null && !field.restIn);

const SETTING_FIELDS = ALL_FIELDS.filter((field) => field.default !== undefined);
export const SETTING_NAMES = SETTING_FIELDS.map(({ name }) => name) as readonly SettingName[];
export const DEFAULT_SETTINGS = Object.fromEntries(
  SETTING_FIELDS.map((field) => [field.name, field.default]),
) as unknown as Settings;

export function inputFieldsOf(input: InputName): readonly NamedField[] {
  return ALL_FIELDS.filter(({ inputs }) => inputs?.[input] !== undefined).map((field) => {
    const description = field.inputs?.[input];
    return typeof description === 'string' ? { ...field, description } : field;
  });
}

const FORCED_VALUES = SETTING_FIELDS.flatMap(({ name, forced }) =>
  forced
    ? Object.entries(forced.while).map(([other, otherValue]) => ({ name, value: forced.value, other, otherValue }))
    : [],
);

export function applyForcedValues<T extends Settings>(settings: T): T {
  const values: Readonly<Record<string, unknown>> = settings;
  let result = settings;
  for (const { name, value, other, otherValue } of FORCED_VALUES) {
    if (values[other] === otherValue && values[name] !== value) result = { ...result, [name]: value };
  }
  return result;
}

/** Parses a value of a form, query string or CSV. Objects are in JSON. Returns other text unchanged, so that the field's check rejects it. */
export function parseText(type: ValueType, text: string): string | number | boolean | object {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'object') return parseObject(text);
  if (type === 'integer' && /^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  return text;
}

function parseObject(text: string): string | object {
  try {
    return requireJsonObject(text);
  } catch {
    return text;
  }
}
