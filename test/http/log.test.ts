import { expect, test } from 'vitest';
import { run } from '../process/run.ts';

test('writes every line in order, also the last one and those that are logged during a write', async () => {
  const talker = run('test/http/many-lines.ts', [], {});
  expect(await talker.ended).toBe(0);
  const lines = talker.stdout().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).line)).toEqual(Array.from({ length: 3_002 }, (_, i) => i));
});
