import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { backUp } from '../../../../src/store/sqlite/backup.ts';
import { REST } from '../harness/doors.ts';
import { inspectFile } from '../harness/report.ts';
import { startService } from '../harness/service.ts';
import { VARIABLES } from './run.ts';

/** The rows of a database that clients have written. */
export interface Contents {
  readonly accounts: readonly object[];
  readonly embeds: readonly { readonly id: string }[];
}

/** Reads a database that no process uses. */
export function contentsOf(file: string): Contents {
  const database = new BetterSqlite3(file, { fileMustExist: true });
  try {
    return {
      accounts: database.prepare<[], object>('SELECT id, createdAt, embedCount FROM Account ORDER BY id').all(),
      embeds: database
        .prepare<[], { id: string }>(
          'SELECT id, accountId, pageUrl, title, mode, font, showTopBar, version FROM Embed ORDER BY id DESC',
        )
        .all(),
    };
  } finally {
    database.close();
  }
}

/**
 * Starts the service on a database, reads it, ends the service, and then checks the integrity of all pages and rows.
 * @param expected the contents that the database may have; null if `useService` compares them
 */
export async function checkDatabase(
  file: string,
  expected: readonly Contents[] | null,
  useService: (origin: string) => Promise<readonly string[]> = async () => [],
): Promise<string[]> {
  const faults: string[] = [];
  let listed: string[];
  try {
    const service = await startService(file, VARIABLES);
    const ready = await fetch(`${service.origin}/readyz`);
    if (ready.status !== 200) faults.push(`/readyz returned ${ready.status} after the next start`);
    faults.push(...(await useService(service.origin)));
    const list = await REST.list(service.origin);
    listed = list.embeds.map(({ id }) => id);
    if (list.total !== listed.length)
      faults.push(`the total is ${list.total}, and the list has ${listed.length} embeds`);
    // a stop would wait for the idle connections of the requests above
    await service.kill();
  } catch (error) {
    return [...faults, `the next start failed: ${lastLineOf((error as Error).message)}`];
  }
  faults.push(...inspectFile(file), ...(await checkWholeFile(file)));
  const contents = contentsOf(file);
  if (expected && !expected.some((each) => isDeepStrictEqual(each, contents)))
    faults.push(`the database has other rows: ${contents.embeds.length} embeds`);
  const ids = contents.embeds.map(({ id }) => id);
  if (!isDeepStrictEqual(listed, ids)) faults.push('the list differs from the rows');
  return faults;
}

/** Checks the schema, each row and the totals, as `embed-gateway backup` does. */
export async function checkWholeFile(file: string): Promise<string[]> {
  const copy = `${file}.checked`;
  try {
    await backUp(file, copy);
    return [];
  } catch (error) {
    return [`the check of a backup failed: ${(error as Error).message}`];
  } finally {
    rmSync(copy, { force: true });
  }
}

/** Returns the message that ended a program: the last line that is not of the log. */
export function lastLineOf(output: string): string {
  const lines = output.trim().split('\n');
  return lines.findLast((line) => !line.includes('{"level"')) ?? lines.at(-1) ?? '';
}
