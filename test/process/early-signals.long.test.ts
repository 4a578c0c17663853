import { expect, test } from 'vitest';
import { newSqlite } from '../databases/database.ts';
import { findFreePort } from '../free-port.ts';
import { run } from './run.ts';

/** Runs before the service: sends a signal to its own process when that loads a file. */
const sendSignalAt = (file: string, signal = 'SIGTERM') =>
  `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, nextLoad) {
        if (url.endsWith('${file}')) process.kill(process.pid, '${signal}');
        return nextLoad(url, context);
      },
    });`)}`;

test('SIGTERM and SIGINT end a start at any moment with exit code 0, and the next start is ready', async () => {
  const [databaseUrl, port] = [await newSqlite(), String(await findFreePort())];
  const start = (environment: Record<string, string>) =>
    run('bin/embed-gateway.js', [], { DATABASE_URL: databaseUrl, PORT: port, LOG_LEVEL: 'info', ...environment });
  const beforeItOpens = ['src/main.ts', 'src/gateway.ts', 'src/log.ts', 'telemetry/telemetry.ts'];
  for (const file of beforeItOpens) {
    const { child, ended, stdout, stderr } = start({ NODE_OPTIONS: `--import=${sendSignalAt(file)}` });
    expect([await ended, child.signalCode], file).toEqual([0, null]);
    expect([stdout(), stderr()], file).toEqual(['', 'Stopped by SIGTERM before the service was ready.\n']);
  }
  for (const [file, signal] of [
    ['src/app.ts', 'SIGTERM'],
    ['sqlite/migration.ts', 'SIGTERM'],
    ['sqlite/migration.ts', 'SIGINT'],
    ['http/server/listen.ts', 'SIGTERM'],
  ] as const) {
    const { child, ended } = start({ NODE_OPTIONS: `--import=${sendSignalAt(file, signal)}` });
    expect([await ended, child.signalCode], file).toEqual([0, null]);
  }
  const service = start({});
  await service.waitForOutput('"msg":"ready"');
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

test('the listeners for signals of a module that Node imports first stay when the service is ready', async () => {
  const listen = `process.on('SIGTERM', () => console.log('flushed'));`;
  const service = run('bin/embed-gateway.js', [], {
    ...{ DATABASE_URL: await newSqlite(), PORT: String(await findFreePort()), LOG_LEVEL: 'info' },
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(listen)}`,
  });
  await service.waitForOutput('"msg":"ready"');
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(service.stdout()).toContain('flushed');
  expect(service.stdout()).toContain('"msg":"stopped"');
});
