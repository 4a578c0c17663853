import { expect, test } from 'vitest';
import { run } from '../process/run.ts';

test('every line is written, in its order, also the last one and what comes while others are written', async () => {
  const talker = run('test/http/many-lines.ts', [], {});
  expect(await talker.ended).toBe(0);
  const lines = talker.stdout().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).line)).toEqual(Array.from({ length: 3_002 }, (_, i) => i));
});
