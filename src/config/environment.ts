export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** Variables whose values no message repeats. */
const SECRETS = /_TOKEN$|_SECRET$|^PURGE_HEADER$/;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables and collects their faults. An empty variable counts as unset. */
export class EnvironmentReader {
  readonly faults: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  read<T>(name: string, fallback: T, expected: string, parse: (text: string) => T | undefined): T {
    const text = this.#environment[name];
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value !== undefined) return value;
    const shown = JSON.stringify(withoutSecrets(text));
    this.faults.push(`${name} must be ${expected}${SECRETS.test(name) ? '' : `, not ${shown}`}`);
    return fallback;
  }

  text<T extends string | null>(name: string, fallback: T, expected: string, form: RegExp): T | string {
    return this.read<T | string>(name, fallback, expected, (text) => (form.test(text) ? text : undefined));
  }

  secret(name: string): string | null {
    const form = /^[\x21-\x7e][\x20-\x7e]{14,}[\x21-\x7e]$/;
    return this.text(name, null, '16 or more ASCII characters without a space at either end', form);
  }

  choice<T extends string, Fallback extends T | null>(name: string, fallback: Fallback, choices: readonly T[]) {
    const expected = choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ');
    return this.read<T | Fallback>(name, fallback, expected, (text) => choices.find((choice) => choice === text));
  }

  wholeNumber(name: string, fallback: number, expected: string, [least, most]: readonly [number, number]): number {
    return this.read(name, fallback, `a whole number ${expected}`, (text) => parseWholeNumber(text, least, most));
  }

  boolean(name: string, fallback: boolean): boolean {
    return this.read(name, fallback, 'true or false', (text) => ({ true: true, false: false })[text]);
  }
}

/** Accepts decimal digits without a sign or leading zeros. */
export function parseWholeNumber(text: string, least: number, most: number): number | undefined {
  const number = /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

/** Masks the password of a URL, and the values of its query: behind an `@`, one may be the end of a password. */
function withoutSecrets(text: string): string {
  if (!text.includes('://')) return text;
  const masked = text.replace(/([?&](?!target_session_attrs=)[^=&\s]*=)[^&\s@]*(@?)[^&\s]*/g, '$1***$2');
  return masked.replace(/(:\/\/[^/:@]*:).*@/, '$1***@');
}
