import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { temporaryFolder } from '../open-app.ts';

export interface EdgeReply {
  readonly status: number;
  /** Of the cache: HIT, MISS, STALE, … */
  readonly cache: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export interface Edge {
  readonly port: number;
  readonly purgeUrl: string;
  /** Starts the program in front of a service. It ends after the test. */
  start(servicePort: number): Promise<void>;
}

const SEARCH_PATH = `${process.env.PATH}:/usr/sbin`;

export function hasProgram(name: string, versionFlag: string): boolean {
  const isThere = spawnSync(name, [versionFlag], { env: { PATH: SEARCH_PATH } }).error === undefined;
  if (!isThere) console.log(`skipped: ${name} is not installed`);
  return isThere;
}

interface EdgeRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** The request target (RFC 9112 section 3.2). Without it, the path and query of the URL. */
  readonly target?: string;
}

/** Sends a request to a program on loopback, for a URL whose host need not resolve. */
export function requestFrom(
  port: number,
  url: string,
  { method = 'GET', headers = {}, target }: EdgeRequest = {},
): Promise<EdgeReply> {
  const { host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const path = target ?? pathname + search;
    const options = { host: '127.0.0.1', port, method, path, headers: { host, ...headers } };
    const sent = request(options, async (response) => {
      const { statusCode = 0, headers: received } = response;
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const replyHeaders = received as EdgeReply['headers'];
      const cache = `${replyHeaders['x-cache-status']}`;
      resolve({ status: statusCode, cache, headers: replyHeaders, body: Buffer.concat(chunks) });
    });
    sent.on('error', reject).end();
  });
}

async function startProgram(name: string, args: readonly string[], port: number): Promise<void> {
  const child = spawn(name, args, { env: { PATH: SEARCH_PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const isOpen = () =>
    requestFrom(port, 'http://nobody.localhost/').then(
      () => '',
      () => `${name} is not open: ${output}`,
    );
  await expect.poll(isOpen).toBe('');
}

/** Replaces what the operator replaces too: names, ports, paths and TLS. */
export async function openNginx(): Promise<Edge> {
  const [port, purgePort, lifetimesPort, redirectPort, folder] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    temporaryFolder(),
  ];
  return {
    port,
    purgeUrl: `http://127.0.0.1:${purgePort}/{url}`,
    async start(servicePort) {
      const site = readFileSync('deploy/nginx.conf', 'utf8')
        .replaceAll('listen 443 ssl;', `listen 127.0.0.1:${port};`)
        .replaceAll('listen 80;', `listen 127.0.0.1:${redirectPort};`)
        .replace(/^ *(listen \[::\]|ssl_certificate).*$/gm, '')
        .replaceAll('127.0.0.1:4000', `127.0.0.1:${servicePort}`)
        .replaceAll('127.0.0.1:8089', `127.0.0.1:${purgePort}`)
        .replaceAll('127.0.0.1:8090', `127.0.0.1:${lifetimesPort}`)
        .replaceAll('/var/cache/nginx-embeds', join(folder, 'cache'))
        .replaceAll('example.com', 'localhost');
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${join(folder, name)};`)
        .join('\n');
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      const main = `daemon off; worker_processes 1; ${user} pid ${join(folder, 'pid')}; error_log stderr;
        events { worker_connections 256; } http { access_log off; ${temporary}\n${site} }`;
      const file = join(folder, 'nginx.conf');
      writeFileSync(file, main);
      await startProgram('nginx', ['-e', 'stderr', '-p', folder, '-c', file], port);
    },
  };
}

export async function openVarnish(): Promise<Edge> {
  const [port, folder] = [await findFreePort(), temporaryFolder()];
  return {
    port,
    purgeUrl: `http://127.0.0.1:${port}/purge`,
    async start(servicePort) {
      const file = join(folder, 'varnish.vcl');
      const configuration = readFileSync('deploy/varnish.vcl', 'utf8');
      writeFileSync(file, configuration.replace('.port = "4000"', `.port = "${servicePort}"`));
      const listen = ['-a', `127.0.0.1:${port}`, '-T', 'none', '-s', 'malloc,16M', '-n', join(folder, 'work')];
      await startProgram('varnishd', ['-F', '-j', 'none', '-f', file, ...listen], port);
    },
  };
}
