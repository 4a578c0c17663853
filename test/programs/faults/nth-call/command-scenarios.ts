import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { beginService } from '../harness/service.ts';
import { checkDatabase, checkWholeFile, contentsOf, lastLineOf } from './check.ts';
import { type Result, runCommand, VARIABLES } from './run.ts';
import { filesBeside, partsOf, type Scenario } from './scenario.ts';
import { PROCESS_ID } from './strace.ts';

/** Rows of an import, in three transactions. */
const ROWS = 1_100;

const wasKilled = ({ signal }: Result) => signal !== null;

/** @returns a fault if the command fails without an injected fault */
async function repeat(file: string, args: readonly string[], exitCode = 0): Promise<string[]> {
  const { code, output } = await runCommand(file, args);
  return code === exitCode ? [] : [`the repeated command ended with ${code}: ${lastLineOf(output)}`];
}

/** A command that was not killed removes its unfinished files. */
function findParts(folder: string, result: Result): string[] {
  const parts = readdirSync(folder).filter((name) => name.includes('.part'));
  return parts.length > 0 && !wasKilled(result) ? [`the command left ${parts.join(', ')}`] : [];
}

const backup: Scenario = {
  name: 'backup',
  exitCode: 0,
  open(folder, { filled }) {
    const [file, target] = [join(folder, 'embeds.db'), join(folder, 'backup.db')];
    filled.copyTo(file);
    return {
      paths: [...filesBeside(file), target, ...partsOf(target)],
      run: (launcher) => runCommand(file, ['backup', target], launcher),
      async verify(result) {
        const faults = findParts(folder, result);
        if (existsSync(target)) {
          if (result.code !== 0 && !wasKilled(result)) faults.push('the backup failed, and the target exists');
        } else {
          if (result.code === 0) faults.push('the backup succeeded without a target');
          faults.push(...(await repeat(file, ['backup', target])));
        }
        faults.push(...(await checkDatabase(target, [filled.contents])));
        return [...faults, ...(await checkDatabase(file, [filled.contents]))];
      },
    };
  },
};

const restore: Scenario = {
  name: 'restore',
  exitCode: 0,
  open(folder, { filled, backup: source }) {
    const [file, from] = [join(folder, 'embeds.db'), join(folder, 'monday.db')];
    filled.copyTo(file);
    source.copyTo(from);
    return {
      paths: [...filesBeside(file), ...partsOf(file), from],
      run: (launcher) => runCommand(file, ['restore', from], launcher),
      async verify(result) {
        const faults = findParts(folder, result);
        const isRestored = result.code === 0;
        const possible = isRestored ? [source.contents] : [filled.contents, source.contents];
        faults.push(...(await checkDatabase(file, possible)));
        for (const name of readdirSync(folder).filter((each) => /before-restore-\w+(-\d+)?$/.test(each)))
          faults.push(...expectContents(join(folder, name), filled.contents));
        faults.push(...(await repeat(file, ['restore', from])));
        return [...faults, ...(await checkDatabase(file, [source.contents]))];
      },
    };
  },
};

function expectContents(file: string, expected: object): string[] {
  return isDeepStrictEqual(contentsOf(file), expected) ? [] : [`${file} has other rows`];
}

const copy: Scenario = {
  name: 'copy',
  exitCode: 0,
  open(folder, { filled, empty }) {
    const [file, target] = [join(folder, 'embeds.db'), join(folder, 'copy.db')];
    filled.copyTo(file);
    empty.copyTo(target);
    const args = ['copy', '--from', `file:${file}`, '--to', `file:${target}`];
    return {
      paths: [...filesBeside(file), ...filesBeside(target)],
      run: (launcher) => runCommand(file, args, launcher),
      async verify(result) {
        const faults: string[] = [];
        if (result.code !== 0) faults.push(...(await checkUnfinishedCopy(target)));
        // a command that was killed may have completed the copy
        if (hasCheckpoint(target) || !isDeepStrictEqual(contentsOf(target), filled.contents))
          faults.push(...(await repeat(file, args)));
        faults.push(...(await checkDatabase(target, [filled.contents])));
        return [...faults, ...(await checkDatabase(file, [filled.contents]))];
      },
    };
  },
};

/** The service must refuse an unfinished copy. It may start on a target that is still empty, or complete. */
async function checkUnfinishedCopy(target: string): Promise<string[]> {
  const starting = await beginService(target, VARIABLES);
  const isStarted = await starting.ready.then(
    () => true,
    () => false,
  );
  if (!isStarted) {
    const isRefused = starting.log().includes('unfinished copy');
    return isRefused ? [] : [`the start on the copy failed: ${lastLineOf(starting.log())}`];
  }
  await starting.kill();
  return hasCheckpoint(target) ? ['the service started on an unfinished copy'] : checkWholeFile(target);
}

function hasCheckpoint(target: string): boolean {
  const database = new BetterSqlite3(target);
  try {
    return database.prepare("SELECT 1 FROM sqlite_schema WHERE name = '_copy'").get() !== undefined;
  } finally {
    database.close();
  }
}

const urlOfRow = (row: number) => `https://example.com/Row-${String(row).padStart(4, '0')}`;

const importRows: Scenario = {
  name: 'import',
  // a row is rejected
  exitCode: 1,
  open(folder, { empty }) {
    const [file, input, rejects] = [join(folder, 'embeds.db'), join(folder, 'rows.csv'), join(folder, 'rejects.csv')];
    empty.copyTo(file);
    const urls = Array.from({ length: ROWS }, (_, row) => urlOfRow(row));
    writeFileSync(input, ['page_url', ...urls, 'ftp://example.com/', ''].join('\n'));
    const args = ['import', input, '--rejects', rejects];
    return {
      paths: [...filesBeside(file), input, rejects, `${rejects}.${PROCESS_ID}.part`],
      run: (launcher) => runCommand(file, args, launcher),
      async verify(result) {
        const faults = findParts(folder, result);
        if (existsSync(rejects) && !readFileSync(rejects, 'utf8').includes('ftp://example.com/'))
          faults.push('the file of rejected rows is not complete');
        if (result.code !== 1) faults.push(...(await repeat(file, args, 1)));
        faults.push(...(await checkDatabase(file, null)));
        const imported = contentsOf(file).embeds as readonly { id: string; pageUrl?: string }[];
        const inOrder = imported.map(({ pageUrl }) => pageUrl).reverse();
        if (!isDeepStrictEqual(inOrder, urls))
          faults.push(`${imported.length} of ${ROWS} rows were imported, or in another order`);
        return faults;
      },
    };
  },
};

const exportRows: Scenario = {
  name: 'export',
  exitCode: 0,
  open(folder, { filled }) {
    const [file, target] = [join(folder, 'embeds.db'), join(folder, 'embeds.csv')];
    const earlier = 'an earlier export\n';
    filled.copyTo(file);
    writeFileSync(target, earlier);
    const args = ['export', target];
    return {
      paths: [...filesBeside(file), target, `${target}.${PROCESS_ID}.part`],
      run: (launcher) => runCommand(file, args, launcher),
      async verify(result) {
        const faults = findParts(folder, result);
        const exported = readFileSync(target, 'utf8');
        if (result.code !== 0) faults.push(...(await repeat(file, args)));
        const complete = readFileSync(target, 'utf8');
        const ids = filled.contents.embeds.map(({ id }) => id);
        if (!ids.every((id) => complete.includes(id))) faults.push('the export is not complete');
        if (exported !== complete && (exported !== earlier || result.code === 0))
          faults.push('the target is half written');
        return [...faults, ...(await checkDatabase(file, [filled.contents]))];
      },
    };
  },
};

export const COMMAND_SCENARIOS = [backup, restore, copy, importRows, exportRows];
