import { isAbsolute, resolve } from 'node:path';
import { parseDatabaseUrl } from './config/database-url.ts';
import { ConfigError, type Environment, EnvironmentReader } from './config/environment.ts';
import {
  type Header,
  PORTS,
  type PurgeTarget,
  parseFontCssUrl,
  parseHeaders,
  parseHost,
  parseIssuer,
  parseNetworks,
  parseOrigins,
  parsePurgeUrls,
  parseRenderer,
} from './config/values.ts';

/** The settings of the environment. */
export type Config = Readonly<ReturnType<typeof readConfig>>;
export type Durability = Config['durability'];

/** @throws {ConfigError} with every fault */
export function readConfig(environment: Environment = process.env) {
  const reader = new EnvironmentReader(environment);
  const port = reader.wholeNumber('PORT', 4000, 'from 1 to 65535', PORTS);
  const config = {
    port,
    host: reader.text('HOST', '127.0.0.1', 'a host name or an address', /^[\w.:-]+$/),
    /** `file:` with the absolute path of a SQLite file, or `postgresql:`. */
    databaseUrl: reader.read(
      'DATABASE_URL',
      `file:${resolve('data/embeds.db')}`,
      'file:<path of a file on disk>, without parameters, or postgresql://<user>:<password>@<host>[,<host>…]/<database>, where target_session_attrs can be read-write or primary',
      parseDatabaseUrl,
    ),
    databasePool: reader.wholeNumber('DATABASE_POOL', 10, 'of connections from 1 to 1000', [1, 1_000]),
    /** An acknowledged write survives a power cut (`full`) or only a crash of the process (`fast`). No write is ever half done. */
    durability: reader.choice('DURABILITY', 'full', ['full', 'fast']),
    ...readEmbedHosts(reader, port),
    /** The scheme of embed URLs; null for `https`, or `http` below `localhost`. */
    embedScheme: reader.choice('EMBED_SCHEME', null, ['https', 'http']),
    accessToken: reader.secret('ACCESS_TOKEN'),
    allowPrivatePages: reader.boolean('ALLOW_PRIVATE_PAGES', false),
    ...readRenderer(reader),
    /** Robots directives that count: those for all robots and for this service (`respect`), or only the latter (`named`). */
    robots: reader.choice('ROBOTS', 'respect', ['respect', 'named']),
    /** Embeds load pictures from this service instead of their sites. */
    imageProxy: reader.boolean('IMAGE_PROXY', false),
    /** Embeds report their views, which are counted. */
    views: reader.boolean('VIEWS', true),
    corsOrigins: reader.read<'*' | readonly string[]>(
      'CORS_ORIGIN',
      '*',
      '* or origins separated by commas',
      parseOrigins,
    ),
    /** Requests per minute and token; 0 for no limit. */
    rateLimit: reader.wholeNumber('RATE_LIMIT', 6000, 'of requests a minute, or 0 for no limit', [0, 999_999_999]),
    /** Addresses and networks of proxies whose `X-Forwarded-For` names the caller. */
    trustProxy: reader.read<readonly string[]>(
      'TRUST_PROXY',
      [],
      'addresses or networks of proxies separated by commas, such as 127.0.0.1, 10.0.0.0/8, fd00::/8',
      parseNetworks,
    ),
    /** Seconds between 503 on `/readyz` and the close of the listener. */
    stopDelayS: reader.wholeNumber('STOP_DELAY', 0, 'of seconds from 0 to 300', [0, 300]),
    logLevel: reader.choice('LOG_LEVEL', 'info', ['debug', 'info', 'warn', 'error', 'silent']),
    metricsToken: reader.secret('METRICS_TOKEN'),
    /** True if the OTEL_ variables configure traces. OpenTelemetry's SDK reads the details. */
    traces: hasTraces(environment),
    console: reader.boolean('CONSOLE', true),
    graphiql: reader.boolean('GRAPHIQL', true),
    /** Answers the Model Context Protocol at `/mcp`. */
    mcp: reader.boolean('MCP', true),
    oidc: readOidc(reader),
    introspection: reader.boolean('INTROSPECTION', true),
    /** Absolute path of the manifest of the documents that may run; null for all documents. */
    trustedDocuments: reader.read<string | null>('TRUSTED_DOCUMENTS', null, 'a path', (text) => resolve(text)),
    /** The URL of a style sheet with `{family}` for the font's name; null for no web fonts. */
    fontCssUrl: reader.read<string | null>(
      'FONT_CSS_URL',
      'https://fonts.bunny.net/css2?family={family}&display=swap',
      'none, or an https URL with {family} in it',
      parseFontCssUrl,
    ),
    /** Seconds for which rendered pages are served while the database is away; 0 for never. */
    staleIfErrorS: reader.wholeNumber('STALE_IF_ERROR', 600, 'of seconds from 0 to 86400', [0, 86_400]),
    purgeTargets: readPurgeTargets(reader),
  };
  if (reader.faults.length > 0) throw new ConfigError(reader.faults);
  return config;
}

/**
 * A host that is set serves alone. The default is not `localhost` itself: Chromium runs a process for each site, and each
 * name directly below `localhost` is a site, while all names below `embeds.localhost` are one.
 */
function readEmbedHosts(reader: EnvironmentReader, port: number) {
  const expected = 'a host name, with a port if it has one';
  const embedHost = reader.read<string | null>('EMBED_HOST', null, expected, parseHost);
  if (embedHost !== null) return { embedHost, embedHostAlias: null };
  // the alias was the default of earlier releases. It serves embeds as well, but appears in no URL
  return { embedHost: `embeds.localhost:${port}`, embedHostAlias: `localhost:${port}` };
}

/**
 * Reads `auto`, `off`, the absolute path of a Chromium, or the WebSocket URL of a remote one. As root, Chromium has no sandbox.
 * With `auto` that is no fault: there is then no renderer.
 */
function readRenderer(reader: EnvironmentReader) {
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

/** Reads the OpenID Connect provider that signs people in to the console; null for none. */
function readOidc(reader: EnvironmentReader) {
  const expected = 'an https URL without a user, query or fragment, or an http one of localhost, 127.0.0.1 or [::1]';
  const issuer = reader.read<string | null>('OIDC_ISSUER', null, expected, parseIssuer);
  const readText = (name: string, fallback: string) =>
    reader.text(name, fallback, '1 to 500 printable ASCII characters', /^[\x20-\x7e]{1,500}$/);
  const clientId = readText('OIDC_CLIENT_ID', '');
  const clientSecret = readText('OIDC_CLIENT_SECRET', '');
  const roleClaim = readText('OIDC_ROLE_CLAIM', 'roles');
  if (issuer === null) return null;
  for (const [name, value] of Object.entries({ OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret })) {
    if (value === '') reader.faults.push(`${name} must be set if OIDC_ISSUER is set`);
  }
  return { issuer, clientId, clientSecret, roleClaim };
}

/** Reads the CDNs that receive purges. One header is for all URLs. Several are for one URL each, in their order. */
function readPurgeTargets(reader: EnvironmentReader): readonly PurgeTarget[] {
  const urls = reader.read<readonly string[]>(
    'PURGE_URL',
    [],
    'an http or https URL without a user, with {key}, {url} or neither, or up to 10 of them separated by commas',
    parsePurgeUrls,
  );
  const expected = 'one header, <name>: <value>, or one or none for each URL of PURGE_URL, separated by commas';
  const headers = reader.read<readonly (Header | null)[]>('PURGE_HEADER', [null], expected, (text) =>
    parseHeaders(text, urls.length),
  );
  return urls.map((url, i) => ({ url, header: headers[headers.length === 1 ? 0 : i] ?? null }));
}

function hasTraces(environment: Environment): boolean {
  const { OTEL_SDK_DISABLED: disabled, OTEL_TRACES_EXPORTER: exporter } = environment;
  if (disabled?.toLowerCase() === 'true' || exporter === 'none') return false;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint } = environment;
  return Boolean(exporter || endpoint || tracesEndpoint);
}
