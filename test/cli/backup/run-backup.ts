import { run } from '../../process/run.ts';
import { runInProcess } from '../run-in-process.ts';

/** Runs the command in a child process. */
export async function runBackupInChild(name: 'backup' | 'restore', databaseFile: string, ...args: string[]) {
  const process = run('src/main.ts', [name, ...args], { DATABASE_URL: `file:${databaseFile}` });
  const code = await process.ended;
  return { code, stdout: process.stdout(), stderr: process.stderr() };
}

/** Runs the command in this process, which must not have the database open. */
export function runBackup(name: 'backup' | 'restore', databaseFile: string, ...args: string[]) {
  return runInProcess(name, args, { DATABASE_URL: `file:${databaseFile}` });
}
