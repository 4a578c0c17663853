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
  /** Converts a valid value to its canonical form. */
  readonly parse?: (value: unknown) => unknown;
  /** The parameters of an object. */
  readonly members?: readonly ParameterSpec[];
}

/** A parameter in one spelling. */
export interface Parameter {
  readonly name: string;
  /** Name in requests. */
  readonly path: string;
  readonly alias: string | undefined;
  readonly type: ValueType;
  readonly isRequired: boolean;
  /** Enum values by their spelling in requests; null for other types. */
  readonly values: ReadonlyMap<unknown, string> | null;
  readonly isList: boolean;
  readonly isNullable: boolean;
  readonly check: Check;
  readonly parse: ((value: unknown) => unknown) | undefined;
  /** Null unless the parameter is an object. */
  readonly members: ParameterList | null;
}

export class ParameterList {
  readonly spelling: Spelling;
  readonly all: readonly Parameter[];
  readonly required: readonly Parameter[];
  readonly byName: ReadonlyMap<string, Parameter>;
  /** By name in requests, including aliases. */
  readonly byPath: ReadonlyMap<string, Parameter>;

  constructor(specs: readonly ParameterSpec[], spelling: Spelling) {
    this.spelling = spelling;
    this.all = specs.filter(({ restName }) => spelling === 'graphql' || restName !== null).map(toParameter);
    this.required = this.all.filter(({ isRequired }) => isRequired);
    this.byName = new Map(this.all.map((parameter) => [parameter.name, parameter]));
    const aliased = this.all.filter(({ alias }) => alias !== undefined);
    this.byPath = new Map([
      ...this.all.map((each) => [each.path, each] as const),
      ...aliased.map((each) => [each.alias ?? '', each] as const),
    ]);

    function toParameter({
      name,
      restName,
      restAlias,
      type,
      isRequired = false,
      values,
      spellInRest = (value) => spellValue(value, 'rest'),
      isList = false,
      isNullable = false,
      check = CHECKS[type],
      parse,
      members,
    }: ParameterSpec): Parameter {
      const path = (spelling === 'rest' && restName) || name;
      const alias = spelling === 'rest' ? restAlias : undefined;
      const spell = spelling === 'rest' ? spellInRest : String;
      const spelled = values && new Map(Object.keys(values).map((value) => [spell(value), value]));
      const rule = ruleOf({ type, isList, check }, spelled && [...spelled.keys()], spelling);
      const nested = members ? new ParameterList(members, spelling) : null;
      const shape = { type, isRequired, isList, isNullable, values: spelled ?? null, members: nested };
      return { name, path, alias, ...shape, check: rule, parse };
    }
  }
}

/** Spells a name of the schema in REST: `show_top_bar`. */
export function spellName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the object with the names of its properties in REST. */
export function withRestNames(values: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [spellName(name), value]));
}

export function spellValue(value: string, spelling: Spelling): string {
  return spelling === 'rest' ? value.toLowerCase() : value;
}

function ruleOf(
  { type, isList, check }: Pick<Parameter, 'type' | 'isList' | 'check'>,
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

const checkText: Check = (value) => (typeof value === 'string' ? null : 'must be one string');

const CHECKS: Readonly<Record<ValueType, Check>> = {
  id: checkText,
  instant: checkText,
  url: checkText,
  uuid: checkText,
  text: checkText,
  enum: checkText,
  boolean: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  integer: (value) => (Number.isInteger(value) ? null : 'must be a whole number'),
  object: (value) => (isObject(value) ? null : 'must be an object'),
};
