import { encodePageUrl, findTitleInUrl, MAX_URL_LENGTH, type PagePolicy, pageIdOf } from '#reader/page-url';
import { refuseFaults } from '../../errors.ts';
import { InputReader, readValues, type SentParameters } from '../input/input-reader.ts';
import { namedEntries, ParameterList, type ParameterSpec, type Spelling } from '../input/parameters.ts';
import { CONFLICT_RULES, type ConflictRule, type Draft, type Embed, type Patch, type Source } from './embed.ts';
import { applyForcedValues, DEFAULT_SETTINGS, type InputName, inputFieldsOf, type Settings } from './fields.ts';
import {
  ACCOUNT_SETTINGS,
  EMBED_SETTINGS,
  mergeSettings,
  type NamedSetting,
  SETTINGS,
  type SettingsPatch,
} from './settings.ts';

export type SpelledParameters = Readonly<Record<Spelling, ParameterList>>;

export function spellParameters(specs: readonly ParameterSpec[]): SpelledParameters {
  return { graphql: new ParameterList(specs, 'graphql'), rest: new ParameterList(specs, 'rest') };
}

/** @param isInRest false for inputs of GraphQL whose settings are a resource of their own in REST */
function settingSpecsOf(settings: readonly NamedSetting[], isInRest: boolean): readonly ParameterSpec[] {
  return settings.map(({ members, restName, ...setting }) => ({
    ...setting,
    restName: isInRest ? restName : null,
    isNullable: true,
    ...(members && { members: settingSpecsOf(namedEntries(members), isInRest) }),
  }));
}

export function parameterSpecsOf(input: InputName): readonly ParameterSpec[] {
  return inputFieldsOf(input).map((field) => ({
    ...field,
    isRequired: input === 'create' && field.default === undefined && !field.isNullable,
    // a nullable field can be omitted
    isNullable: false,
  }));
}

const checkVersion = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 1 ? null : 'must be a whole number from 1';

/** Parameters of updates and deletes, which REST has in the path and in headers. */
const TARGET: readonly ParameterSpec[] = [
  { name: 'id', restName: null, type: 'id', isRequired: true },
  { name: 'expectedVersion', restName: null, type: 'integer', check: checkVersion },
];

const GRAPHQL_SETTINGS = settingSpecsOf(EMBED_SETTINGS, false);
export const CREATE_PARAMETERS = spellParameters([
  ...parameterSpecsOf('create'),
  { name: 'onConflict', restName: 'on_conflict', type: 'enum', values: CONFLICT_RULES },
  ...GRAPHQL_SETTINGS,
]);
/** The rows of an import are new embeds without an external id. */
export const IMPORT_PARAMETERS = new ParameterList(
  parameterSpecsOf('create').filter(({ name }) => name !== 'externalId'),
  'rest',
);
export const UPDATE_PARAMETERS = spellParameters([...TARGET, ...parameterSpecsOf('update'), ...GRAPHQL_SETTINGS]);
/** Parameters of the settings of an embed in REST. */
export const SETTINGS_PARAMETERS = new ParameterList(settingSpecsOf(EMBED_SETTINGS, true), 'rest');
export const ACCOUNT_PARAMETERS = spellParameters(settingSpecsOf(ACCOUNT_SETTINGS, true));
const DELETE_PARAMETERS = spellParameters(TARGET);
const REFRESH_PARAMETERS = spellParameters([{ name: 'embedId', restName: null, type: 'id', isRequired: true }]);

export interface CreateValues extends Partial<Settings> {
  readonly pageUrl: string;
  readonly externalId?: string;
  readonly onConflict?: ConflictRule;
}

export interface ExpectedVersion {
  /** The write is rejected if the embed has another version. */
  readonly expectedVersion?: number | undefined;
}

export interface UpdateValues extends Partial<Settings>, ExpectedVersion {
  readonly id?: string | number;
  readonly pageUrl?: string;
  readonly pageId?: string;
}

/** @throws {Refusal} `invalid`, with all faults; so do the other functions that parse input */
export function parseCreateValues(sent: SentParameters, policy: PagePolicy, spelling: Spelling): CreateValues {
  const reader = new InputReader(sent, CREATE_PARAMETERS[spelling], policy);
  reader.readAll();
  const { onConflict = 'ERROR' } = reader.values;
  // GraphQL adds the default `ERROR` to inputs
  if (onConflict !== 'ERROR' && !reader.has('externalId'))
    reader.addFault('onConflict', `needs ${reader.nameOf('externalId')}`);
  reader.requireNoFaults();
  return reader.values as unknown as CreateValues;
}

export function parseUpdateValues(sent: SentParameters, policy: PagePolicy, spelling: Spelling): UpdateValues {
  const reader = new InputReader(sent, UPDATE_PARAMETERS[spelling], policy);
  reader.readAll();
  if (reader.has('pageUrl') && reader.has('pageId')) {
    reader.addFault('pageId', 'must not be sent together with the URL of the page');
  }
  reader.requireNoFaults();
  return reader.values as UpdateValues;
}

export function createDraft({ pageUrl, onConflict: _, ...values }: CreateValues): Draft {
  const { own, rest } = splitSettings(values);
  const settings = mergeSettings(null, own);
  return applyForcedValues({ ...sourceOf(pageUrl), ...DEFAULT_SETTINGS, externalId: null, ...rest, settings });
}

/** Separates the settings of `settings.ts` from the fields. */
function splitSettings<Values extends object>(values: Values): { own: SettingsPatch; rest: Values } {
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(SETTINGS, name);
  const entries = Object.entries(values);
  const rest = Object.fromEntries(entries.filter((entry) => !isOwn(entry))) as Values;
  return { own: Object.fromEntries(entries.filter(isOwn)), rest };
}

export function parseCreate(
  input: unknown,
  policy: PagePolicy,
): { readonly draft: Draft; readonly settings: SettingsPatch; readonly onConflict: ConflictRule } {
  const values = parseCreateValues({ values: input }, policy, 'graphql');
  return { draft: createDraft(values), settings: splitSettings(values).own, onConflict: values.onConflict ?? 'ERROR' };
}

export function parseDraft(input: unknown, policy: PagePolicy): Draft {
  return parseCreate(input, policy).draft;
}

export function parsePatch(input: unknown, policy: PagePolicy): Patch & ExpectedVersion & { readonly id: string } {
  const { id, expectedVersion, pageUrl, pageId, ...values } = parseUpdateValues({ values: input }, policy, 'graphql');
  const { own, rest: settings } = splitSettings(values);
  const source = pageUrl === undefined ? undefined : sourceOf(pageUrl);
  return { id: String(id), source, pageId, settings, own, expectedVersion };
}

/** Parses the input of the mutation `updateAccount`. */
export function parseAccountPatch(input: unknown, policy: PagePolicy): SettingsPatch {
  return readValues({ values: input }, ACCOUNT_PARAMETERS.graphql, policy);
}

export function parseTarget(input: unknown, policy: PagePolicy): { readonly id: string } & ExpectedVersion {
  const { id, expectedVersion }: UpdateValues = readValues({ values: input }, DELETE_PARAMETERS.graphql, policy);
  return { id: String(id), expectedVersion };
}

/** Returns the embed id in the input of the mutation `refreshPage`. */
export function parseRefresh(input: unknown, policy: PagePolicy): string {
  return String(readValues({ values: input }, REFRESH_PARAMETERS.graphql, policy).embedId);
}

/**
 * Returns the source of an embed whose page gets another URL. The embed keeps its own fragment. It takes the title in the
 * new URL only if its title is the one in the old URL. So a move back to the old URL reverts the move, unless the old URL
 * has another title than the embed, and the new URL has the title of the embed.
 * @throws {Refusal} `invalid` if the URL is too long with the fragment
 */
export function movedSource(pageUrl: string, { pageUrl: before, title }: Pick<Embed, 'pageUrl' | 'title'>): Source {
  const source = sourceOf(pageUrl.replace(/#.*/, '') + before.replace(/^[^#]*/, ''));
  if (source.pageUrl.length > MAX_URL_LENGTH) {
    const message = `must be at most ${MAX_URL_LENGTH} characters with the fragment of each embed`;
    throw refuseFaults([{ path: 'pageUrl', message }]);
  }
  const isTitleOfUrl = title === findTitleInUrl(before);
  return { ...source, title: isTitleOfUrl ? (source.title ?? title) : title };
}

function sourceOf(pageUrl: string): Source {
  const encoded = encodePageUrl(pageUrl);
  return { pageUrl: encoded, pageId: pageIdOf(encoded), title: findTitleInUrl(encoded) };
}
