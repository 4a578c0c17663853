import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_ACCOUNT } from '../../../src/domain/identity/account.ts';
import { createToken, SCOPES } from '../../../src/domain/identity/token.ts';
import { listen } from '../../../src/http/server/listen.ts';
import { runInProcess } from '../../cli/run-in-process.ts';
import { type Client, newDatabase, openApp, type TestApp, temporaryFolder } from '../../open-app.ts';
import { type Block, PAGES } from './pages.ts';

/** Runs of all examples of a page, in order, on a new app. */
interface Session {
  /** Compares whole responses. Pages that do not list all fields may show a part of each object. */
  readonly isComplete: boolean;
  readonly app: TestApp['app'];
  readonly folder: string;
  readonly databaseUrl: string;
  readonly ada: Client;
  readonly withoutToken: Client;
  /** Ids of the service by the ids that the page shows. */
  readonly ids: Map<string, string>;
}

/** Ids of embeds, webhooks and deliveries, and of tokens where commands print them. */
const ID =
  /(?:\b|(?<=wh_))[0-7][0-9a-hjkmnp-tv-z]{25}\b|(?<="id":")[0-9a-f]{32}(?=")|(?<=Token )[0-9A-Za-z]{12}\b|^[0-9A-Za-z]{12}(?= {2})|(?<="(?:actor_token_)?id":")[0-9A-Za-z]{12}(?=")/gm;

const LOCAL_CURL = /\bcurl [^#]*http:\/\/(127\.0\.0\.1|(\w{26}\.)?embeds\.localhost):4000/;
const COMMAND = /^npx embed-gateway (tokens|webhooks|import|export) (.*)$/;

/** The page that lists all fields of an embed. */
const COMPLETE_PAGE = 'docs/api/rest.md';

async function openSession(path: string): Promise<Session> {
  const folder = temporaryFolder();
  const databaseUrl = await newDatabase();
  const { app, database, withAuthorization } = await openApp({ databaseUrl });
  // the first start creates the same token
  const wish = { accountId: DEFAULT_ACCOUNT, name: 'first', scopes: SCOPES, expiresAt: null };
  const { text, token } = createToken(wish, new Date());
  await database.tokens.ensureAccount(token.accountId, token.createdAt);
  await database.tokens.insert(token);
  const [ada, withoutToken] = [withAuthorization(`Bearer ${text}`), withAuthorization(null)];
  return { isComplete: path === COMPLETE_PAGE, app, folder, databaseUrl, ada, withoutToken, ids: new Map() };
}

/** Replaces times, request ids and tokens, which differ between runs. */
function withPlaceholders(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/"request_id":"[^"]+"/g, '"request_id":"<request id>"')
    .replace(/\b[0-9a-f]{16}-\d+/g, '<cursor>')
    .replace(/emb_(…|[0-9A-Za-z]{49})|whsec_(…|[\w+/=]+)/g, '<token>');
}

/**
 * Compares a response with the documented one. A shown id must always stand for the same id of the service.
 * Lines that are JSON objects are compared as objects.
 */
function expectAsShown({ ids, isComplete }: Session, actual: string, shown: string): void {
  const actualIds = actual.match(ID) ?? [];
  for (const [i, id] of (shown.match(ID) ?? []).entries()) {
    if (!ids.has(id) && actualIds[i] !== undefined) ids.set(id, actualIds[i]);
  }
  const lines = parseLines(withPlaceholders(actual));
  const shownLines = parseLines(withPlaceholders(withActualIds(ids, shown)));
  if (isComplete) expect(lines).toEqual(shownLines);
  else expect(lines).toMatchObject(shownLines);
}

function expectJsonAsShown(session: Session, actual: unknown, shown: Block | undefined): void {
  expect(shown?.language).toBe('json');
  expectAsShown(session, JSON.stringify(actual), JSON.stringify(JSON.parse(shown?.text ?? '')));
}

const parseLines = (text: string): unknown[] =>
  text.split('\n').map((line) => (/^[{[]/.test(line) ? JSON.parse(line) : line));

function withActualIds(ids: Session['ids'], text: string): string {
  const today = new Date().toISOString().slice(0, 10);
  return [...ids].reduce((changed, [shown, actual]) => changed.replaceAll(shown, actual), text.replaceAll(DAY, today));
}

/** The day of the examples, which stands for today. */
const DAY = '2026-11-21';

/** Splits a shell command into words. Handles quotes and line continuations. */
function wordsOf(command: string): string[] {
  const tokens = command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g);
  return [...tokens].map(([, single, double, bare]) => single ?? double ?? bare ?? '');
}

async function runCurl({ ada, withoutToken, ids }: Session, command: string): Promise<Response> {
  const [curl, ...rest] = wordsOf(withActualIds(ids, command)).filter((word) => word !== '-N');
  expect(curl).toBe('curl');
  const headers = new Headers();
  const data: string[] = [];
  let [url, method, client] = ['', '', withoutToken];
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? '';
    if (!word.startsWith('-')) {
      url = word;
      continue;
    }
    const value = rest[++i] ?? '';
    if (word === '-X') method = value;
    else if (word === '-d') data.push(value);
    else if (word === '-H' && value === 'Authorization: Bearer $TOKEN') client = ada;
    else if (word === '-H') headers.set(...(value.split(': ') as [string, string]));
    else throw new Error(`This test does not support the curl option ${word}.`);
  }
  if (data.length > 0 && !headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded');
  const body = data.length > 0 ? { body: data.join('&') } : {};
  return client.fetch(url, { method: method || (data.length > 0 ? 'POST' : 'GET'), headers, ...body });
}

/** Creates an embed after the stream has begun, and compares the first event. */
async function runStream(session: Session, command: string, shown: Block | undefined): Promise<void> {
  const response = await runCurl(session, command);
  await session.ada.create();
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.includes('data:')) break;
  }
  const event = /^event: next\ndata: .*$/m;
  expectAsShown(session, event.exec(text)?.[0] ?? '', event.exec(shown?.text ?? '')?.[0] ?? '?');
}

async function runCommand(session: Session, command: string, shown: Block | undefined): Promise<void> {
  const [, script = '', args = ''] = COMMAND.exec(withActualIds(session.ids, command)) ?? [];
  const paths = wordsOf(args).map((word) => (word.endsWith('.csv') ? join(session.folder, word) : word));
  const result = await runInProcess(script, paths, { DATABASE_URL: session.databaseUrl });
  expectAsShown(session, result.stderr + result.stdout, shown?.text ?? '');
  for (const [i, word] of paths.entries()) if (word === '--rejects') expect(existsSync(paths[i + 1] ?? '')).toBe(true);
}

/** Runs a program that uses the client, with the service on a free port, and compares what it prints. */
async function runProgram(session: Session, program: string, shown: Block | undefined): Promise<void> {
  const listener = await listen({ port: 0, host: '127.0.0.1', handle: session.app.handle });
  onTestFinished(() => listener.close(0));
  const file = join(session.folder, `example-${listener.port}.mts`);
  const text = withActualIds(session.ids, program)
    .replace(/'@embed-gateway\/client(\/graphql)?'/g, (_, entry?: string) =>
      JSON.stringify(resolve(`packages/client/src/${entry ? 'graphql' : 'index'}.ts`)),
    )
    .replaceAll('http://127.0.0.1:4000', `http://127.0.0.1:${listener.port}`);
  writeFileSync(file, text);
  vi.stubEnv('TOKEN', session.ada.authorization.replace('Bearer ', ''));
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import(file);
    const printed = print.mock.calls.map((values) => values.join(' ')).join('\n');
    expectAsShown(session, printed, shown?.text.trimEnd() ?? '');
  } finally {
    print.mockRestore();
    vi.unstubAllEnvs();
  }
}

async function runGraphql(session: Session, query: string, shown: Block | undefined): Promise<void> {
  const response = await session.ada.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: withActualIds(session.ids, query) }),
  });
  expectJsonAsShown(session, await response.json(), shown);
}

/** Compares the HTML of the newest embed. */
async function compareHtml(session: Session, html: string): Promise<void> {
  const { data } = await session.ada.graphql('{ embeds(first: 1) { nodes { html } } }');
  expectAsShown(session, data.embeds.nodes[0].html, html);
}

type Example = (session: Session, text: string, shown: Block | undefined) => Promise<void> | void;

/** Returns the function that runs a block and compares the result with the next block; null if the block is not an example. */
function findExample({ language, text }: Block): Example | null {
  if (language === 'graphql') return runGraphql;
  if (language === 'html') return compareHtml;
  if (language === 'ts') return runProgram;
  if (language === 'csv') return ({ folder }, csv) => writeFileSync(join(folder, 'pages.csv'), `${csv}\n`);
  if (language !== 'sh') return null;
  if (text.startsWith('curl -N ')) return runStream;
  if (COMMAND.test(text.trimEnd())) return runCommand;
  if (!LOCAL_CURL.test(text)) return null;
  return async (session, command, shown) => {
    const response = await runCurl(session, command);
    if (response.status !== 204) expectJsonAsShown(session, await response.json(), shown);
  };
}

for (const { path, blocks } of PAGES) {
  if (!blocks.some(findExample)) continue;
  test(`the examples of ${path} give the results that the page shows`, async () => {
    const session = await openSession(path);
    for (const [i, block] of blocks.entries()) {
      await findExample(block)?.(session, block.text.trimEnd(), blocks[i + 1]);
    }
  });
}

test('the pages have at least 25 examples', () => {
  expect(PAGES.flatMap(({ blocks }) => blocks).filter(findExample).length).toBeGreaterThanOrEqual(25);
});
