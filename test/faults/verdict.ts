import BetterSqlite3 from 'better-sqlite3';
import type { Ledger } from './ledger.ts';

/** The last word of a script: what was counted, what must not be, and the exit code. */
export function conclude(counts: object, faults: readonly string[]): void {
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(' · '),
  );
  for (const fault of faults.slice(0, 10)) console.error(`FAULT ${fault}`);
  console.log(faults.length === 0 ? 'PASS' : `FAIL: ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

/** The file itself, when nobody has it open: its structure, and the totals of all accounts. */
export function inspectFile(file: string): string[] {
  const database = new BetterSqlite3(file);
  try {
    const verdict = database.pragma('integrity_check', { simple: true });
    const wrong = database
      .prepare('SELECT id FROM Account WHERE embedCount <> (SELECT COUNT(*) FROM Embed WHERE accountId = Account.id)')
      .all();
    return [
      ...(verdict === 'ok' ? [] : [`integrity_check: ${verdict}`]),
      ...(wrong.length === 0 ? [] : [`wrong totals: ${JSON.stringify(wrong)}`]),
    ];
  } finally {
    database.close();
  }
}

/** The latency that 99 of 100 writes kept below, in ms. */
export function p99({ latenciesMs }: Ledger): string {
  const sorted = latenciesMs.toSorted((left, right) => left - right);
  return (sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(1);
}
