import { findTitleInUrl, type PagePolicy, pageIdOf, encodePageUrl } from '../page/url.ts';
import type { Draft, Patch, Source } from './embed.ts';
import { applyForcedValues, DEFAULT_SETTINGS, type InputName, inputFieldsOf, type Settings } from './fields.ts';
import { InputReader, ParameterList, type ParameterSpec, type SentParameters, type Spelling } from './input-reader.ts';

/** Parameters by spelling. */
export type SpelledParameters = Readonly<Record<Spelling, ParameterList>>;

export function spellParameters(specs: readonly ParameterSpec[]): SpelledParameters {
  return { graphql: new ParameterList(specs, 'graphql'), rest: new ParameterList(specs, 'rest') };
}

/** Returns the fields of an input as parameters. Those of a create that have no default are required. */
export function parameterSpecsOf(input: InputName): readonly ParameterSpec[] {
  return inputFieldsOf(input).map((field) => ({
    ...field,
    isRequired: input === 'create' && field.default === undefined,
  }));
}

/** GraphQL's ids can be written as integers. */
const checkId = (value: unknown) =>
  typeof value === 'string' || Number.isInteger(value) ? null : 'must be one string';

const checkVersion = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 1 ? null : 'must be a whole number from 1';

/** The parameters that name the embed of an update or a delete. REST has them in the path and in headers. */
const TARGET: readonly ParameterSpec[] = [
  { name: 'id', restName: null, type: 'id', isRequired: true, check: checkId },
  { name: 'expectedVersion', restName: null, type: 'integer', check: checkVersion },
];

export const CREATE_PARAMETERS = spellParameters(parameterSpecsOf('create'));
export const UPDATE_PARAMETERS = spellParameters([...TARGET, ...parameterSpecsOf('update')]);
const DELETE_PARAMETERS = spellParameters(TARGET);

/** The valid parameters of a create, by the names of the schema. */
export interface CreateValues extends Partial<Settings> {
  readonly pageUrl: string;
}

/** Part of an update or a delete, which is refused when the embed has another version. Undefined accepts any version. */
export interface ExpectedVersion {
  readonly expectedVersion?: number | undefined;
}

/** The valid parameters of an update, by the names of the schema. */
export interface UpdateValues extends Partial<Settings>, ExpectedVersion {
  readonly id?: string | number;
  readonly pageUrl?: string;
  readonly pageId?: string;
}

/**
 * Reads the parameters of a create.
 * @throws {Refusal} `invalid`, with all faults
 */
export function parseCreateValues(sent: SentParameters, policy: PagePolicy, spelling: Spelling): CreateValues {
  const reader = new InputReader(sent, CREATE_PARAMETERS[spelling], policy);
  reader.readAll();
  reader.requireNoFaults();
  return reader.values as unknown as CreateValues;
}

/**
 * Reads the parameters of an update.
 * @throws {Refusal} `invalid`, with all faults
 */
export function parseUpdateValues(sent: SentParameters, policy: PagePolicy, spelling: Spelling): UpdateValues {
  const reader = new InputReader(sent, UPDATE_PARAMETERS[spelling], policy);
  reader.readAll();
  if (reader.has('pageUrl') && reader.has('pageId')) {
    reader.addFault('pageId', 'must not be sent together with the URL of the page');
  }
  reader.requireNoFaults();
  return reader.values as UpdateValues;
}

/** Creates the draft of an embed, with defaults for omitted settings. */
export function createDraft({ pageUrl, ...settings }: CreateValues): Draft {
  return applyForcedValues({ ...sourceOf(pageUrl), ...DEFAULT_SETTINGS, ...settings });
}

/**
 * Parses the input of the mutation `createEmbed`.
 * @throws {Refusal} `invalid`, with all faults
 */
export function parseDraft(input: unknown, policy: PagePolicy): Draft {
  return createDraft(parseCreateValues({ values: input }, policy, 'graphql'));
}

/**
 * Parses the input of the mutation `updateEmbed`.
 * @throws {Refusal} `invalid`, with all faults
 */
export function parsePatch(input: unknown, policy: PagePolicy): Patch & ExpectedVersion {
  const { id: _, expectedVersion, pageUrl, pageId, ...settings } = parseUpdateValues({ values: input }, policy, 'graphql');
  return { source: pageUrl === undefined ? undefined : sourceOf(pageUrl), pageId, settings, expectedVersion };
}

/**
 * Parses the input of the mutation `deleteEmbed`.
 * @throws {Refusal} `invalid`, with all faults
 */
export function parseTarget(input: unknown, policy: PagePolicy): { readonly id: string } & ExpectedVersion {
  const reader = new InputReader({ values: input }, DELETE_PARAMETERS.graphql, policy);
  reader.readAll();
  reader.requireNoFaults();
  const { id, expectedVersion } = reader.values as Pick<UpdateValues, 'id' | 'expectedVersion'>;
  return { id: String(id), expectedVersion };
}

function sourceOf(pageUrl: string): Source {
  const stored = encodePageUrl(pageUrl);
  return { pageUrl: stored, pageId: pageIdOf(stored), title: findTitleInUrl(stored) };
}
