import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findFreePort } from '../free-port.ts';
import { findSystemUser, temporaryFolderOf } from './binaries.ts';

/** A pgbouncer in transaction mode. */
export interface Pgbouncer {
  /** Returns the URL with the address of the pooler. */
  through(url: string): string;
  kill(): Promise<void>;
  /** Starts it again, at the same address. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the programs in `TEST_PGBOUNCER`, separated like `PATH`, or that on the `PATH` or where Debian installs it. */
export function findPgbouncers(): readonly string[] {
  const { TEST_PGBOUNCER: given, PATH = '' } = process.env;
  if (given) return given.split(delimiter);
  const found = [...PATH.split(delimiter), '/usr/sbin'].map((folder) => join(folder, 'pgbouncer')).find(existsSync);
  return found === undefined ? [] : [found];
}

/** Returns the version as a number: 121 for 1.21. */
export function versionOf(program: string): number {
  const [, major, minor] =
    /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) * 100 + Number(minor);
}

/** The first version that keeps named statements. */
export const KEEPS_STATEMENTS = 121;

/**
 * @param url of any database of the server
 * @param parameters of each database, such as `connect_query='SET jit = off'`
 */
export async function openPgbouncer(program: string, url: string, parameters = ''): Promise<Pgbouncer> {
  const user = findSystemUser();
  const folder = mkdtempSync(join(temporaryFolderOf(user), 'embed-gateway-pgbouncer-'));
  const port = await findFreePort();
  const server = new URL(url);
  // an empty value is an error
  const password = server.password ? `password=${server.password}` : '';
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port} user=${server.username} ${password} ${parameters}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction`,
      // fewer sessions than clients, so that the statements of a client run in several
      'default_pool_size = 3\nmax_client_conn = 200\nserver_check_delay = 0',
      versionOf(program) >= KEEPS_STATEMENTS ? 'max_prepared_statements = 200' : '',
    ].join('\n'),
  );
  if (user) for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
  let child: ChildProcess | null = null;
  const killChild = () => void child?.kill('SIGKILL');
  process.once('exit', killChild);

  async function start(): Promise<void> {
    const started = spawn(program, [file], { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    const ready = Promise.withResolvers<void>();
    let output = '';
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2_000);
      if (output.includes('process up')) ready.resolve();
    });
    started.once('exit', () => ready.reject(new Error(`pgbouncer did not start: ${output}`)));
    started.once('error', ready.reject);
    await ready.promise;
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    killChild();
    await ended;
  }

  await start();
  return {
    through(direct) {
      const pooled = new URL(direct);
      pooled.hostname = '127.0.0.1';
      pooled.port = String(port);
      return pooled.href;
    },
    kill,
    start,
    async close() {
      await kill();
      process.off('exit', killChild);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
