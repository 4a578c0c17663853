import { onTestFinished } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { createToken, SCOPES, type Scope } from '../src/domain/identity/token.ts';
import { readTrustedDocuments } from '../src/graphql/execution/trusted-documents.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { NO_TELEMETRY } from '../src/telemetry/telemetry.ts';
import { newDatabase } from './databases/database.ts';

export { isOnPostgresql, missingFile, newDatabase, openRaw, temporaryFolder } from './databases/database.ts';

/** A page whose URL carries its title and its id. */
export const MEAL_PLANNER = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';

/** A client of the app in-process: what `fetch` is to a running service. */
export interface Client {
  readonly authorization: string;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Sends JSON and reads the answer, whatever its status. */
  readonly rest: (method: string, path: string, body?: unknown) => Promise<RestAnswer>;
  readonly graphql: (query: string, variables?: unknown, operationName?: string) => Promise<GraphQLAnswer>;
  /** Creates an embed and returns it as REST shows it. */
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

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

export interface GraphQLAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
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
  /** A client with a new token of the account. */
  readonly as: (accountId: string, scopes?: readonly Scope[]) => Promise<Client>;
  /** A client that sends this Authorization header, or none. */
  readonly withAuthorization: (authorization: string | null) => Client;
}

/** The real app on a new database; both are gone when the test ends. */
export async function openApp(overrides: Partial<Config> = {}, telemetry = NO_TELEMETRY): Promise<TestApp> {
  const databaseUrl = overrides.databaseUrl ?? (await newDatabase());
  const config = { ...readConfig({}), ...overrides, databaseUrl };
  const logged: object[] = [];
  const note = (fields: object, message: string) => void logged.push({ ...fields, message });
  const database = await openDatabase(databaseUrl, {
    poolSize: config.databasePool,
    log: { info: note, warn: note, error: note },
    auditLog: { info: note },
  });
  onTestFinished(() => database.close());
  // nothing leaves the machine: names are not looked up, so only addresses can be fetched
  const pageAccess = { resolve: () => Promise.reject(new Error('no names in tests')) };
  const trustedDocuments = config.trustedDocuments === null ? null : readTrustedDocuments(config.trustedDocuments);
  const log = { info: note, warn: note, error: note };
  const app = createApp({ config, database, log, telemetry, trustedDocuments, pageAccess });
  onTestFinished(() => app.close());

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
      const { data, errors = [] } = (await response.json()) as GraphQLAnswer;
      return { status: response.status, headers: response.headers, data, errors };
    },
    async create(body = {}) {
      const { body: answer } = await rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER, ...body });
      return answer.embed;
    },
  };
}
