/**
 * The first line of a migration whose statements run one by one, because PostgreSQL allows no transaction around them
 * (`CREATE INDEX CONCURRENTLY`), or because one would hold its locks for too long. Each of them can be repeated, so that an
 * interrupted migration runs again from its beginning. A blank line ends a statement.
 */
const SEPARATE_MARK = '-- Runs statement by statement.\n';

/** Returns the statements of a migration that runs without a transaction; null for one that runs in a transaction. */
export function separateStatementsOf(script: string): readonly string[] | null {
  if (!script.startsWith(SEPARATE_MARK)) return null;
  return script
    .slice(SEPARATE_MARK.length)
    .split(/;\n\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/^--.*$/gm, '').trim() !== '');
}

/** Citus passes the whole text of a query to the workers, which accept one statement. */
export function asBlock(script: string): string {
  return `DO $script$ BEGIN\n${script}\nEND $script$`;
}

/**
 * Separates the statements from the first trigger on: on a cluster, new tables are distributed before. The triggers, which lock
 * their tables against writes, come last, so that writes wait only for a moment.
 */
export function separateTriggersOf(script: string): readonly [tables: string, triggers: string] {
  const start = script.search(/^CREATE TRIGGER /m);
  return start < 0 ? [script, ''] : [script.slice(0, start), script.slice(start)];
}
