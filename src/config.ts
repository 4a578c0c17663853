import { isAbsolute, resolve } from 'node:path';

/** Everything that an operator decides, checked. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** `file:` with the absolute path of a SQLite file, or `postgresql:`. */
  readonly databaseUrl: string;
  /** How many connections to PostgreSQL are open at most. */
  readonly databasePool: number;
  /** Whether an answer means that the write survives a power cut, or only the end of the process. */
  readonly durability: Durability;
  /** Host, and port where it has one, below which each embed has its own name. */
  readonly embedHost: string;
  /** A full token of the account `default`; any string of 16 or more characters. */
  readonly accessToken: string | null;
  readonly allowPrivatePages: boolean;
  /** `*`, or the origins that browsers may call from. */
  readonly corsOrigins: '*' | readonly string[];
  /** Requests a minute for each token; 0 is off. */
  readonly rateLimit: number;
  /** How long a service that stops says so at `/readyz` before it refuses connections. */
  readonly stopDelayS: number;
  readonly logLevel: LogLevel;
  /** Opens `/metrics` to who sends it as a bearer token; null for no metrics. */
  readonly metricsToken: string | null;
  /** Whether the usual OTEL_ variables ask for traces; which they are is read by the SDK. */
  readonly traces: boolean;
  /** Whether browsers get the console. */
  readonly console: boolean;
  readonly graphiql: boolean;
  /** Whether GraphQL tells callers its schema. */
  readonly introspection: boolean;
  /** Address of a font provider's style sheet, with `{family}` for the name of the font; null for no web fonts. */
  readonly fontCssUrl: string | null;
}

/**
 * The events that an acknowledged write survives. `full`: a power cut, since the write was synced to disk. `fast`: the end of
 * the process; a power cut may undo the last writes, but leaves none half done.
 */
export const DURABILITIES = ['full', 'fast'] as const;
export type Durability = (typeof DURABILITIES)[number];

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A configuration that cannot be used, with every fault of it. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

const PORTS = [1, 65_535] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables one by one and collects what is wrong with any of them. An empty value is an unset one. */
class EnvironmentReader {
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
    const shown = JSON.stringify(withoutPassword(text));
    this.faults.push(`${name} must be ${expected}${name.endsWith('_TOKEN') ? '' : `, not ${shown}`}`);
    return fallback;
  }

  secret(name: string): string | null {
    return this.read<string | null>(name, null, '16 or more ASCII characters without a space at either end', (text) =>
      /^[\x21-\x7e][\x20-\x7e]{14,}[\x21-\x7e]$/.test(text) ? text : undefined,
    );
  }

  /** @param expected what is counted, and its bounds in words */
  wholeNumber(name: string, fallback: number, expected: string, [least, most]: readonly [number, number]): number {
    return this.read(name, fallback, `a whole number ${expected}`, (text) => parseWholeNumber(text, least, most));
  }

  boolean(name: string, fallback: boolean): boolean {
    return this.read(name, fallback, 'true or false', (text) => ({ true: true, false: false })[text]);
  }
}

/**
 * The configuration from the environment.
 * @throws {ConfigError} with every fault at once, before anything opens.
 */
export function readConfig(environment: Environment = process.env): Config {
  const reader = new EnvironmentReader(environment);
  const port = reader.wholeNumber('PORT', 4000, 'from 1 to 65535', PORTS);
  const config: Config = {
    port,
    host: reader.read('HOST', '127.0.0.1', 'a host name or an address', (text) =>
      /^[\w.:-]+$/.test(text) ? text : undefined,
    ),
    databaseUrl: reader.read(
      'DATABASE_URL',
      `file:${resolve('data/embeds.db')}`,
      'file:<path of a file on disk>, without parameters, or postgresql://<user>:<password>@<host>/<database>',
      parseDatabaseUrl,
    ),
    databasePool: reader.wholeNumber('DATABASE_POOL', 10, 'of connections from 1 to 1000', [1, 1_000]),
    durability: reader.read<Durability>('DURABILITY', 'full', 'full or fast', (text) =>
      DURABILITIES.find((choice) => choice === text),
    ),
    embedHost: reader.read('EMBED_HOST', `localhost:${port}`, 'a host name, with a port if it has one', parseHost),
    accessToken: reader.secret('ACCESS_TOKEN'),
    allowPrivatePages: reader.boolean('ALLOW_PRIVATE_PAGES', false),
    corsOrigins: reader.read<Config['corsOrigins']>(
      'CORS_ORIGIN',
      '*',
      '* or origins separated by commas',
      parseOrigins,
    ),
    rateLimit: reader.wholeNumber('RATE_LIMIT', 6000, 'of requests a minute, or 0 for no limit', [0, 999_999_999]),
    stopDelayS: reader.wholeNumber('STOP_DELAY', 0, 'of seconds from 0 to 300', [0, 300]),
    logLevel: reader.read<LogLevel>('LOG_LEVEL', 'info', `one of ${LOG_LEVELS.join(', ')}`, (text) =>
      LOG_LEVELS.find((level) => level === text),
    ),
    metricsToken: reader.secret('METRICS_TOKEN'),
    traces: wantsTraces(environment),
    console: reader.boolean('CONSOLE', true),
    graphiql: reader.boolean('GRAPHIQL', true),
    introspection: reader.boolean('INTROSPECTION', true),
    fontCssUrl: reader.read<string | null>(
      'FONT_CSS_URL',
      'https://fonts.bunny.net/css2?family={family}&display=swap',
      'none, or an https URL with {family} in it',
      parseFontCssUrl,
    ),
  };
  if (reader.faults.length > 0) throw new ConfigError(reader.faults);
  return config;
}

/** As OpenTelemetry's SDK reads them. */
function wantsTraces(environment: Environment): boolean {
  const { OTEL_SDK_DISABLED: disabled, OTEL_TRACES_EXPORTER: exporter } = environment;
  if (disabled?.toLowerCase() === 'true' || exporter === 'none') return false;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint } = environment;
  return Boolean(exporter || endpoint || tracesEndpoint);
}

/** A number in plain decimal digits, without a sign or leading zeros, within its bounds; else undefined. */
function parseWholeNumber(text: string, least: number, most: number): number | undefined {
  const number = /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

/** A URL as it may be shown. */
function withoutPassword(text: string): string {
  return text.replace(/(:\/\/[^/:@]*:).*@/, '$1***@');
}

/** The URL of a database with the absolute path of a file; undefined when it is none. */
export function parseDatabaseUrl(text: string): string | undefined {
  if (/^postgres(ql)?:\/\//.test(text)) {
    return URL.canParse(text) && isNamed(new URL(text)) ? text : undefined;
  }
  const path = /^file:(?:\/\/(?=\/))?([^?#]+)$/.exec(text)?.[1];
  if (path === undefined || path.endsWith('/') || path === ':memory:') return undefined;
  return `file:${isAbsolute(path) ? path : resolve(path)}`;
}

/** Whether a URL names a database, in characters that can be decoded. */
function isNamed({ pathname, username, password }: URL): boolean {
  try {
    for (const part of [pathname, username, password]) decodeURIComponent(part);
    return pathname.length > 1;
  } catch {
    return false;
  }
}

/** A DNS name that leaves room for an id in front of it, in lower case. */
function parseHost(text: string): string | undefined {
  const host = text.toLowerCase();
  const [name = '', port] = host.split(':');
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
  const isName = new RegExp(`^${label}(\\.${label})*$`).test(name) && name.length <= 226 && !/^[\d.]+$/.test(name);
  const isPort = port === undefined || parseWholeNumber(port, ...PORTS) !== undefined;
  return isName && isPort && host.split(':').length <= 2 ? host : undefined;
}

function parseFontCssUrl(text: string): string | null | undefined {
  if (text === 'none') return null;
  const isTemplate = text.includes('{family}') && text.startsWith('https://') && URL.canParse(text);
  return isTemplate ? text : undefined;
}

function parseOrigins(text: string): Config['corsOrigins'] | undefined {
  if (text === '*') return '*';
  const origins = text.split(',').map((origin) => origin.trim());
  const isOrigin = (origin: string) => URL.canParse(origin) && new URL(origin).origin === origin;
  return origins.every(isOrigin) ? origins : undefined;
}
