import { parseHTML } from 'linkedom/worker';
import { expect, test } from 'vitest';
import { MEASURE_TEXT } from '../../src/render/page-scripts.ts';
import { MIN_TEXT_LENGTH, PATIENCE, waitUntilStill } from '../../src/render/stillness.ts';

test('reads a long text in which a clock ticks, and waits for one that grows', async () => {
  const quiet = { inFlight: 0, lastActivityMs: 0 };
  let looks = 0;
  const signal = AbortSignal.timeout(60_000);
  const ticking = async () => ({ length: 2_000 + (looks % 3), hash: ++looks });
  expect(await waitUntilStill(quiet, ticking, signal, PATIENCE.first)).toBeGreaterThanOrEqual(2_000);
  expect(signal.aborted).toBe(false);
  looks = 0;
  const growing = async () => ({ length: Math.min(2_000 + ++looks * 100, 5_000), hash: looks });
  expect(await waitUntilStill(quiet, growing, signal, PATIENCE.first)).toBe(5_000);
  expect(signal.aborted).toBe(false);
});

test('waits for a page that still loads its parts, although its text is long and does not change', async () => {
  let looks = 0;
  const loading = {
    inFlight: 0,
    get lastActivityMs() {
      return looks < 30 ? performance.now() - 150 : 0;
    },
  };
  const measure = async () => ({ length: ++looks < 30 ? 2_000 : 5_000, hash: 1 });
  expect(await waitUntilStill(loading, measure, AbortSignal.timeout(60_000), PATIENCE.first)).toBe(5_000);
});

test('takes the rows of a database of Notion, which are links, for enough text, but no other links', () => {
  const measure = (body: string) => {
    const { document } = parseHTML(`<html><body>${body}</body></html>`);
    return new Function('document', `return ${MEASURE_TEXT}`)(document).length as number;
  };
  expect(measure('<div id="notion-app"><a class="notion-collection-item" href="/rye">Rye</a></div>')).toBe(
    MIN_TEXT_LENGTH,
  );
  expect(measure('<div id="notion-app"><a href="/rye">Rye</a></div>')).toBe(0);
});
