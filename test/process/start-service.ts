import { onTestFinished } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { run } from './run.ts';

/** Starts the service in a process of its own. Resolves when it is ready. */
export async function startService(
  databaseUrl: string,
  environment: Record<string, string> = {},
  registerCleanup: (end: () => void) => void = onTestFinished,
) {
  const port = await findFreePort();
  const variables = { PORT: String(port), DATABASE_URL: databaseUrl, ...environment };
  const service = run('src/main.ts', [], variables, registerCleanup);
  await service.waitForOutput('"msg":"ready"');
  return { ...service, origin: `http://127.0.0.1:${port}`, port, variables };
}
