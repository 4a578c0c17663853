import { isOnPostgresql } from '../open-app.ts';
import { run } from '../process/run.ts';
import { runHere } from './run-here.ts';

/** Runs the command as a process of its own. */
async function tokensApart(databaseUrl: string, ...args: string[]) {
  const command = run('src/main.ts', ['tokens', ...args], { DATABASE_URL: databaseUrl });
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** Runs the command beside an app of this process: only on PostgreSQL can both be in one process. */
export function tokensBeside(databaseUrl: string, ...args: string[]) {
  return isOnPostgresql ? tokens(databaseUrl, ...args) : tokensApart(databaseUrl, ...args);
}

/** Runs the command in this process, where nothing else may use the database at the same time. */
export function tokens(databaseUrl: string, ...args: string[]) {
  return runHere('tokens', args, { DATABASE_URL: databaseUrl });
}
