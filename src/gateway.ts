import module from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { App } from './app.ts';
import { ConfigError } from './config/environment.ts';
import { type Config, readConfig } from './config.ts';
import { DEFAULT_ACCOUNT } from './domain/identity/account.ts';
import { createToken, SCOPES } from './domain/identity/token.ts';
import { Refusal } from './errors.ts';
import type { TrustedDocuments } from './graphql/execution/trusted-documents.ts';
import { type Listener, listen } from './http/server/listen.ts';
import { createAuditLog, createLog } from './log.ts';
import { type Database, openDatabase } from './store/database.ts';
import { DatabaseError } from './store/database-errors.ts';
import { describeLocation } from './store/database-url.ts';
import { openTelemetry } from './telemetry/telemetry.ts';

/** Loading REST and GraphQL blocks requests for about 0.3 s, so the first ones are served before. */
const LOAD_DELAY_MS = 1_000;
/** Open connections are closed after this time. */
const STOP_GRACE_MS = 8_000;
/** The process ends after this time. */
const STOP_TIMEOUT_MS = 9_500;

/** An error that the operator can fix, printed without its stack. */
class ProcessError extends Error {}

/** Starts the service: configuration, database, app, listener. SIGINT and SIGTERM stop it in the reverse order. */
export async function runGateway(): Promise<void> {
  await start().catch(fail);
}

async function start(): Promise<void> {
  const config = readConfig();
  const trustedDocuments = config.trustedDocuments === null ? null : await readDocuments(config.trustedDocuments);
  const log = await createLog(config.logLevel);
  const telemetry = await openTelemetry({ metrics: config.metricsToken !== null, traces: config.traces });
  log.info(describeLocation(config.databaseUrl), 'opening the database');
  const { durability, databasePool: poolSize } = config;
  const options = { durability, poolSize, log, auditLog: createAuditLog(log), isCheckedLater: true };
  const [database, { createApp }] = await Promise.all([openDatabase(config.databaseUrl, options), import('./app.ts')]);
  for (const migration of database.appliedMigrations) log.info({ migration }, 'applied a migration');
  const app = createApp({ config, database, log, telemetry, trustedDocuments });
  const listener = await openListener(config, app.handle);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(signal).catch(fail));
  const origin = originOf(config);
  log.info({ rest: `${origin}/v1/embeds`, graphql: `${origin}/graphql`, embedHost: config.embedHost }, 'ready');
  await new Promise((written) => log.flush(written));
  await createFirstToken(database, config, origin);
  limitYoungGeneration();
  setTimeout(() => void loadApi(app).catch(fail), LOAD_DELAY_MS).unref();
  await app.announceRenderer();

  async function stop(signal: string): Promise<void> {
    log.info({ signal }, 'stopping after the requests in flight');
    app.announceStop();
    await pause(config.stopDelayS * 1_000);
    setTimeout(
      () => fail(new ProcessError('The service did not stop within 9.5 s. The process ends now.')),
      STOP_TIMEOUT_MS,
    ).unref();
    app.endSubscriptions();
    await listener.close(STOP_GRACE_MS);
    await app.close();
    await database.close();
    await telemetry.close();
    log.info({}, 'stopped');
  }
}

/** Loads the schema before the database is opened, so that faults of the manifest are reported first. */
async function readDocuments(file: string): Promise<TrustedDocuments> {
  const { readTrustedDocuments } = await import('./graphql/execution/trusted-documents.ts');
  return readTrustedDocuments(file);
}

async function openListener({ port, host }: Config, answer: App['handle']): Promise<Listener> {
  try {
    return await listen({ port, host, answer });
  } catch (error) {
    const reasons: Record<string, string> = {
      EADDRINUSE: 'the port is in use',
      EACCES: 'this user may not open the port',
      EADDRNOTAVAIL: 'this machine does not have the address',
      ENOTFOUND: 'the host name is unknown',
    };
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
    throw reason ? new ProcessError(`Cannot listen on ${host}:${port}: ${reason}. Set PORT or HOST.`) : error;
  }
}

async function loadApi(app: App): Promise<void> {
  await app.load();
  module.flushCompileCache();
}

/** Keeps V8's young generation at the initial 32 MB. It would grow to 128 MB under load, without serving requests faster. */
function limitYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

function originOf({ host, port }: Config): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Creates and prints a token if the database has none and ACCESS_TOKEN is not set. */
async function createFirstToken({ tokens, audit }: Database, config: Config, origin: string): Promise<void> {
  if (config.accessToken !== null || (await tokens.hasAny())) return;
  const tokenOptions = { accountId: DEFAULT_ACCOUNT, name: 'first', scopes: SCOPES, expiresAt: null };
  const { text, token } = createToken(tokenOptions, new Date());
  await tokens.ensureAccount(token.accountId, token.createdAt);
  await tokens.insert(token);
  audit.record({ event: 'token.created', ...tokenOptions, tokenId: token.id, by: 'start' });
  const inBrowser = config.console ? `\nOr sign in with it in a browser: ${origin}/\n` : '';
  console.log(`
This is your access token. It is shown only now; keep it:

  ${text}

Create your first embed with it:

  curl ${origin}/v1/embeds -H 'Authorization: Bearer ${text}' \\
    -d page_url=https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c
${inBrowser}`);
}

function fail(error: unknown): never {
  const isExpected = [ConfigError, DatabaseError, ProcessError, Refusal].some((kind) => error instanceof kind);
  console.error(isExpected ? (error as Error).message : error);
  process.exit(1);
}
