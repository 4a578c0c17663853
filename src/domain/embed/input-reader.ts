import { type Fault, refuseFaults } from '../../errors.ts';
import type { PagePolicy } from '../page/url.ts';
import type { Check, ValueType } from './fields.ts';

/** How names and enum values are written: `showTopBar` and `USER_DEFINED`, or `show_top_bar` and `user_defined`. */
export type Spelling = 'graphql' | 'rest';

/** The definition of a parameter, for every spelling. */
export interface ParameterSpec {
  readonly name: string;
  /** Null when REST has no such parameter. */
  readonly restName: string | null;
  /** A second name in REST, of which only one can be sent. */
  readonly restAlias?: string;
  readonly type: ValueType;
  readonly isRequired?: boolean;
  /** The values of an enum. */
  readonly values?: Readonly<Record<string, string>>;
  readonly check?: Check;
}

/** A parameter in one spelling. */
export interface Parameter {
  readonly name: string;
  /** The name as it is sent. */
  readonly path: string;
  readonly alias: string | undefined;
  readonly type: ValueType;
  readonly isRequired: boolean;
  /** The enum values, by the way they are sent; null for other types. */
  readonly values: ReadonlyMap<unknown, string> | null;
  readonly check: Check;
}

/** The parameters of an operation in one spelling. */
export class ParameterList {
  readonly all: readonly Parameter[];
  readonly required: readonly Parameter[];
  readonly byName: ReadonlyMap<string, Parameter>;
  /** The parameters by the names that can be sent, aliases included. */
  readonly byPath: ReadonlyMap<string, Parameter>;

  constructor(specs: readonly ParameterSpec[], spelling: Spelling) {
    this.all = specs.filter(({ restName }) => spelling === 'graphql' || restName !== null).map(toParameter);
    this.required = this.all.filter(({ isRequired }) => isRequired);
    this.byName = new Map(this.all.map((parameter) => [parameter.name, parameter]));
    const aliased = this.all.filter(({ alias }) => alias !== undefined);
    this.byPath = new Map([
      ...this.all.map((each) => [each.path, each] as const),
      ...aliased.map((each) => [each.alias ?? '', each] as const),
    ]);

    function toParameter({ name, restName, restAlias, type, isRequired = false, values, check }: ParameterSpec): Parameter {
      const path = (spelling === 'rest' && restName) || name;
      const alias = spelling === 'rest' ? restAlias : undefined;
      const spelled = values && new Map(Object.keys(values).map((value) => [spellValue(value, spelling), value]));
      const rule = spelled ? checkEnum([...spelled.keys()]) : (check ?? CHECKS[type]);
      return { name, path, alias, type, isRequired, values: spelled ?? null, check: rule };
    }
  }
}

/** Writes an enum value in a spelling. */
export function spellValue(value: string, spelling: Spelling): string {
  return spelling === 'rest' ? value.toLowerCase() : value;
}

function checkEnum(values: readonly unknown[]): Check {
  const message = `must be one of ${values.join(', ')}`;
  return (value) => (values.includes(value) ? null : message);
}

const checkText: Check = (value) => (typeof value === 'string' ? null : 'must be one string');

/** The rules of types, for parameters without a rule of their own. */
const CHECKS: Readonly<Record<ValueType, Check>> = {
  id: checkText,
  instant: checkText,
  url: checkText,
  uuid: checkText,
  text: checkText,
  enum: checkText,
  boolean: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  integer: (value) => (Number.isInteger(value) ? null : 'must be a whole number'),
};

/** The parameters of a request, as they were sent. */
export interface SentParameters {
  /** By name. A value that is no object has no parameters. */
  readonly values: unknown;
  /** The names that a query string or form contains more than once. */
  readonly repeated?: ReadonlySet<string>;
  /** The names of parameters in the query string of an operation that takes its parameters from the body. */
  readonly misplaced?: readonly string[];
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Reads the parameters of one input, and collects all faults. */
export class InputReader {
  readonly faults: Fault[] = [];
  /** The valid values that were read, by the names of the schema. Omitted parameters are absent. */
  readonly values: Record<string, unknown> = {};
  readonly #sent: Readonly<Record<string, unknown>>;
  readonly #repeated: ReadonlySet<string>;
  readonly #list: ParameterList;
  readonly #policy: PagePolicy;

  constructor({ values, repeated = NO_NAMES, misplaced = [] }: SentParameters, list: ParameterList, policy: PagePolicy) {
    this.#sent = typeof values === 'object' && values !== null ? (values as Record<string, unknown>) : {};
    this.#repeated = repeated;
    this.#list = list;
    this.#policy = policy;
    for (const path of misplaced) this.#refuse(path, UNKNOWN_MESSAGE);
    for (const path of Object.keys(this.#sent)) if (!list.byPath.has(path)) this.#refuse(path, UNKNOWN_MESSAGE);
  }

  /** Reads all parameters in the order of the list. Required ones that are missing are faults. */
  readAll(): void {
    for (const parameter of this.#list.all) {
      if (parameter.isRequired && !this.has(parameter.name)) this.addFault(parameter.name, 'is required');
      this.#read(parameter);
    }
  }

  /** Returns the value if the parameter was sent and is valid, or else undefined. */
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
      this.#refuse(path, message);
      return undefined;
    }
    const valid = parameter.values ? parameter.values.get(value) : value;
    this.values[parameter.name] = valid;
    return valid;
  }

  #findFault({ path: name, alias, check }: Parameter, path: string, value: unknown): string | null {
    if (path === alias && Object.hasOwn(this.#sent, name)) return `is another name for ${name}; send one of them`;
    if (this.#repeated.has(path)) return 'must be sent once';
    return value === null ? NULL_MESSAGE : check(value, this.#policy);
  }

  #pathOf({ path, alias }: Parameter): string {
    return alias !== undefined && Object.hasOwn(this.#sent, alias) ? alias : path;
  }

  #refuse(path: string, message: string): void {
    this.faults.push({ path, message });
  }

  /** Adds a fault of a parameter. */
  addFault(name: string, message: string): void {
    this.#refuse(this.nameOf(name), message);
  }

  /** The name of a parameter as it is sent. */
  nameOf(name: string): string {
    return this.#list.byName.get(name)?.path ?? name;
  }

  has(name: string): boolean {
    const parameter = this.#list.byName.get(name);
    return parameter !== undefined && this.#sent[this.#pathOf(parameter)] !== undefined;
  }

  /** @throws {Refusal} `invalid`, with all faults */
  requireNoFaults(): void {
    if (this.faults.length > 0) throw refuseFaults(this.faults);
  }
}

export const NULL_MESSAGE = 'must not be null; leave it out instead';
const UNKNOWN_MESSAGE = 'is not a parameter of this operation';
