import { type Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createToken, SCOPES } from '../../../src/domain/identity/token.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { findFreePort } from '../../free-port.ts';
import { type Run, run } from '../../process/run.ts';

/** A gateway in a process of its own. */
export interface Gateway {
  readonly origin: string;
  readonly run: Run;
  /** Ends it and starts it again, on the same port. */
  restart(): Promise<void>;
}

interface Options {
  readonly environment?: Record<string, string>;
  /** As for {@link run}. */
  readonly registerCleanup?: (end: () => void) => void;
}

export async function startGateway(
  databaseUrl: string,
  { environment = {}, registerCleanup }: Options = {},
): Promise<Gateway> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const variables = { DATABASE_URL: databaseUrl, RATE_LIMIT: '0', PORT: String(port), ...environment };
  const start = async () => {
    const started = run('src/main.ts', [], variables, registerCleanup);
    // not every log level has a line for it
    while (started.child.exitCode === null && !(await isLive(origin))) await pause(20);
    return started;
  };
  const gateway = { origin, run: await start() };
  return Object.assign(gateway, {
    async restart() {
      gateway.run.child.kill('SIGTERM');
      await gateway.run.ended;
      gateway.run = await start();
    },
  });
}

async function isLive(origin: string): Promise<boolean> {
  return send(origin, 'GET', '/livez', { authorization: '' }).then(
    () => true,
    () => false,
  );
}

/** Creates a token. */
export async function makeToken(databaseUrl: string, accountId: string) {
  const { text, token } = createToken({ accountId, name: 'test', scopes: SCOPES, expiresAt: null }, new Date());
  const database = await openDatabase(databaseUrl, { poolSize: 1 });
  await database.tokens.ensureAccount(accountId, token.createdAt);
  await database.tokens.insert(token);
  await database.close();
  return { id: token.id, authorization: `Bearer ${text}` };
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
  readonly body: any;
}

interface Sent {
  readonly authorization: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Keeps connections; without one, the request has a connection of its own. */
  readonly agent?: Agent;
}

export function send(
  origin: string,
  method: string,
  path: string,
  { authorization, body, headers = {}, agent }: Sent,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${origin}${path}`, {
      method,
      agent: agent ?? false,
      headers: { authorization, ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    });
    outgoing.on('error', reject).on('response', (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part;
        })
        .on('error', reject)
        .on('end', () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, body: text === '' ? null : JSON.parse(text) });
        });
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
