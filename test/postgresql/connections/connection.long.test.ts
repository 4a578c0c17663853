import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { generate } from 'selfsigned';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Database, migrateDatabase, openDatabase } from '../../../src/store/database.ts';
import { createHealthMonitor } from '../../../src/store/postgresql/health.ts';
import { PooledPostgresql, SessionPool } from '../../../src/store/postgresql/pool.ts';
import { openPostgresqlServer, type PostgresqlServer, WITHOUT_SYNC } from '../../databases/embedded.ts';
import { SILENT_LOG } from '../../databases/server.ts';
import { newDatabase, openRaw } from '../../open-app.ts';
import { embedOf } from '../../store/embeds/embed-of.ts';

/** Creates a certificate of 127.0.0.1 and its CA. */
async function createCertificate() {
  const ca = await generate([{ name: 'commonName', value: 'test CA' }], {
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    algorithm: 'sha256',
    ca: { key: ca.private, cert: ca.cert },
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  return { ca: ca.cert, key: server.private, cert: server.cert };
}

/** The database from which others are copied. */
const MIGRATED = 'migrated';
let server: PostgresqlServer;
let caFile: string;
let otherCaFile: string;

/** Writes a file that only the server may read. */
function write(name: string, text: string): string {
  const file = join(server.folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  const { uid, gid } = statSync(server.folder);
  chownSync(file, uid, gid);
  return file;
}

/** Starts a server that requires TLS over the network. */
beforeAll(async () => {
  server = await openPostgresqlServer([...WITHOUT_SYNC, '-c', 'log_connections=off']);
  const [own, other] = [await createCertificate(), await createCertificate()];
  caFile = write('ca.pem', own.ca);
  otherCaFile = write('other-ca.pem', other.ca);
  write('server.key', own.key);
  write('server.crt', own.cert);
  const rules = readFileSync(join(server.folder, 'pg_hba.conf'), 'utf8');
  write('pg_hba.conf', rules.replaceAll(/^host /gm, 'hostssl '));
  await administer('ALTER SYSTEM SET ssl = on');
  await administer('SELECT pg_reload_conf()');
  await administer(`CREATE DATABASE ${MIGRATED}`);
  await migrateDatabase(`${server.urlOf(MIGRATED)}?host=${server.folder}`, SILENT_LOG);
  return () => server.close();
});

/** Runs SQL over the Unix socket, which needs no TLS. */
async function administer(sql: string): Promise<readonly Record<string, unknown>[]> {
  const { port } = new URL(server.urlOf('postgres'));
  const admin = new pg.Client({ host: server.folder, port: Number(port), user: 'postgres', password: 'password' });
  await admin.connect();
  try {
    return (await admin.query(sql)).rows;
  } finally {
    await admin.end();
  }
}

/** Creates a database and returns its URL. */
async function newUrl(parameters: Record<string, string>, template = MIGRATED): Promise<URL> {
  const name = `test_${Math.random().toString(36).slice(2)}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server.urlOf(name));
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  return url;
}

async function open(url: URL, options: Parameters<typeof openDatabase>[1] = {}): Promise<Database> {
  await migrateDatabase(url.href, SILENT_LOG);
  const database = await openDatabase(url.href, options);
  onTestFinished(() => database.close());
  return database;
}

/** Connects Prisma's adapter without a client. */
function connect(url: string, durability: 'fast' | 'full') {
  const options = {
    findUrl: async () => url,
    pooler: null,
    durability,
    poolSize: 1,
    health: createHealthMonitor({}),
    onMessage() {},
  };
  const pool = new SessionPool(url, options);
  onTestFinished(() => pool.end());
  return new PooledPostgresql(pool, 'public').connect();
}

/** Writes and reads with each kind of query of the store. */
async function use(database: Database): Promise<void> {
  const embed = embedOf('ada');
  await database.tokens.ensureAccount('ada', new Date());
  await database.embeds.insert(embed);
  expect(await database.embeds.findForAnyone(embed.id)).toEqual(embed);
  expect(await database.embeds.find('ada', embed.id)).toEqual(embed);
  expect((await database.createList('ada', null).count()).count).toBe(1);
  await database.ping();
}

const sessionsOf = ({ pathname }: URL) =>
  administer(`SELECT application_name, ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
    WHERE datname = '${pathname.slice(1)}'`);

test('sslmode=require, verify-ca and verify-full with the CA, and no-verify without it, use TLS', async () => {
  const url = await newUrl({ sslrootcert: caFile });
  for (const sslmode of ['require', 'verify-ca', 'verify-full', 'no-verify']) {
    url.searchParams.set('sslmode', sslmode);
    if (sslmode === 'no-verify') url.searchParams.delete('sslrootcert');
    const database = await open(url);
    await database.ping();
    const sessions = await sessionsOf(url);
    expect([sslmode, new Set(sessions.map(({ ssl }) => ssl))]).toEqual([sslmode, new Set([true])]);
    if (sslmode === 'verify-full') await use(database);
    await database.close();
  }
});

test('an untrusted certificate and a connection without TLS are rejected with the reason in one line', async () => {
  const url = await newUrl({});
  const openErrorOf = (parameters: Record<string, string>, host = '127.0.0.1') => {
    const changed = new URL(url);
    changed.hostname = host;
    for (const [key, value] of Object.entries(parameters)) changed.searchParams.set(key, value);
    return openDatabase(changed.href).then(
      () => 'opened',
      (error: Error) => error.message,
    );
  };
  const untrusted =
    /^The database \w+ at [\w.:]+ has a certificate that is not trusted: [^\n]+\. sslrootcert names the file of its CA\.$/;
  expect(await openErrorOf({ sslmode: 'require' })).toMatch(untrusted);
  expect(await openErrorOf({ sslmode: 'verify-full', sslrootcert: otherCaFile })).toMatch(untrusted);
  expect(await openErrorOf({ sslmode: 'verify-full', sslrootcert: caFile }, 'localhost')).toMatch(untrusted);
  expect(await openErrorOf({ sslmode: 'verify-full', sslrootcert: '/nowhere/ca.pem' })).toMatch(
    /cannot be used: ENOENT.*\/nowhere\/ca\.pem'\.$/,
  );
  expect(await openErrorOf({ sslmode: 'disable' })).toMatch(/does not let the service in: .*no encryption/);
});

test('a server without TLS is rejected if the URL requires TLS', async () => {
  // the reply of a server that does not support TLS
  const plain = createServer((socket) => socket.once('data', () => socket.end('N')));
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void plain.close());
  const url = `postgresql://postgres@127.0.0.1:${(plain.address() as { port: number }).port}/embeds?sslmode=require`;
  await expect(openDatabase(url)).rejects.toThrow('cannot be reached: The server does not support SSL connections');
});

test('the URL can give the folder of a Unix socket as host, and the name of the application', async () => {
  const url = await newUrl({ host: server.folder, application_name: 'embeds of Ada' });
  await use(await open(url));
  const sessions = await sessionsOf(url);
  expect(new Set(sessions.map(({ application_name }) => application_name))).toEqual(new Set(['embeds of Ada']));
});

test('a password can contain any character, percent-encoded', async () => {
  const password = 'p@ss/w:o#r%d?&= +ü';
  const url = await newUrl({ sslmode: 'verify-full', sslrootcert: caFile }, 'template0');
  const name = `user_${url.pathname.slice(1)}`;
  await administer(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
  await administer(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${name}`);
  url.username = name;
  url.password = encodeURIComponent(password);
  await use(await open(url));
  url.password = encodeURIComponent(`${password}!`);
  await expect(openDatabase(url.href)).rejects.toThrow('does not let the service in: password authentication failed');
});

test.each([
  ['schema', 'Embeds of Ada'],
  ['options', '-c search_path=embeds'],
])('all tables are in the schema that the parameter %s names', async (parameter, value) => {
  const schema = parameter === 'schema' ? value : 'embeds';
  const url = await newUrl({ host: server.folder, [parameter]: value }, 'template0');
  await expect(openDatabase(url.href)).rejects.toThrow('has none of the schemas in the search path');
  const admin = new URL(url);
  admin.search = '';
  admin.searchParams.set('host', server.folder);
  const client = new pg.Client(admin.href);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`CREATE SCHEMA ${client.escapeIdentifier(schema)}`);
  await use(await open(url));
  // the second time, the tables exist
  await (await open(url)).ping();
  const { rows } = await client.query<{ schemaname: string }>(
    `SELECT DISTINCT schemaname FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(rows).toEqual([{ schemaname: schema }]);
});

test.each([
  ['-c work_mem=7MB', ['7MB', 'off', 'off']],
  ['-c jit=on', ['4MB', 'off', 'on']],
])(
  'the options %s of the URL are combined with DURABILITY=fast and override the defaults',
  async (options, settings) => {
    const { href } = await newUrl({ host: server.folder, options });
    const adapter = await connect(href, 'fast');
    const sql = `SELECT current_setting('work_mem'), current_setting('synchronous_commit'), current_setting('jit')`;
    expect((await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows).toEqual([settings]);
  },
);

test('connect_timeout limits the seconds that a connection may take', async () => {
  const url = await newUrl({ connect_timeout: '1' });
  // the system accepts the connection, and the server never responds
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  url.port = String((silent.address() as { port: number }).port);
  const began = performance.now();
  await expect(openDatabase(url.href)).rejects.toThrow('cannot be reached: timeout expired');
  expect(performance.now() - began).toBeLessThan(4_900);
});

test('a new connection that the server ends at once fails the transaction, and not the process', async () => {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const ended = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');
  const welcome = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I')), message('E', ended)];
  const server = createServer((socket) => socket.once('data', () => socket.end(Buffer.concat(welcome))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const adapter = await connect(`postgresql://postgres@127.0.0.1:${port}/embeds`, 'full');
  await expect(adapter.startTransaction()).rejects.toThrow();
});

test('a statement that conflicts with another leaves its session open', async () => {
  const url = await newDatabase();
  const database = await openDatabase(url);
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', new Date());
  const raw = await openRaw(url);
  const findSessions = () =>
    raw.query(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'embed-gateway' AND datname = current_database() ORDER BY 1`,
    );
  const embed = embedOf('ada');
  await database.embeds.insert(embed);
  const before = await findSessions();
  for (let i = 0; i < 5; i++) await expect(database.embeds.insert(embed)).rejects.toThrow();
  expect(await findSessions()).toEqual(before);
});
