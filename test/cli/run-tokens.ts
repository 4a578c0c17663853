import { isOnPostgresql } from '../open-app.ts';
import { run } from '../process/run.ts';
import { runInProcess } from './run-in-process.ts';

/** Runs the command in a child process. */
async function runTokensInChild(databaseUrl: string, ...args: string[]) {
  const command = run('src/main.ts', ['tokens', ...args], { DATABASE_URL: databaseUrl });
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** Runs the command while this process has an open app. On SQLite that needs a child process. */
export function runTokensWithOpenApp(databaseUrl: string, ...args: string[]) {
  return isOnPostgresql ? tokens(databaseUrl, ...args) : runTokensInChild(databaseUrl, ...args);
}

/** Runs the command in this process, which must not have the database open on SQLite. */
export function tokens(databaseUrl: string, ...args: string[]) {
  return runInProcess('tokens', args, { DATABASE_URL: databaseUrl });
}
