import module from 'node:module';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { removeEarlyEnd } from '../bin/end-early.js';
import type { App } from './app.ts';
import { ConfigError } from './config/environment.ts';
import { type Config, readConfig } from './config.ts';
import { FEW_DESCRIPTORS, MIN_DESCRIPTORS, maxConnectionsWithin, readDescriptorLimit } from './descriptors.ts';
import { DEFAULT_ACCOUNT } from './domain/identity/account.ts';
import { createToken, SCOPES } from './domain/identity/token.ts';
import { isOutOfDescriptors, Refusal } from './errors.ts';
import type { TrustedDocuments } from './graphql/execution/trusted-documents.ts';
import { type Listener, listen } from './http/server/listen.ts';
import { createAuditLog, createLog, type Log } from './log.ts';
import { retry } from './retry.ts';
import { type Database, openDatabase } from './store/database.ts';
import { DatabaseError, DatabaseUnavailable } from './store/database-errors.ts';
import { describeLocation } from './store/database-url.ts';
import { openTelemetry } from './telemetry/telemetry.ts';

/** Loading REST and GraphQL blocks requests for about 0.3 s, so the first ones are served before. */
const LOAD_DELAY_MS = 1_000;
/** Open connections are closed after this time. */
const STOP_GRACE_MS = 8_000;
/** The process ends after this time. */
const STOP_TIMEOUT_MS = 9_500;

/** The database has waited for the lock before. */
const LOCK_RETRY_MS = 2_000;

/** An error that the operator can fix, printed without its stack. */
class ProcessError extends Error {}

/** Starts the service: configuration, database, app, listener. SIGINT and SIGTERM stop it in the reverse order. */
export async function runGateway(): Promise<void> {
  await start().catch(fail);
}

async function start(): Promise<void> {
  // handles a signal that has arrived while files were loaded
  await nextTurn();
  const config = readConfig();
  const descriptors = requireDescriptors();
  const trustedDocuments = config.trustedDocuments === null ? null : await readDocuments(config.trustedDocuments);
  const log = await createLog(config.logLevel);
  const telemetry = await openTelemetry({ metrics: config.metricsToken !== null, traces: config.traces });
  log.info(describeLocation(config.databaseUrl), 'opening the database');
  const { durability, databasePool: poolSize } = config;
  const onNodes = (states: ReadonlyMap<string, boolean>) => {
    for (const observer of telemetry.observers) observer.databaseNodesChecked(states);
  };
  const options = { durability, poolSize, log, auditLog: createAuditLog(log), isService: true, onNodes };
  const [database, { createApp }] = await Promise.all([openDatabase(config.databaseUrl, options), import('./app.ts')]);
  const migrations = database.appliedMigrations.length;
  if (migrations > 0) log.info({ migrations }, 'updated the schema of the database');
  const app = createApp({ config, database, log, telemetry, trustedDocuments });
  if (descriptors < FEW_DESCRIPTORS) {
    await database.load();
    await app.load();
  }
  app.startReader();
  const maxConnections = maxConnectionsWithin(descriptors, database.isRemote ? poolSize : 0);
  const listener = await openListener(config, app.handle, maxConnections);
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(signal).catch(fail));
  // after that: without any listener, a signal that has arrived would be lost
  removeEarlyEnd();
  const origin = originOf(config);
  const places = { rest: `${origin}/v1/embeds`, graphql: `${origin}/graphql`, embedHost: config.embedHost };
  log.info({ ...places, maxConnections }, 'ready');
  await new Promise((written) => log.flush(written));
  await ensureFirstToken({ config, database, log, origin, stopping: stopped.signal });
  setTimeout(() => void loadRemainingCode(app, database, log), LOAD_DELAY_MS).unref();
  await app.announceRenderer();

  async function stop(signal: string): Promise<void> {
    log.info({ signal }, 'stopping after the requests in flight');
    stopped.abort();
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

/** Returns how many files and connections the process may open. */
function requireDescriptors(): number {
  const limit = readDescriptorLimit();
  if (limit >= MIN_DESCRIPTORS) return limit;
  throw new ProcessError(
    `The process may open ${limit} files and connections. The service needs at least ${MIN_DESCRIPTORS}: raise the limit, such as with ulimit -n 1024.`,
  );
}

async function openListener({ port, host }: Config, handle: App['handle'], maxConnections: number): Promise<Listener> {
  try {
    return await listen({ port, host, handle, maxConnections });
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

/** A request that needs code which could not be loaded tries again, and gets 503 while that fails. */
async function loadRemainingCode(app: App, database: Database, log: Log): Promise<void> {
  try {
    await app.load();
    await database.load();
    module.flushCompileCache();
  } catch (error) {
    log.error({ err: error }, 'code cannot be loaded now');
  }
}

function originOf({ host, port }: Config): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

interface FirstTokenOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly origin: string;
  readonly stopping: AbortSignal;
}

/** Creates the first token as soon as the database can be written: other sessions may lock it. Requests are served meanwhile. */
async function ensureFirstToken({ config, database, log, origin, stopping }: FirstTokenOptions): Promise<void> {
  function pauseAfter(error: unknown): number | null {
    const isLocked = error instanceof DatabaseUnavailable && ['busy', 'timeout'].includes(error.reason);
    if (!isLocked) return null;
    log.info({ waitingFor: 'the first token', reason: error.message }, 'the start waits for the database');
    return LOCK_RETRY_MS;
  }
  try {
    await retry(() => createFirstToken(database, config, origin), pauseAfter, { signal: stopping });
  } catch (error) {
    if (stopping.aborted) return;
    // a worker of a cluster that is away stops only its accounts
    if (!(error instanceof Refusal) || !(await isReady(database))) throw error;
    const advice = 'the first token cannot be created now: use "embed-gateway tokens create" later';
    log.warn({ reason: error.message }, advice);
  }
}

/** Creates and prints a token if the database has none and ACCESS_TOKEN is not set. */
async function createFirstToken({ tokens, audit, now }: Database, config: Config, origin: string): Promise<void> {
  if (config.accessToken !== null || (await tokens.hasAny())) return;
  const tokenOptions = { accountId: DEFAULT_ACCOUNT, name: 'first', scopes: SCOPES, expiresAt: null };
  const { text, token } = createToken(tokenOptions, now());
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

function isReady(database: Database): Promise<boolean> {
  return database.ping().then(
    () => true,
    () => false,
  );
}

function fail(error: unknown): never {
  const isExpected = [ConfigError, DatabaseError, ProcessError, Refusal].some((kind) => error instanceof kind);
  const message = isOutOfDescriptors(error) ? `The process cannot start: ${(error as Error).message}` : null;
  console.error(isExpected ? (error as Error).message : (message ?? error));
  // the codes of all commands
  process.exit(error instanceof ConfigError ? 2 : 1);
}
