import type { PagePolicy } from '#reader/page-url';
import { isObject, quote } from '../json.ts';

export type ValueType = 'id' | 'instant' | 'url' | 'uuid' | 'text' | 'boolean' | 'integer' | 'enum' | 'object';

/** Returns null for valid values, or the violated rule as a predicate ("must be …"). */
export type Check = (value: unknown, policy: PagePolicy) => string | null;

/** `showTopBar` and `USER_DEFINED`, or `show_top_bar` and `user_defined`. */
export type Spelling = 'graphql' | 'rest';

/** A parameter in all spellings. */
export interface ParameterSpec {
  readonly name: string;
  /** Null if REST has no such parameter. */
  readonly restName: string | null;
  /** A second name in REST. A request can use only one of them. */
  readonly restAlias?: string;
  readonly type: ValueType;
  readonly description?: string;
  readonly isRequired?: boolean;
  /** The values of an enum, or those that an integer can have in place of a number. */
  readonly values?: Readonly<Record<string, string>>;
  /** Returns how REST spells a value; in lower case unless given. */
  readonly spellInRest?: (value: string) => string;
  /** The value is a list, of some of `values` each once if there are any. In forms they are separated by commas. */
  readonly isList?: boolean;
  /** Null removes the value. */
  readonly isNullable?: boolean;
  readonly check?: Check;
  /** For OpenAPI. */
  readonly pattern?: RegExp;
  /** Converts a valid value to its canonical form. */
  readonly parse?: (value: unknown) => unknown;
  /** The parameters of an object. */
  readonly members?: readonly ParameterSpec[];
}

/** A parameter without its name, as a table of them by name has it. */
export interface DescribedParameter extends Omit<ParameterSpec, 'name'> {
  readonly restName: string;
  readonly description: string;
}

/** A parameter in one spelling. */
export interface Parameter
  extends Pick<
    ParameterSpec,
    'name' | 'type' | 'description' | 'isRequired' | 'isList' | 'isNullable' | 'pattern' | 'parse'
  > {
  /** Name in requests. */
  readonly path: string;
  readonly alias: string | undefined;
  /** Enum values by their spelling in requests; null for other types. */
  readonly values: ReadonlyMap<unknown, string> | null;
  readonly check: Check;
  /** Null unless the parameter is an object. */
  readonly members: ParameterList | null;
}

export class ParameterList {
  readonly spelling: Spelling;
  readonly all: readonly Parameter[];
  readonly byName: ReadonlyMap<string, Parameter>;
  /** By name in requests, including aliases. */
  readonly byPath: ReadonlyMap<string, Parameter>;

  constructor(specs: readonly ParameterSpec[], spelling: Spelling) {
    this.spelling = spelling;
    this.all = specs
      .filter(({ restName }) => spelling === 'graphql' || restName !== null)
      .map((spec) => toParameter(spec, spelling));
    this.byName = new Map(this.all.map((parameter) => [parameter.name, parameter]));
    const byAlias = this.all.flatMap((each) => (each.alias === undefined ? [] : [[each.alias, each] as const]));
    this.byPath = new Map([...this.all.map((each) => [each.path, each] as const), ...byAlias]);
  }
}

function toParameter(spec: ParameterSpec, spelling: Spelling): Parameter {
  const { restName, restAlias, spellInRest = spellValue, values, members, ...shape } = spec;
  const isRest = spelling === 'rest';
  const spell = isRest ? spellInRest : String;
  const spelled = values && new Map(Object.keys(values).map((value) => [spell(value), value]));
  return {
    ...shape,
    path: (isRest && restName) || spec.name,
    alias: isRest ? restAlias : undefined,
    values: spelled ?? null,
    members: members ? new ParameterList(members, spelling) : null,
    check: ruleOf(spec, spelled && [...spelled.keys()], spelling),
  };
}

/** Lists the entries of an object by their names. */
export function namedEntries<Value extends object>(
  record: Readonly<Record<string, Value>>,
): readonly (Value & { readonly name: string })[] {
  return Object.entries(record).map(([name, value]) => ({ name, ...value }));
}

/** Spells a name of the schema in REST: `show_top_bar`. */
export function spellName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the object with the names of its properties in REST. */
export function withRestNames(values: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [spellName(name), value]));
}

/**
 * Spells the names and enum values in backticks of a description as REST does.
 * @param others other spellings, by word
 */
export function spellDescription(description: string, others: Readonly<Record<string, string>>): string {
  return description.replace(/`(\w+)`/g, (_, word: string) => {
    return `\`${others[word] ?? word.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()}\``;
  });
}

/** Spells a value of an enum of the schema in REST. */
export function spellValue(value: string): string {
  return value.toLowerCase();
}

/** Returns the fields as REST spells them. A stored time or boolean can have the form of its database. */
export function spellFields(
  fields: readonly (Pick<ParameterSpec, 'name' | 'type'> & { readonly restName: string })[],
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(({ name, restName, type }) => [restName, spellField(type, values[name])]));
}

function spellField(type: ValueType, value: unknown): unknown {
  if (type === 'boolean') return Boolean(value);
  if (type === 'instant') return new Date(value as string | Date).toISOString();
  return type === 'enum' ? spellValue(String(value)) : value;
}

function ruleOf(
  { type, isList, check = CHECKS[type] }: ParameterSpec,
  values: readonly unknown[] | undefined,
  spelling: Spelling,
): Check {
  if (isList && values) return checkList(values, spelling);
  if (isList) return (value, policy) => check(spelling === 'rest' ? value : toList(value), policy);
  if (!values) return check;
  if (type !== 'integer') return checkEnum(values);
  return (value, policy) => {
    const fault = values.includes(value) ? null : check(value, policy);
    return fault && `${fault}, or ${values.join(', ')}`;
  };
}

function checkEnum(values: readonly unknown[]): Check {
  const message = `must be one of ${values.join(', ')}`;
  return (value) => (values.includes(value) ? null : message);
}

function checkList(values: readonly unknown[], spelling: Spelling): Check {
  const message = `must be a list of one or more of ${values.join(', ')}, each once`;
  return (value) => {
    if (spelling === 'rest' && !Array.isArray(value)) return message;
    const list = toList(value);
    if (list.length === 0) return message;
    const wrong = new Set(list.filter((each) => !values.includes(each)));
    if (wrong.size > 0) return `${message}; not ${[...wrong].map(quote).join(', ')}`;
    const repeated = list.find((each, i) => list.indexOf(each) !== i);
    return repeated === undefined ? null : `${message}; ${repeated} is there twice`;
  };
}

/** Coerces a value to a list like GraphQL does: one value counts as a list of one. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Creates the check of a text. */
export function textCheck(isValid: (text: string) => boolean, message: string): (value: unknown) => string | null {
  return (value) => (typeof value === 'string' && isValid(value) ? null : message);
}

export function wholeNumberCheck(least: number, most: number): Check {
  const message = `must be a whole number from ${least} to ${most}`;
  return (value) => (Number.isInteger(value) && Number(value) >= least && Number(value) <= most ? null : message);
}

const TEXT_MESSAGE = 'must be one string';
const checkText = textCheck(() => true, TEXT_MESSAGE);

const CHECKS: Readonly<Record<ValueType, Check>> = {
  // GraphQL's `ID` can be written as an integer
  id: (value) => (typeof value === 'string' || Number.isInteger(value) ? null : TEXT_MESSAGE),
  instant: checkText,
  url: checkText,
  uuid: checkText,
  text: checkText,
  enum: checkText,
  boolean: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  integer: (value) => (Number.isInteger(value) ? null : 'must be a whole number'),
  object: (value) => (isObject(value) ? null : 'must be an object'),
};
