import type { PagePolicy } from '#reader/page-url';
import { type Fault, refuseFaults } from '../../errors.ts';
import { type Parameter, ParameterList, toList } from './parameters.ts';
import { describeUnknown, UNKNOWN_MESSAGE } from './unknown-parameter.ts';

export const NULL_MESSAGE = 'must not be null; leave it out instead';

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
    // the alias is refused then
    const { path: name } = parameter;
    const isSentTwice = path !== name && Object.hasOwn(this.#sent, name);
    if (isSentTwice) this.#check(parameter, name, this.#sent[name]);
    if (!this.#check(parameter, path, value)) return undefined;
    const valid = this.#translate(parameter, value, path);
    this.values[parameter.name] = valid;
    return valid;
  }

  /** Adds the fault of a value. Returns false if there is one. */
  #check(parameter: Parameter, path: string, value: unknown): boolean {
    const message = this.#findFault(parameter, path, value);
    if (message !== null) this.#addFaultAt(path, message);
    return message === null;
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

const ID = new ParameterList([{ name: 'id', restName: null, type: 'id', isRequired: true }], 'graphql');

/** Parses the input of a mutation that has only the id of its object. @throws {Refusal} `invalid` */
export function parseId(input: unknown, policy: PagePolicy): string {
  return String(readValues({ values: input }, ID, policy).id);
}
