import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { requireSqlite } from '../store/database-url.ts';
import { backUp, type Copy, restore } from '../store/sqlite/backup.ts';
import { countOf, createResultCommand, printResult, type ResultOptions } from './program.ts';
import { requireNotDatabaseFile } from './protected-files.ts';
import { stopSignal } from './run.ts';

export function createBackupCommand(): Command {
  return createResultCommand(
    'backup',
    'Copies a SQLite database, which may be in use.',
    'Copies the SQLite database of DATABASE_URL, which may be in use, and checks the copy.',
  )
    .argument('<file>', 'the copy; a file that does not exist')
    .action(async (name: string, options: ResultOptions) => {
      const target = resolve(name);
      const { databaseUrl } = readConfig();
      requireNotDatabaseFile(target, databaseUrl);
      const copy = await backUp(requireSqlite(databaseUrl), target, stopSignal());
      printResult(options, { file: target, ...copy }, [
        `Copied ${contentsOf(copy)} to ${target}. The integrity of the copy is checked.`,
      ]);
    });
}

export function createRestoreCommand(): Command {
  return createResultCommand(
    'restore',
    'Replaces a SQLite database with a backup.',
    'Replaces the SQLite database of DATABASE_URL with a backup. No process may use the database.',
  )
    .argument('<file>', 'the backup')
    .action(async (name: string, options: ResultOptions) => {
      const source = resolve(name);
      const { databaseUrl } = readConfig();
      requireNotDatabaseFile(source, databaseUrl);
      const databaseFile = requireSqlite(databaseUrl);
      const restored = await restore(databaseFile, source, new Date(), stopSignal());
      printResult(options, { file: databaseFile, ...restored }, [
        `Restored ${contentsOf(restored)} from ${source} to ${databaseFile}. Its integrity is checked.`,
        ...(restored.previousFile ? [`The previous database is kept as ${restored.previousFile}.`] : []),
        ...restored.pendingMigrations.map((migration) => `The next start will apply ${migration}.`),
      ]);
    });
}

/** Describes the contents of a copy for the operator. */
function contentsOf({ embeds, accounts, bytes }: Copy): string {
  return `${countOf(embeds, 'embed')} of ${countOf(accounts, 'account')} (${(bytes / 1_000_000).toFixed(1)} MB)`;
}
