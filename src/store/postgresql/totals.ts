import type pg from 'pg';
import { DEFAULT_ACCOUNT } from '../../domain/identity/account.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { DatabaseError, ignoreUnavailable } from '../database-errors.ts';
import { locationOf } from '../database-url.ts';
import type { Query } from '../engine.ts';
import { DIRECT_EXECUTOR, type Executor } from '../executor.ts';
import { toStandardError } from '../open-options.ts';
import { transact } from './connection.ts';
import { sessionSettings } from './pool.ts';
import { connectToServer, nameOf, preparePostgresql } from './server.ts';

/** Accounts of the oldest tokens, and as many of the newest, that a start checks. */
const CHECKED_TOKENS = 4;
/** The embeds of an account are counted up to this. */
const MAX_COUNTED = 100;
/** Accounts that a statement of `recount` reads. */
const BATCH_ACCOUNTS = 500;

interface CheckedRow {
  readonly total: number;
  /** At most one more than {@link MAX_COUNTED}. */
  readonly counted: number;
  /** The newest embed; null if there is none. */
  readonly id: string | null;
  readonly terms: string | null;
}

/** Selects the accounts whose totals a start checks, whatever the size of the database. */
export async function findCheckedAccounts(query: Query): Promise<readonly string[]> {
  const accountIds = new Set([DEFAULT_ACCOUNT]);
  for (const order of [Prisma.sql`ASC`, Prisma.sql`DESC`]) {
    const rows = await query<{ accountId: string }>(
      Prisma.sql`SELECT "accountId" FROM "Token" ORDER BY "id" ${order} LIMIT ${CHECKED_TOKENS}`,
    );
    for (const { accountId } of rows) accountIds.add(accountId);
  }
  return [...accountIds];
}

/**
 * A restore of rows alone (`pg_dump --data-only`) runs the triggers, which count each embed a second time and index its words
 * a second time.
 * @param name the database, for the message
 * @param executor on a cluster, accounts of a node that is away are not checked
 * @throws {DatabaseError} if the total of an account is wrong, or a word is there twice
 */
export async function requireRightTotals(
  name: string,
  accountIds: readonly string[],
  query: Query,
  { runRequest }: Executor = DIRECT_EXECUTOR,
): Promise<void> {
  for (const accountId of accountIds) {
    const [fault] = await runRequest(accountId, () => findFaults(query, accountId)).catch(ignoreUnavailable);
    if (fault === undefined) continue;
    throw new DatabaseError(
      `${name} was not restored as a whole: ${fault}. Triggers have counted and indexed its embeds again. Stop all gateways, run "npx embed-gateway recount", and start again.`,
    );
  }
}

/** Returns at most one fault. */
async function findFaults(query: Query, accountId: string): Promise<readonly string[]> {
  // one statement: the service may run, and a trigger changes the total with the embeds
  const [row] = await query<CheckedRow>(
    Prisma.sql`
      SELECT a."embedCount" AS "total", n."id", n."terms", (
        SELECT count(*)::int FROM (
          SELECT 1 FROM "Embed" AS e
          WHERE hashtextextended(e."accountId", 0) = hashtextextended(${accountId}, 0) AND e."accountId" = ${accountId}
          LIMIT ${MAX_COUNTED + 1}
        ) AS "first"
      ) AS "counted"
      FROM "Account" AS a LEFT JOIN (
        SELECT "accountId", "id", "terms" FROM "Embed"
        WHERE hashtextextended("accountId", 0) = hashtextextended(${accountId}, 0) AND "accountId" = ${accountId}
        ORDER BY "rank" DESC LIMIT 1
      ) AS n ON n."accountId" = a."id"
      WHERE a."id" = ${accountId}`,
  );
  if (!row) return [];
  const { total, counted, id, terms } = row;
  const isCounted = counted <= MAX_COUNTED;
  if (isCounted ? total !== counted : total < counted) {
    return [`the total of the account ${accountId} is ${total} instead of ${counted}${isCounted ? '' : ' or more'}`];
  }
  const [term] = terms === null ? [] : (JSON.parse(terms) as readonly string[]);
  if (id === null || term === undefined) return [];
  const rows = await query(
    Prisma.sql`
      SELECT 1 FROM "EmbedTerm"
      WHERE "termHash" = hashtextextended(${term}, hashtextextended(${accountId}, 0)) AND "accountId" = ${accountId}
        AND "rank" = (SELECT "rank" FROM "Embed" WHERE "accountId" = ${accountId} AND "id" = ${id}) AND "embedId" = ${id}
      LIMIT 2`,
  );
  return rows.length < 2 ? [] : [`a word of the embed ${id} is indexed twice`];
}

const WRITE_TOTAL = `
  UPDATE "Account" SET "embedCount" = (SELECT count(*) FROM "Embed" AS e WHERE e."accountId" = $1)
  WHERE "id" = $1 AND "embedCount" <> (SELECT count(*) FROM "Embed" AS e WHERE e."accountId" = $1)`;
const DELETE_TERMS = `DELETE FROM "EmbedTerm" WHERE "accountId" = $1`;
const WRITE_TERMS = `
  INSERT INTO "EmbedTerm" ("accountId", "term", "embedId", "termHash", "rank")
  SELECT e."accountId", value, e."id", hashtextextended(value, hashtextextended(e."accountId", 0)), e."rank"
  FROM "Embed" AS e CROSS JOIN json_array_elements_text(e."terms"::json) AS value
  WHERE e."accountId" = $1`;

/**
 * Counts the embeds of each account again, and indexes their words again, one account per transaction. No gateway may run
 * meanwhile. May be repeated.
 */
export async function recountDatabase(url: string) {
  const place = locationOf(url);
  if ('file' in place) {
    throw new DatabaseError('A SQLite file needs no recount: "embed-gateway restore" checks its totals.');
  }
  const options = { settings: sessionSettings('full'), log: toStandardError };
  const { isUndistributed } = await preparePostgresql(place, options, async (prepared) => prepared);
  if (isUndistributed) throw new DatabaseError(describeUndistributed(nameOf(place)));
  return connectToServer(place, async (connection) => {
    let accounts = 0;
    let wrongTotals = 0;
    for (let last = ''; ; ) {
      const { rows } = await connection.query<{ id: string }>(
        `SELECT "id" FROM "Account" WHERE "id" > $1 ORDER BY "id" LIMIT ${BATCH_ACCOUNTS}`,
        [last],
      );
      for (const { id } of rows) wrongTotals += await recountAccount(connection, id);
      accounts += rows.length;
      last = rows.at(-1)?.id ?? '';
      if (last === '') return { accounts, wrongTotals };
    }
  });
}

/** Returns 1 if the total was wrong. */
async function recountAccount(connection: pg.Client, accountId: string): Promise<number> {
  return transact(connection, 'BEGIN; SET LOCAL statement_timeout = 0', async () => {
    const { rowCount } = await connection.query(WRITE_TOTAL, [accountId]);
    for (const statement of [DELETE_TERMS, WRITE_TERMS]) await connection.query(statement, [accountId]);
    return rowCount ?? 0;
  });
}

export function describeUndistributed(name: string): string {
  return `${name} has the tables of a Citus cluster, but they are not distributed: a dump of the coordinator was restored. Run "npx embed-gateway distribute" for an empty database of a cluster, and then "npx embed-gateway copy --from <this database> --to <that database>".`;
}
