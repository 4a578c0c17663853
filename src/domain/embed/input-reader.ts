import { type Fault, refuseFaults } from '../../errors.ts';

/** Reads the named parameters of an input one by one and collects what is wrong with any of them. */
export class InputReader {
  readonly faults: Fault[] = [];
  readonly #input: Record<string, unknown>;

  constructor(input: unknown, names: readonly string[]) {
    this.#input = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
    for (const name of Object.keys(this.#input)) {
      if (!names.includes(name)) this.faults.push({ path: name, message: 'is not a parameter of this operation' });
    }
  }

  /** The value when it is present and valid; undefined, with a fault unless it was merely omitted, when not. */
  read<T>(path: string, check: (value: unknown) => Omit<Fault, 'path'> | string | null): T | undefined {
    const value = this.#input[path];
    if (value === undefined) return undefined;
    const fault = value === null ? 'must not be null; leave it out instead' : check(value);
    if (fault === null) return value as T;
    this.faults.push(typeof fault === 'string' ? { path, message: fault } : { path, ...fault });
    return undefined;
  }

  require(path: string): void {
    if (this.#input[path] === undefined) this.faults.push({ path, message: 'is required' });
  }

  has(path: string): boolean {
    return this.#input[path] !== undefined;
  }

  refuseIfFaulty(): void {
    if (this.faults.length > 0) throw refuseFaults(this.faults);
  }
}
