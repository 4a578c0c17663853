import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findSystemUser } from './binaries.ts';
import { PROGRAMS } from './citus.ts';
import { runOnAll } from './cluster.ts';
import type { PostgresqlServer } from './embedded.ts';

/** The reason why no server can be backed up; null if one can. */
export const noBackups: string | null = existsSync(join(PROGRAMS, 'pg_basebackup'))
  ? null
  : `skipped: there is no ${join(PROGRAMS, 'pg_basebackup')} (Debian's postgresql-15)`;

/** Settings of a server whose write-ahead log is archived beside its data. */
export const ARCHIVING = [
  ...['-c', 'archive_mode=on', '-c', 'wal_level=logical', '-c', 'fsync=off'],
  ...['-c', 'archive_command=mkdir -p "$PWD.archive" && cp %p "$PWD.archive/%f"'],
];

const TIMEOUT_MS = 120_000;

/** Runs a program of PostgreSQL 15 as the user of the servers, and returns its output. */
export function runProgram(name: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(join(PROGRAMS, name), args, {
    ...findSystemUser(),
    cwd: '/',
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { LC_ALL: 'C', PGPASSWORD: 'password' },
  });
  if (status !== 0) throw new Error(`${name} fails: ${stderr}`);
  return stdout;
}

export function takeBaseBackup({ folder, urlOf }: PostgresqlServer): void {
  const { port } = new URL(urlOf('postgres'));
  const server = ['--host=127.0.0.1', `--port=${port}`, '--username=postgres'];
  runProgram('pg_basebackup', [...server, `--pgdata=${folder}.backup`, '--wal-method=none', '--checkpoint=fast']);
}

/** Waits until all that was written so far is in the archive. */
export async function archiveLog({ folder, urlOf }: PostgresqlServer): Promise<void> {
  const url = urlOf('postgres');
  const [row] = await runOnAll([url], 'SELECT pg_walfile_name(pg_switch_wal()) AS name');
  await waitUntil(`the archive of ${folder}`, async () => readdirSync(`${folder}.archive`).includes(String(row?.name)));
}

/** Replaces the data of a killed server by its base backup, and recovers it up to a named restore point. */
export async function restoreTo(server: PostgresqlServer, restorePoint: string): Promise<void> {
  const { folder } = server;
  rmSync(folder, { recursive: true });
  renameSync(`${folder}.backup`, folder);
  const settings = {
    restore_command: `cp "${folder}.archive/%f" %p`,
    recovery_target_name: restorePoint,
    recovery_target_action: 'promote',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  write(join(folder, 'postgresql.auto.conf'), lines.join(''));
  write(join(folder, 'recovery.signal'), '');
  await server.start();
  await waitUntil(`the recovery of ${folder}`, async () => {
    const [row] = await runOnAll([server.urlOf('postgres')], 'SELECT pg_is_in_recovery() AS is');
    return row?.is === false;
  });
}

export function removeArchives(servers: readonly PostgresqlServer[]): void {
  for (const { folder } of servers) {
    for (const end of ['archive', 'backup']) rmSync(`${folder}.${end}`, { recursive: true, force: true });
  }
}

function write(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  const user = findSystemUser();
  if (user) chownSync(file, user.uid, user.gid);
}

async function waitUntil(name: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await condition().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${name}`);
    await pause(100);
  }
}
