import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReadCache } from '../../src/store/performance/read-cache.ts';

/** Room for one subject with two values, so that others evict it. */
const MAX_SIZE = 500;
const VALUE_BYTES = 100;

/** Reads begin and end twice as often as the others, so that there are hits. */
const READS = ['begin read', 'begin read', 'end read', 'end read', 'read'] as const;
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...READS, 'begin write', 'commit', 'end write', 'fail write', 'other'),
    subject: fc.constantFrom('bread', 'salt'),
    query: fc.constantFrom('first', 'last'),
    /** Chooses one of the reads or writes that have begun. */
    at: fc.nat(3),
  }),
  { minLength: 20, maxLength: 60 },
);

interface Operation {
  readonly subject: string;
  readonly gate: PromiseWithResolvers<number>;
  /** The version that was read or committed. */
  version?: number;
  done: Promise<unknown>;
}

test('no read returns a version before that of a write that had ended, in whatever order reads and writes overlap', async () => {
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      let dataVersion = 1;
      const cache = createReadCache(() => dataVersion, MAX_SIZE);
      const [committed, acknowledged] = [new Map<string, number>(), new Map<string, number>()];
      const versionOf = (subject: string) => committed.get(subject) ?? 0;
      const commit = (subject: string) => {
        committed.set(subject, versionOf(subject) + 1);
        return versionOf(subject);
      };
      const acknowledge = (subject: string, version = 0) =>
        acknowledged.set(subject, Math.max(version, acknowledged.get(subject) ?? 0));
      const [reads, writes]: [Operation[], Operation[]] = [[], []];

      function beginRead(subject: string, query: string): void {
        const gate = Promise.withResolvers<number>();
        const oldest = acknowledged.get(subject) ?? 0;
        const check = (version: number) => expect(version).toBeGreaterThanOrEqual(oldest);
        const found = cache.get(
          subject,
          query,
          () => gate.promise,
          () => VALUE_BYTES,
        );
        if (found instanceof Promise) reads.push({ subject, gate, done: found.then(check) });
        else {
          hits++;
          check(found);
        }
      }

      function beginWrite(subject: string): void {
        const gate = Promise.withResolvers<number>();
        const write: Operation = { subject, gate, done: Promise.resolve() };
        write.done = cache
          .invalidateAround(subject, () => gate.promise)
          .catch(() => {})
          .then(() => acknowledge(subject, write.version));
        writes.push(write);
      }

      for (const { kind, subject, query, at } of all) {
        const operations = kind.endsWith('read') ? reads : writes;
        const operation = operations[at % Math.max(1, operations.length)];
        if (kind === 'begin read') beginRead(subject, query);
        else if (kind === 'begin write') beginWrite(subject);
        else if (kind === 'other') {
          acknowledge(subject, commit(subject));
          dataVersion++;
        } else if (!operation) continue;
        else {
          if (kind !== 'fail write') {
            const { subject } = operation;
            operation.version ??= operations === reads ? versionOf(subject) : commit(subject);
          }
          if (kind === 'read' || kind === 'commit') continue;
          operations.splice(operations.indexOf(operation), 1);
          if (kind === 'fail write') operation.gate.reject(new Error('The outcome is not known.'));
          else operation.gate.resolve(operation.version as number);
          await operation.done;
        }
      }
    }),
    { seed: 20_261_128, numRuns: 2_000 },
  );
  expect(hits).toBeGreaterThan(500);
});
