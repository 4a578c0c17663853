import pg from 'pg';
import { copyDatabase } from '../../../../src/store/copy/copy.ts';
import { openEngine } from '../../../../src/store/database.ts';
import { toStandardError } from '../../../../src/store/open-options.ts';
import { openPostgresqlServer } from '../../../databases/embedded.ts';
import { ACCOUNT, type Data } from './sqlite.ts';

const OPEN_OPTIONS = { durability: 'full', poolSize: 2, log: toStandardError, auditLog: toStandardError } as const;

/** Settings of a dedicated server. Commits stay durable. */
const FLAGS = ['-c', 'shared_buffers=512MB', '-c', 'max_wal_size=4GB'];

/** Copies a SQLite file to a new PostgreSQL server, which runs until the work is done. */
export async function withPostgresqlData(seed: Data, work: (data: Data) => Promise<void>): Promise<void> {
  const server = await openPostgresqlServer(FLAGS);
  const query = async (database: string, sql: string) => {
    const client = new pg.Client(server.urlOf(database));
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const dataOf = (name: string): Data => ({
    ...seed,
    url: server.urlOf(name),
    file: seed.file.replace(/[^/\\]+$/, name),
    async copy(copied) {
      await query('postgres', `CREATE DATABASE ${copied} TEMPLATE ${name}`);
      return dataOf(copied);
    },
    async countRows() {
      const rows = await query(name, `SELECT count(*)::int AS count FROM "Embed" WHERE "accountId" = '${ACCOUNT}'`);
      return (rows[0] as { count: number }).count;
    },
  });
  try {
    await query('postgres', 'CREATE DATABASE seed');
    const data = dataOf('seed');
    const progress = { begin: () => {}, advance: () => {} };
    await copyDatabase(seed.url, data.url, { progress, log: toStandardError, signal: new AbortController().signal });
    await copyPages(seed.url, data.url);
    await query('seed', 'VACUUM ANALYZE');
    await query('postgres', 'CHECKPOINT');
    await work(data);
  } finally {
    await server.close();
  }
}

/** Copies the cached pages, which `copyDatabase` omits. */
async function copyPages(from: string, to: string): Promise<void> {
  const [source, target] = [await openEngine(from, OPEN_OPTIONS), await openEngine(to, OPEN_OPTIONS)];
  await target.client.page.createMany({ data: await source.client.page.findMany() });
  await source.close();
  await target.close();
}
