import { encodePageUrl, findTitleInUrl, type PagePolicy, pageIdOf } from '#reader/page-url';
import type { Draft, Patch, Source } from './embed.ts';
import { applyForcedValues, DEFAULT_SETTINGS, type InputName, inputFieldsOf, type Settings } from './fields.ts';
import {
  InputReader,
  ParameterList,
  type ParameterSpec,
  readValues,
  type SentParameters,
  type Spelling,
} from './input-reader.ts';

export type SpelledParameters = Readonly<Record<Spelling, ParameterList>>;

export function spellParameters(specs: readonly ParameterSpec[]): SpelledParameters {
  return { graphql: new ParameterList(specs, 'graphql'), rest: new ParameterList(specs, 'rest') };
}

export function parameterSpecsOf(input: InputName): readonly ParameterSpec[] {
  return inputFieldsOf(input).map((field) => ({
    ...field,
    isRequired: input === 'create' && field.default === undefined,
  }));
}

/** Accepts integers too: GraphQL's `ID` can be written as one. */
export const checkId = (value: unknown) =>
  typeof value === 'string' || Number.isInteger(value) ? null : 'must be one string';

const checkVersion = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 1 ? null : 'must be a whole number from 1';

/** Parameters of updates and deletes, which REST has in the path and in headers. */
const TARGET: readonly ParameterSpec[] = [
  { name: 'id', restName: null, type: 'id', isRequired: true, check: checkId },
  { name: 'expectedVersion', restName: null, type: 'integer', check: checkVersion },
];

export const CREATE_PARAMETERS = spellParameters(parameterSpecsOf('create'));
export const UPDATE_PARAMETERS = spellParameters([...TARGET, ...parameterSpecsOf('update')]);
const DELETE_PARAMETERS = spellParameters(TARGET);
const REFRESH_PARAMETERS = spellParameters([
  { name: 'embedId', restName: null, type: 'id', isRequired: true, check: checkId },
]);

export interface CreateValues extends Partial<Settings> {
  readonly pageUrl: string;
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
  return readValues(sent, CREATE_PARAMETERS[spelling], policy) as unknown as CreateValues;
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

export function createDraft({ pageUrl, ...settings }: CreateValues): Draft {
  return applyForcedValues({ ...sourceOf(pageUrl), ...DEFAULT_SETTINGS, ...settings });
}

export function parseDraft(input: unknown, policy: PagePolicy): Draft {
  return createDraft(parseCreateValues({ values: input }, policy, 'graphql'));
}

export function parsePatch(input: unknown, policy: PagePolicy): Patch & ExpectedVersion {
  const {
    id: _,
    expectedVersion,
    pageUrl,
    pageId,
    ...settings
  } = parseUpdateValues({ values: input }, policy, 'graphql');
  return { source: pageUrl === undefined ? undefined : sourceOf(pageUrl), pageId, settings, expectedVersion };
}

export function parseTarget(input: unknown, policy: PagePolicy): { readonly id: string } & ExpectedVersion {
  const values: Pick<UpdateValues, 'id' | 'expectedVersion'> = readValues(
    { values: input },
    DELETE_PARAMETERS.graphql,
    policy,
  );
  const { id, expectedVersion } = values;
  return { id: String(id), expectedVersion };
}

/** Parses the input of the mutation `refreshPage`. */
export function parseRefresh(input: unknown, policy: PagePolicy): { readonly embedId: string } {
  return { embedId: String(readValues({ values: input }, REFRESH_PARAMETERS.graphql, policy).embedId) };
}

function sourceOf(pageUrl: string): Source {
  const encoded = encodePageUrl(pageUrl);
  return { pageUrl: encoded, pageId: pageIdOf(encoded), title: findTitleInUrl(encoded) };
}
