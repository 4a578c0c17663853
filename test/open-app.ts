import { beforeAll, beforeEach, onTestFinished } from 'vitest';
import { createArticleReader } from '../packages/reader/src/article-reader.ts';
import { type App, createApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { createToken, SCOPES, type Scope } from '../src/domain/identity/token.ts';
import { readTrustedDocuments } from '../src/graphql/execution/trusted-documents.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { NO_TELEMETRY } from '../src/telemetry/telemetry.ts';
import { newDatabase } from './databases/database.ts';
import type { RegisterCleanup } from './temporary-folder.ts';

export { isOnPostgresql, missingFile, newDatabase, openRaw } from './databases/database.ts';
export { temporaryFolder } from './temporary-folder.ts';

/** URL of a page that contains the title and the page id. */
export const MEAL_PLANNER = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';

/** A client that calls the app in the same process, without a socket. */
export interface Client {
  readonly authorization: string;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Sends JSON and parses the response of any status. */
  readonly rest: (method: string, path: string, body?: unknown) => Promise<RestReply>;
  readonly graphql: (query: string, variables?: unknown, operationName?: string) => Promise<GraphQLReply>;
  /** Creates an embed through REST. */
  readonly create: (body?: Record<string, unknown>) => Promise<RestEmbed>;
}

export interface RestEmbed {
  readonly id: string;
  readonly created_at: string;
  readonly embed_url: string;
  readonly page_id: string;
  readonly page_url: string;
  readonly mode: string;
  readonly font: string;
  readonly show_top_bar: boolean;
}

export interface RestReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: responses have many shapes
  readonly body: any;
}

export interface GraphQLReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: responses have many shapes
  readonly data: any;
  readonly errors: ReadonlyArray<{
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: {
      readonly code: string;
      readonly errors?: ReadonlyArray<{ readonly path: string; readonly message: string }>;
      readonly request_id?: string;
    };
  }>;
}

export interface TestApp {
  readonly app: App;
  readonly database: Database;
  readonly logged: object[];
  /** Creates a token of the account, and a client that uses it. */
  readonly as: (accountId: string, scopes?: readonly Scope[]) => Promise<Client>;
  /** Creates a client with this Authorization header; null for none. */
  readonly withAuthorization: (authorization: string | null) => Client;
}

type PageAccess = NonNullable<Parameters<typeof createApp>[0]['pageAccess']>;

/** Tests send nothing to other machines: without DNS, only IP addresses can be fetched. */
const NO_NAMES: PageAccess = { resolve: () => Promise.reject(new Error('no names in tests')) };

/** Reads the pages of all apps of a worker: to start one for each app takes more processor time than most tests. */
const articleReader = createArticleReader();

/** Opens the real app on a new database. Both are closed after the test. */
export async function openApp(
  overrides: Partial<Config> = {},
  telemetry = NO_TELEMETRY,
  pageAccess = NO_NAMES,
  registerCleanup: RegisterCleanup = onTestFinished,
): Promise<TestApp> {
  const databaseUrl = overrides.databaseUrl ?? (await newDatabase(registerCleanup));
  // a test that renders pages names its browser; to sync each write takes half of the time of most tests
  const defaults = { ...readConfig({}), renderer: 'off', durability: 'fast' } as const;
  const config = { ...defaults, ...overrides, databaseUrl };
  const logged: object[] = [];
  const addLine = (fields: object, message: string) => void logged.push({ ...fields, message });
  const database = await openDatabase(databaseUrl, {
    durability: config.durability,
    poolSize: config.databasePool,
    log: { info: addLine, warn: addLine, error: addLine },
    auditLog: { info: addLine },
  });
  registerCleanup(() => database.close());
  const trustedDocuments =
    config.trustedDocuments === null ? null : await readTrustedDocuments(config.trustedDocuments);
  const log = { info: addLine, warn: addLine, error: addLine };
  const shared = config.robots === 'respect' ? { articleReader } : {};
  const app = createApp({ config, database, log, telemetry, trustedDocuments, pageAccess, ...shared });
  registerCleanup(() => app.close());

  const withAuthorization = (authorization: string | null) => createClient(app, authorization);
  return {
    app,
    database,
    logged,
    withAuthorization,
    async as(accountId, scopes = SCOPES) {
      const { text, token } = createToken({ accountId, name: 'test', scopes, expiresAt: null }, new Date());
      await database.tokens.ensureAccount(accountId, token.createdAt);
      await database.tokens.insert(token);
      return withAuthorization(`Bearer ${text}`);
    },
  };
}

/** Opens one app for all tests of a file; see {@link share}. */
export function shareApp(overrides: Partial<Config> = {}): TestApp {
  return share((registerCleanup) => openApp(overrides, NO_TELEMETRY, NO_NAMES, registerCleanup));
}

/**
 * Opens something for all tests of a file, which takes a fifth of the time of an app for each. Every test has accounts of
 * its own, but sees the log and the tables of all.
 */
export function share<T extends TestApp>(open: (registerCleanup: RegisterCleanup) => Promise<T>): T {
  const shared = {} as T;
  let tests = 0;
  beforeAll(async () => {
    const cleanUps: Parameters<RegisterCleanup>[0][] = [];
    const opened = await open((cleanUp) => cleanUps.unshift(cleanUp));
    const as: TestApp['as'] = (accountId, scopes) => opened.as(`${accountId}-${tests}`, scopes);
    Object.assign(shared, opened, { as });
    return async () => {
      for (const cleanUp of cleanUps) await cleanUp();
    };
  });
  beforeEach(() => {
    tests += 1;
  });
  return shared;
}

function createClient(app: App, authorization: string | null): Client {
  const send: Client['fetch'] = (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (authorization !== null) headers.set('authorization', authorization);
    return app.fetch(new Request(new URL(path, 'http://localhost:4000'), { ...init, headers }));
  };
  const rest: Client['rest'] = async (method, path, body) => {
    const json =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await send(path, { method, ...json });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
  return {
    authorization: authorization ?? '',
    fetch: send,
    rest,
    async graphql(query, variables, operationName) {
      const response = await send('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
        body: JSON.stringify({ query, variables, operationName }),
      });
      const { data, errors = [] } = (await response.json()) as GraphQLReply;
      return { status: response.status, headers: response.headers, data, errors };
    },
    async create(body = {}) {
      const { body: created } = await rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER, ...body });
      return created.embed;
    },
  };
}
