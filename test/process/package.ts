/**
 * Packs the project, installs the tarball in empty folders, and uses it on each supported Node.
 *
 *   npm run test:package
 */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '../free-port.ts';

const SUPPORTED_NODES = ['22', '24'];
const OLD_NODE = '20';
const MAX_SECONDS = 60;
const MAX_MB = 150;
const STEP_TIMEOUT_MS = 180_000;
const TOKEN = 'a-token-for-the-check';
const ARTICLE = 'A sentence of the article, read by the child process. '.repeat(20);

const execute = promisify(execFile);

function expectThat(condition: boolean, description: string, found: unknown): void {
  if (!condition) throw new Error(`expected: ${description}; found: ${JSON.stringify(found)}`);
}

/** Runs a command to its end. Returns the exit code and the output. */
async function run(command: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  try {
    return { code: 0, ...(await execute(command, args, { timeout: STEP_TIMEOUT_MS, ...options })) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

/** Installs a version of Node into npm's cache. Returns an environment that has it first on the PATH. */
async function environmentOf(version: string): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await execute('npx', [
    '--yes',
    '--package',
    `node@${version}`,
    '--',
    'node',
    '-p',
    'process.execPath',
  ]);
  // removes the variables that npm sets for scripts, such as the folder of the project
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  return { ...Object.fromEntries(own), PATH: [dirname(stdout.trim()), process.env.PATH].join(delimiter) };
}

/** Serves a page with an article on a free port. */
async function servePage() {
  const html = `<!doctype html><title>A title</title><article><h1>A title</h1><p>${ARTICLE}</p></article>`;
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/article`, close: () => server.close() };
}

/** Requests the page of an embed on loopback, because its host may not resolve here. */
async function getWithHost(url: URL): Promise<string> {
  const options = { host: '127.0.0.1', port: url.port, path: url.pathname, headers: { host: url.host } };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(options, resolve).once('error', reject).end();
  });
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

/** Uses REST, GraphQL, the hosted page, the console and the documentation of a service. */
async function useService(origin: string): Promise<void> {
  const authorization = `Bearer ${TOKEN}`;
  const page = await servePage();
  try {
    const created = await fetch(`${origin}/v1/embeds`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ page_url: page.url }),
    });
    const { embed } = (await created.json()) as { embed: { embed_url: string } };
    expectThat(created.status === 201, 'REST creates an embed', created.status);
    const counted = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ embeds { totalCount } }' }),
    });
    const response = await counted.text();
    expectThat(response === '{"data":{"embeds":{"totalCount":1}}}', 'GraphQL counts the embed', response);
    let hosted = '';
    for (let attempt = 0; attempt < 40 && !hosted.includes(ARTICLE.trim()); attempt++) {
      if (attempt > 0) await pause(250);
      hosted = await getWithHost(new URL(embed.embed_url));
    }
    expectThat(hosted.includes(ARTICLE.trim()), 'the embed shows the article', hosted.slice(0, 500));
  } finally {
    page.close();
  }
  const texts = { '/': '/console/', '/docs': '/docs/assets/', '/graphql': 'graphiql', '/openapi.json': '"openapi"' };
  for (const [path, text] of Object.entries(texts)) {
    const body = await (await fetch(`${origin}${path}`, { headers: { accept: 'text/html, application/json' } })).text();
    expectThat(body.toLowerCase().includes(text.toLowerCase()), `${path} contains ${text}`, body.slice(0, 200));
  }
}

/** Starts `npx embed-gateway serve`, uses it, and stops it. Returns the seconds until it was ready. */
async function serveAndUse(cwd: string, environment: NodeJS.ProcessEnv): Promise<number> {
  // another one each time: connections to the service before may still be answered while it stops
  const port = await findFreePort();
  const start = performance.now();
  const env = { ...environment, PORT: String(port), ACCESS_TOKEN: TOKEN, ALLOW_PRIVATE_PAGES: 'true' };
  // the signal must reach the child processes of npx
  const child = spawn('npx', ['embed-gateway', 'serve'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const signal = (name: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, name);
  const limit = setTimeout(() => signal('SIGKILL'), STEP_TIMEOUT_MS);
  try {
    let log = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        if (log.includes('"ready"')) resolve();
      });
      void ended.then((code) => reject(new Error(`the service ended with ${code}: ${log}`)));
    });
    const seconds = (performance.now() - start) / 1_000;
    await useService(`http://127.0.0.1:${port}`);
    const tokens = await run('npx', ['embed-gateway', 'tokens', 'list'], { cwd, env: environment });
    expectThat(tokens.code === 0 && tokens.stdout.startsWith('ID '), 'tokens list prints a table', tokens);
    return seconds;
  } finally {
    if (child.exitCode === null) signal('SIGTERM');
    await ended;
    clearTimeout(limit);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'embed-gateway-package-'));
try {
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder]);
  expectThat(packed.code === 0, 'npm pack succeeds', packed);
  const [{ filename, size }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('['))) as [
    { filename: string; size: number },
  ];
  console.log(`${filename}: ${(size / 1_000_000).toFixed(1)} MB`);

  for (const version of SUPPORTED_NODES) {
    const env = await environmentOf(version);
    const cwd = join(folder, version);
    mkdirSync(cwd);
    const start = performance.now();
    const installed = await run('npm', ['install', '--omit=dev', join(folder, filename)], { cwd, env });
    const installSeconds = (performance.now() - start) / 1_000;
    expectThat(installed.code === 0, 'npm install succeeds', installed);
    const megabytes = Number.parseInt((await run('du', ['-sm', cwd])).stdout, 10);
    const startSeconds = await serveAndUse(cwd, env);
    const { stdout } = await run('node', ['--version'], { env });
    console.log(
      `Node ${stdout.trim()}: ${megabytes} MB, installed in ${installSeconds.toFixed(1)} s, ready ${startSeconds.toFixed(1)} s later`,
    );
    expectThat(installSeconds + startSeconds <= MAX_SECONDS, `at most ${MAX_SECONDS} s`, installSeconds + startSeconds);
    expectThat(megabytes <= MAX_MB, `at most ${MAX_MB} MB`, megabytes);
    const traces = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const failed = await run('npx', ['embed-gateway', 'serve'], { cwd, env: traces });
    expectThat(
      failed.code === 2 && failed.stderr.includes('npm install @opentelemetry/api@'),
      'traces without OpenTelemetry end with the command that installs it',
      failed,
    );
  }

  const cwd = join(folder, SUPPORTED_NODES[0] ?? '');
  const old = await run('node_modules/.bin/embed-gateway', ['serve'], { cwd, env: await environmentOf(OLD_NODE) });
  expectThat(
    old.code === 1 && /^Embed Gateway needs Node 22\.18 or newer, and this is Node 20\..*\n$/.test(old.stderr),
    'Node 20 ends with one line and exit code 1',
    old,
  );
  console.log(`Node ${OLD_NODE}: exit code ${old.code}, ${old.stderr.trim()}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
