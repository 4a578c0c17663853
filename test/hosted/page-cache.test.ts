import { expect, test, vi } from 'vitest';
import type { Embed } from '../../src/domain/embed/embed.ts';
import { createRenderedPageCache } from '../../src/doors/hosted/rendered-page-cache.ts';
import { createRepresentation } from '../../src/http/representation.ts';

const page = (text: string) => ({ path: '/', representation: createRepresentation(text, {}) });
const embed = (id: string, version = 1) => ({ id, version }) as Embed;
const fresh = () => ({ freshUntil: new Date(Date.now() + 60_000) });
const stale = () => ({ freshUntil: new Date(Date.now() - 60_000) });

test('finds a page only for the version of the embed that it was made from', () => {
  const cache = createRenderedPageCache();
  const [old, current] = [page('old'), page('current')];
  cache.keep(embed('a', 2), fresh(), current);
  expect(cache.find(embed('a', 2))).toBe(current);
  expect(cache.find(embed('a', 1))).toBeNull();
  expect(cache.find(embed('a', 3))).toBeNull();
  cache.keep(embed('a', 1), fresh(), old);
  expect(cache.find(embed('a', 2))).toBeNull();
});

test('keeps to its bound: what was asked for longest ago goes first, and what is too large stays out', () => {
  const cache = createRenderedPageCache(2 * 30);
  const text = '0123456789';
  for (const id of ['a', 'b', 'c']) cache.keep(embed(id), fresh(), page(text));
  expect(cache.find(embed('a'))).not.toBeNull();
  cache.keep(embed('d'), fresh(), page(text));
  const left = ['a', 'b', 'c', 'd'].filter((id) => cache.find(embed(id)));
  expect(left).toEqual(['a', 'c', 'd']);
  cache.keep(embed('c'), fresh(), page(text));
  expect(['a', 'c', 'd'].filter((id) => cache.find(embed(id)))).toEqual(['a', 'c', 'd']);
  cache.keep(embed('e'), fresh(), page(text.repeat(4)));
  expect(cache.find(embed('e'))).toBeNull();
});

test('has a page only for the copy that it was made from, once the copy was asked for again', () => {
  const cache = createRenderedPageCache();
  const [copy, first] = [stale(), page('first')];
  cache.keep(embed('a'), copy, first);
  expect(cache.findOf(embed('a'), copy)).toBe(first);
  expect(cache.findOf(embed('a'), fresh())).toBeNull();
  expect(cache.findOf(embed('a', 2), copy)).toBeNull();
});

test.each([-86_400_000, 86_400_000])(
  'asks for a copy again when it is no longer fresh, though the clock was moved by %i ms',
  (moved) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      const cache = createRenderedPageCache();
      cache.keep(embed('a'), fresh(), page('first'));
      vi.setSystemTime(Date.now() + moved);
      vi.advanceTimersByTime(59_999);
      expect(cache.find(embed('a'))).not.toBeNull();
      vi.advanceTimersByTime(1);
      expect(cache.find(embed('a'))).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  },
);
