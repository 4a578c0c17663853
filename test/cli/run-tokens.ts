import { run } from '../process/run.ts';
import { runHere } from './run-here.ts';

const COMMAND = 'src/cli/tokens.ts';

/** The command as a process of its own. */
export async function tokensApart(databaseUrl: string, ...args: string[]) {
  const command = run(COMMAND, args, { DATABASE_URL: databaseUrl });
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** The command where nothing else happens at the same time. */
export function tokens(databaseUrl: string, ...args: string[]) {
  return runHere(COMMAND, args, { DATABASE_URL: databaseUrl });
}
