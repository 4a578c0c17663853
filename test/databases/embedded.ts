import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exitHook from 'async-exit-hook';
import { findFreePort } from '../free-port.ts';
import { findSystemUser, requireDefaultBinaries, requireRunnable, temporaryFolderOf } from './binaries.ts';

/** A PostgreSQL server whose data are removed when it is closed. */
export interface PostgresqlServer {
  /** The folder of its data. */
  readonly folder: string;
  urlOf(database: string): string;
  /** Stops the server and keeps its data. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Kills the server, like a power failure. */
  kill(): Promise<void>;
  /** Stops all processes of the server, like a machine that does not respond, until the returned function continues them. */
  freeze(): () => void;
  close(): Promise<void>;
}

const running = new Set<ChildProcess>();
exitHook(() => {
  for (const server of running) server.kill('SIGINT');
});
// the hook would exit with 0 at the end, also if tests have failed
for (const event of ['beforeExit', 'exit']) exitHook.unhookEvent(event);

const PASSWORD = 'password';
const INITDB_FLAGS = [
  ...['--username=postgres', '--auth=password', '--encoding=UTF8', '--no-sync'],
  ...['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
];

/** Makes tests faster: the data do not survive a crash of the machine. */
export const WITHOUT_SYNC = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off'];

/**
 * @param flags of the server, such as `-c` and a setting
 * @param given a folder with data; a new one when omitted
 * @param programs the folder with the programs of PostgreSQL; that of {@link requireDefaultBinaries} when omitted
 */
export async function openPostgresqlServer(
  flags: readonly string[] = WITHOUT_SYNC,
  given?: string,
  programs?: string,
): Promise<PostgresqlServer> {
  const user = findSystemUser();
  const bin = programs ?? (await requireDefaultBinaries());
  const binaries = requireRunnable(bin, user);
  const folder = given ?? mkdtempSync(join(temporaryFolderOf(user), 'embed-gateway-postgresql-'));
  const port = await findFreePort();
  let server: ChildProcess | null = null;

  /** Starts a program of PostgreSQL; its output goes to `onOutput`. */
  function run(program: string, args: readonly string[], onOutput: (text: string) => void): ChildProcess {
    // the user may not have access to the folder of this process
    const child = spawn(join(binaries.folder, program), args, {
      ...user,
      cwd: folder,
      env: { ...process.env, LC_ALL: 'C' },
    });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);
    return child;
  }

  async function initialise(): Promise<void> {
    const passwordFile = `${folder}.password`;
    writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
    if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
    let output = '';
    const initdb = run('initdb', [`--pgdata=${folder}`, `--pwfile=${passwordFile}`, ...INITDB_FLAGS], (text) => {
      output += text;
    });
    const [code] = await once(initdb, 'close');
    rmSync(passwordFile);
    if (code !== 0) throw new Error(`initdb of ${bin} fails: ${output}`);
  }

  async function start(): Promise<void> {
    const ready = Promise.withResolvers<void>();
    let output = '';
    const settings = ['-c', `unix_socket_directories=${folder}`, '-c', 'max_connections=200', ...flags];
    const started = run('postgres', ['-D', folder, '-p', String(port), ...settings], (text) => {
      output = (output + text).slice(-2_000);
      // a standby logs that it accepts read-only connections
      if (/ready to accept (read-only )?connections/.test(output)) ready.resolve();
    });
    started.once('error', ready.reject);
    running.add(started);
    started.once('exit', () => running.delete(started));
    started.once('exit', () => ready.reject(new Error(`PostgreSQL of ${bin} did not start: ${output}`)));
    server = started;
    await ready.promise;
  }

  async function end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    if (!server || !running.has(server)) return;
    server.kill(signal);
    await once(server, 'exit');
  }

  if (given === undefined) await initialise();
  await start();
  return {
    folder,
    urlOf: (database) => `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`,
    start,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    freeze() {
      const processes = processesOf(server?.pid ?? 0);
      for (const pid of processes) process.kill(pid, 'SIGSTOP');
      return () => {
        for (const pid of processes) process.kill(pid, 'SIGCONT');
      };
    },
    async close() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
      binaries.remove();
    },
  };
}

/** Returns a process and its children. Needs Linux. */
function processesOf(parent: number): readonly number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return [parent, ...children.split(' ').filter(Boolean).map(Number)];
}
