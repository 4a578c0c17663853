import { accessSync, constants } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';

export interface Config {
  readonly port: number;
  readonly host: string;
  /** `file:` with the absolute path of a SQLite file, or `postgresql:`. */
  readonly databaseUrl: string;
  readonly databasePool: number;
  readonly durability: Durability;
  /** The host, with its port if any, whose subdomains are the embeds. */
  readonly embedHost: string;
  /** Serves embeds as well, but appears in no URL: `localhost:PORT`, the former default. Null if `EMBED_HOST` is set. */
  readonly embedHostAlias: string | null;
  /** The scheme of embed URLs; null for `https`, or `http` below `localhost`. */
  readonly embedScheme: EmbedScheme | null;
  readonly accessToken: string | null;
  readonly allowPrivatePages: boolean;
  /** `auto`, `off`, the absolute path of a Chromium, or the WebSocket URL of a remote one. */
  readonly renderer: string;
  /** False if a container isolates the browser instead of its own sandbox. */
  readonly rendererSandbox: boolean;
  readonly corsOrigins: '*' | readonly string[];
  /** Requests per minute and token; 0 for no limit. */
  readonly rateLimit: number;
  /** Seconds between 503 on `/readyz` and the close of the listener. */
  readonly stopDelayS: number;
  readonly robots: RobotsChoice;
  /** Embeds load pictures from this service instead of their sites. */
  readonly imageProxy: boolean;
  readonly logLevel: LogLevel;
  readonly metricsToken: string | null;
  /** True if the OTEL_ variables configure traces. OpenTelemetry's SDK reads the details. */
  readonly traces: boolean;
  readonly console: boolean;
  readonly graphiql: boolean;
  readonly introspection: boolean;
  /** Absolute path of the manifest of the documents that may run; null for all documents. */
  readonly trustedDocuments: string | null;
  /** The URL of a style sheet with `{family}` for the font's name; null for no web fonts. */
  readonly fontCssUrl: string | null;
  /** Seconds for which rendered pages are served while the database is away; 0 for never. */
  readonly staleIfErrorS: number;
  /** Where a CDN is told what has changed, with `{key}` or `{url}` for one request per key or URL; null without a CDN. */
  readonly purgeUrl: string | null;
  /** A header of all purges, such as a credential. */
  readonly purgeHeader: Header | null;
}

export interface Header {
  readonly name: string;
  readonly value: string;
}

/** An acknowledged write survives a power cut (`full`) or only a crash of the process (`fast`). No write is ever half done. */
export const DURABILITIES = ['full', 'fast'] as const;
export type Durability = (typeof DURABILITIES)[number];

export const EMBED_SCHEMES = ['https', 'http'] as const;
export type EmbedScheme = (typeof EMBED_SCHEMES)[number];

/** Robots directives that count: those for all robots and for this service (`respect`), or only the latter (`named`). */
export const ROBOTS_CHOICES = ['respect', 'named'] as const;
export type RobotsChoice = (typeof ROBOTS_CHOICES)[number];

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** Variables whose values no message repeats. */
const SECRETS = /_TOKEN$|^PURGE_HEADER$/;

const PORTS = [1, 65_535] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables and collects their faults. An empty variable counts as unset. */
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
    this.faults.push(`${name} must be ${expected}${SECRETS.test(name) ? '' : `, not ${shown}`}`);
    return fallback;
  }

  secret(name: string): string | null {
    return this.read<string | null>(name, null, '16 or more ASCII characters without a space at either end', (text) =>
      /^[\x21-\x7e][\x20-\x7e]{14,}[\x21-\x7e]$/.test(text) ? text : undefined,
    );
  }

  wholeNumber(name: string, fallback: number, expected: string, [least, most]: readonly [number, number]): number {
    return this.read(name, fallback, `a whole number ${expected}`, (text) => parseWholeNumber(text, least, most));
  }

  boolean(name: string, fallback: boolean): boolean {
    return this.read(name, fallback, 'true or false', (text) => ({ true: true, false: false })[text]);
  }
}

/** @throws {ConfigError} with every fault */
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
      'file:<path of a file on disk>, without parameters, or postgresql://<user>:<password>@<host>[,<host>…]/<database>, with target_session_attrs=read-write if it has one',
      parseDatabaseUrl,
    ),
    databasePool: reader.wholeNumber('DATABASE_POOL', 10, 'of connections from 1 to 1000', [1, 1_000]),
    durability: reader.read<Durability>('DURABILITY', 'full', 'full or fast', (text) =>
      DURABILITIES.find((choice) => choice === text),
    ),
    ...readEmbedHosts(reader, port),
    embedScheme: reader.read<EmbedScheme | null>('EMBED_SCHEME', null, 'https or http', (text) =>
      EMBED_SCHEMES.find((scheme) => scheme === text),
    ),
    accessToken: reader.secret('ACCESS_TOKEN'),
    allowPrivatePages: reader.boolean('ALLOW_PRIVATE_PAGES', false),
    ...readRenderer(reader),
    robots: reader.read<RobotsChoice>('ROBOTS', 'respect', 'respect or named', (text) =>
      ROBOTS_CHOICES.find((choice) => choice === text),
    ),
    imageProxy: reader.boolean('IMAGE_PROXY', false),
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
    traces: hasTraces(environment),
    console: reader.boolean('CONSOLE', true),
    graphiql: reader.boolean('GRAPHIQL', true),
    introspection: reader.boolean('INTROSPECTION', true),
    trustedDocuments: reader.read<string | null>('TRUSTED_DOCUMENTS', null, 'a path', (text) => resolve(text)),
    fontCssUrl: reader.read<string | null>(
      'FONT_CSS_URL',
      'https://fonts.bunny.net/css2?family={family}&display=swap',
      'none, or an https URL with {family} in it',
      parseFontCssUrl,
    ),
    staleIfErrorS: reader.wholeNumber('STALE_IF_ERROR', 600, 'of seconds from 0 to 86400', [0, 86_400]),
    purgeUrl: reader.read<string | null>(
      'PURGE_URL',
      null,
      'an http or https URL without a user, with {key}, {url} or neither',
      parsePurgeUrl,
    ),
    purgeHeader: reader.read<Header | null>('PURGE_HEADER', null, 'one header, <name>: <value>', parseHeader),
  };
  if (reader.faults.length > 0) throw new ConfigError(reader.faults);
  return config;
}

/**
 * A host that is set serves alone. The default is not `localhost` itself: Chromium runs a process for each site, and each
 * name directly below `localhost` is a site, while all names below `embeds.localhost` are one.
 */
function readEmbedHosts(reader: EnvironmentReader, port: number): Pick<Config, 'embedHost' | 'embedHostAlias'> {
  const expected = 'a host name, with a port if it has one';
  const embedHost = reader.read<string | null>('EMBED_HOST', null, expected, parseHost);
  if (embedHost !== null) return { embedHost, embedHostAlias: null };
  return { embedHost: `embeds.localhost:${port}`, embedHostAlias: `localhost:${port}` };
}

/** As root, Chromium has no sandbox. With `auto` that is no fault: there is then no renderer. */
function readRenderer(reader: EnvironmentReader): Pick<Config, 'renderer' | 'rendererSandbox'> {
  const expected = 'auto, off, the absolute path of a Chromium that can be executed, or a ws:// or wss:// URL';
  const renderer = reader.read('RENDERER', 'auto', expected, parseRenderer);
  const rendererSandbox = reader.boolean('RENDERER_SANDBOX', true);
  if (isAbsolute(renderer) && rendererSandbox && process.getuid?.() === 0) {
    reader.faults.push(
      'RENDERER is a path, but as root Chromium has no sandbox: run the service as another user, or set RENDERER_SANDBOX=false if a container isolates it',
    );
  }
  return { renderer, rendererSandbox };
}

function parseRenderer(text: string): string | undefined {
  if (text === 'auto' || text === 'off') return text;
  if (/^wss?:\/\//.test(text)) return URL.canParse(text) ? text : undefined;
  return isAbsolute(text) && isExecutable(text) ? text : undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function hasTraces(environment: Environment): boolean {
  const { OTEL_SDK_DISABLED: disabled, OTEL_TRACES_EXPORTER: exporter } = environment;
  if (disabled?.toLowerCase() === 'true' || exporter === 'none') return false;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint } = environment;
  return Boolean(exporter || endpoint || tracesEndpoint);
}

/** Accepts decimal digits without a sign or leading zeros. */
function parseWholeNumber(text: string, least: number, most: number): number | undefined {
  const number = /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

function withoutPassword(text: string): string {
  return text.replace(/(:\/\/[^/:@]*:).*@/, '$1***@');
}

/** Makes the path of a file absolute. Returns undefined for an invalid URL. */
export function parseDatabaseUrl(text: string): string | undefined {
  if (/^postgres(ql)?:\/\//.test(text)) {
    const urls = urlsOfHosts(text);
    return urls.every((url) => URL.canParse(url) && isUsable(new URL(url), urls.length > 1)) ? text : undefined;
  }
  const path = /^file:(?:\/\/(?=\/))?([^?#]+)$/.exec(text)?.[1];
  if (path === undefined || path.endsWith('/') || path === ':memory:') return undefined;
  return `file:${isAbsolute(path) ? path : resolve(path)}`;
}

/**
 * Returns a URL for each host of a list: `postgresql://a:5432,b:5433/embeds`, or `?host=a,b&port=5432,5433` with one port for
 * all or for each (libpq, section 34.1.1).
 */
export function urlsOfHosts(text: string): readonly string[] {
  const [, before = '', hosts = '', after = ''] = /^([^/?#]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (hosts.includes(',')) return hosts.split(',').map((host) => before + host + after);
  if (!URL.canParse(text)) return [text];
  const { searchParams } = new URL(text);
  const names = searchParams.get('host')?.split(',') ?? [];
  if (names.length < 2) return [text];
  const ports = searchParams.get('port')?.split(',') ?? [];
  return names.map((name, i) => {
    const url = new URL(text);
    url.searchParams.set('host', name);
    const port = ports.length > 1 ? ports[i] : ports[0];
    if (port !== undefined) url.searchParams.set('port', port);
    return url.href;
  });
}

/** The values of `target_session_attrs` (libpq, section 34.1.2) with which the gateway can write. */
const TARGETS = ['any', 'read-write', 'primary'];

/** Also rejects percent-encoding that cannot be decoded. */
function isUsable({ pathname, username, password, searchParams }: URL, isOneOfMany: boolean): boolean {
  const target = searchParams.get('target_session_attrs') ?? 'read-write';
  if (!TARGETS.includes(target) || (isOneOfMany && target === 'any')) return false;
  try {
    for (const part of [pathname, username, password]) decodeURIComponent(part);
    return pathname.length > 1;
  } catch {
    return false;
  }
}

/** Accepts a DNS name with at most 226 characters, so that an id fits in front of it. */
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

function parsePurgeUrl(text: string): string | undefined {
  const example = text.replaceAll(text.includes('{url}') ? '{url}' : '{key}', 'name');
  const url = /[{}]/.test(example) ? null : URL.parse(example);
  return url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? text : undefined;
}

/** Accepts a field name and a value of RFC 9110 section 5, in ASCII. */
function parseHeader(text: string): Header | undefined {
  const [, name, value] =
    /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)[ \t]*$/.exec(text) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}

function parseOrigins(text: string): Config['corsOrigins'] | undefined {
  if (text === '*') return '*';
  const origins = text.split(',').map((origin) => origin.trim());
  const isOrigin = (origin: string) => URL.canParse(origin) && new URL(origin).origin === origin;
  return origins.every(isOrigin) ? origins : undefined;
}
