import { run } from '../process/run.ts';
import { runHere } from './run-here.ts';

/** The command as a process of its own. */
export async function tokensApart(databaseUrl: string, ...args: string[]) {
  const command = run('src/main.ts', ['tokens', ...args], { DATABASE_URL: databaseUrl });
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** The command where nothing else happens at the same time. */
export function tokens(databaseUrl: string, ...args: string[]) {
  return runHere('tokens', args, { DATABASE_URL: databaseUrl });
}
