import BetterSqlite3 from 'better-sqlite3';
import type { Ledger } from './ledger.ts';

/** Prints the counts and the first 10 faults, and sets the exit code: 1 if there are faults. */
export function reportResult(counts: object, faults: readonly string[]): void {
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(' · '),
  );
  for (const fault of faults.slice(0, 10)) console.error(`FAULT ${fault}`);
  console.log(faults.length === 0 ? 'PASS' : `FAIL: ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

/** Checks the integrity of a closed database file, and the embed counts of all accounts. */
export function inspectFile(file: string): string[] {
  const database = new BetterSqlite3(file);
  try {
    const integrity = database.pragma('integrity_check', { simple: true });
    const wrong = database
      .prepare('SELECT id FROM Account WHERE embedCount <> (SELECT COUNT(*) FROM Embed WHERE accountId = Account.id)')
      .all();
    return [
      ...(integrity === 'ok' ? [] : [`integrity_check: ${integrity}`]),
      ...(wrong.length === 0 ? [] : [`wrong totals: ${JSON.stringify(wrong)}`]),
    ];
  } finally {
    database.close();
  }
}

/** Formats the 99th percentile of the latencies, in ms. */
export function formatP99({ latenciesMs }: Ledger): string {
  const sorted = latenciesMs.toSorted((left, right) => left - right);
  return (sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(1);
}
