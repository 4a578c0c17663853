import { distance } from 'fastest-levenshtein';
import type { PagePolicy } from '#reader/page-url';
import { type Fault, MAX_PATH_LENGTH, refuseFaults } from '../../errors.ts';
import { isObject } from '../json.ts';
import type { Check, ValueType } from './fields.ts';

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
    const isValid =
      list.length > 0 && new Set(list).size === list.length && list.every((each) => values.includes(each));
    return isValid ? null : message;
  };
}

/** Coerces a value to a list like GraphQL does: one value counts as a list of one. */
function toList(value: unknown): readonly unknown[] {
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

export interface SentParameters {
  /** By name. A value that is not an object has no parameters. */
  readonly values: unknown;
  /** Names that were sent more than once. */
  readonly repeated?: ReadonlySet<string>;
  /** Names in the query string of an operation that reads its parameters from the body. */
  readonly misplaced?: readonly string[];
}

const NO_NAMES: ReadonlySet<string> = new Set();

export class InputReader {
  readonly faults: Fault[] = [];
  /** Valid values, by the names of the schema. */
  readonly values: Record<string, unknown> = {};
  readonly #sent: Readonly<Record<string, unknown>>;
  readonly #repeated: ReadonlySet<string>;
  readonly #list: ParameterList;
  readonly #policy: PagePolicy;

  constructor(
    { values, repeated = NO_NAMES, misplaced = [] }: SentParameters,
    list: ParameterList,
    policy: PagePolicy,
  ) {
    this.#sent = typeof values === 'object' && values !== null ? (values as Record<string, unknown>) : {};
    this.#repeated = repeated;
    this.#list = list;
    this.#policy = policy;
    for (const path of misplaced) this.#addFaultAt(path, UNKNOWN_MESSAGE);
    for (const path of Object.keys(this.#sent))
      if (!list.byPath.has(path)) this.#addFaultAt(path, describeUnknown(path, list));
  }

  readAll(): void {
    for (const parameter of this.#list.all) {
      if (parameter.isRequired && !this.has(parameter.name)) this.addFault(parameter.name, 'is required');
      this.#read(parameter);
    }
  }

  /** Returns undefined if the parameter is omitted or invalid. */
  read<T>(name: string): T | undefined {
    const parameter = this.#list.byName.get(name);
    return parameter && (this.#read(parameter) as T | undefined);
  }

  #read(parameter: Parameter): unknown {
    const path = this.#pathOf(parameter);
    const value = this.#sent[path];
    if (value === undefined) return undefined;
    const message = this.#findFault(parameter, path, value);
    if (message !== null) {
      this.#addFaultAt(path, message);
      return undefined;
    }
    const valid = this.#translate(parameter, value, path);
    this.values[parameter.name] = valid;
    return valid;
  }

  #readMembers(list: ParameterList, values: unknown, path: string): unknown {
    const reader = new InputReader({ values, repeated: this.#repeated }, list, this.#policy);
    reader.readAll();
    for (const fault of reader.faults) this.#addFaultAt(`${path}.${fault.path}`, fault.message);
    return reader.values;
  }

  /** Returns a valid value in the spelling of the schema. */
  #translate({ values, isList, members, parse }: Parameter, value: unknown, path: string): unknown {
    if (value === null) return null;
    if (members) return this.#readMembers(members, value, path);
    const translate = (each: unknown) => values?.get(each) ?? each;
    const translated = isList ? toList(value).map(translate) : translate(value);
    return parse ? parse(translated) : translated;
  }

  #findFault(
    { path: name, alias, isRequired, isNullable, check }: Parameter,
    path: string,
    value: unknown,
  ): string | null {
    if (path === alias && Object.hasOwn(this.#sent, name)) return `is another name for ${name}; send one of them`;
    if (this.#repeated.has(path)) return 'must be sent once';
    if (value === null && isNullable) return null;
    if (value === null) return isRequired ? 'is required, and must not be null' : NULL_MESSAGE;
    return check(value, this.#policy);
  }

  #pathOf({ path, alias }: Parameter): string {
    return alias !== undefined && Object.hasOwn(this.#sent, alias) ? alias : path;
  }

  #addFaultAt(path: string, message: string): void {
    this.faults.push({ path, message });
  }

  addFault(name: string, message: string): void {
    this.#addFaultAt(this.nameOf(name), message);
  }

  nameOf(name: string): string {
    return this.#list.byName.get(name)?.path ?? name;
  }

  has(name: string): boolean {
    const parameter = this.#list.byName.get(name);
    return parameter !== undefined && this.#sent[this.#pathOf(parameter)] !== undefined;
  }

  /** @throws {Refusal} `invalid` */
  requireNoFaults(): void {
    if (this.faults.length > 0) throw refuseFaults(this.faults);
  }
}

/**
 * Reads all parameters of a list. Returns the values by the names of the schema.
 * @throws {Refusal} `invalid`, with all faults
 */
export function readValues(
  sent: SentParameters,
  list: ParameterList,
  policy: PagePolicy,
): Readonly<Record<string, unknown>> {
  const reader = new InputReader(sent, list, policy);
  reader.readAll();
  reader.requireNoFaults();
  return reader.values;
}

export const NULL_MESSAGE = 'must not be null; leave it out instead';
const UNKNOWN_MESSAGE = 'is not a parameter of this operation';

/** Parameters of other APIs' lists that have no equivalent here. */
const PAGING_NAMES = new Set(['page', 'offset', 'skip', 'cursor', 'start']);
/** Names in other APIs, and the plain names here. */
const SYNONYMS = new Map([
  ['q', 'search'],
  ['query', 'search'],
  ['sort', 'orderby'],
  ['sortby', 'orderby'],
  ['limit', 'first'],
  ['theme', 'mode'],
]);
const MAX_TYPOS = 2;

function describeUnknown(path: string, { byPath, spelling }: ParameterList): string {
  const cursor = spelling === 'rest' ? 'end_cursor' : 'endCursor';
  if (byPath.has('after') && PAGING_NAMES.has(path))
    return `${UNKNOWN_MESSAGE}; page with \`after\`, the \`${cursor}\` of the previous page`;
  const similar = findSimilarName(path, [...byPath.keys()]);
  return similar === undefined ? UNKNOWN_MESSAGE : `${UNKNOWN_MESSAGE}; did you mean \`${similar}\`?`;
}

/** Finds the name that a client meant: a synonym, a part of it, or the same with few typing errors. */
export function findSimilarName(sentName: string, names: readonly string[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const sent = plain(sentName.slice(0, MAX_PATH_LENGTH));
  const synonym = SYNONYMS.get(sent);
  const meant = names.find((name) => plain(name) === synonym);
  return (
    meant ??
    names.find((name) => {
      const known = plain(name);
      const isPart = sent.length > 2 && (known.includes(sent) || sent.includes(known));
      return isPart || distance(sent, known) <= Math.min(MAX_TYPOS, known.length / 2);
    })
  );
}
