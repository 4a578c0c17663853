import { run } from '../process/run.ts';

export async function tokens(databaseUrl: string, ...args: string[]) {
  const command = run('src/cli/tokens.ts', args, { DATABASE_URL: databaseUrl });
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}
