import { expect, test, vi } from 'vitest';
import type { Embed } from '../../src/domain/embed/embed.ts';
import { createRenderedPageCache } from '../../src/doors/hosted/rendered-page-cache.ts';
import { createRepresentation } from '../../src/http/representation.ts';
import { NO_RULES } from './rules.ts';

const page = (text: string, pictures: ReadonlyMap<string, string> = new Map()) => {
  const formerPictures = new Map<string, string>();
  return {
    path: '/',
    representation: createRepresentation(text, {}),
    pictures,
    formerPictures,
    ...NO_RULES,
    lookedUpAtMs: 0,
  };
};
const embed = (id: string, version = 1) => ({ id, version }) as Embed;
const fresh = () => ({ freshUntil: new Date(Date.now() + 60_000) });
const stale = () => ({ freshUntil: new Date(Date.now() - 60_000) });

test('finds a page only for the version of the embed from which it was rendered', () => {
  const cache = createRenderedPageCache(() => new Date());
  const [old, current] = [page('old'), page('current')];
  cache.set(embed('a', 2), fresh(), current);
  expect(cache.find(embed('a', 2))).toBe(current);
  expect(cache.find(embed('a', 1))).toBeNull();
  expect(cache.find(embed('a', 3))).toBeNull();
  cache.set(embed('a', 1), fresh(), old);
  expect(cache.find(embed('a', 2))).toBeNull();
});

test('evicts the least recently used page at its limit, and does not store a page above the limit', () => {
  const text = '0123456789'.repeat(10_000);
  const cache = createRenderedPageCache(() => new Date(), 3.5 * 2 * text.length);
  for (const id of ['a', 'b', 'c']) cache.set(embed(id), fresh(), page(text));
  expect(cache.find(embed('a'))).not.toBeNull();
  cache.set(embed('d'), fresh(), page(text));
  const remaining = ['a', 'b', 'c', 'd'].filter((id) => cache.find(embed(id)));
  expect(remaining).toEqual(['a', 'c', 'd']);
  cache.set(embed('c'), fresh(), page(text));
  expect(['a', 'c', 'd'].filter((id) => cache.find(embed(id)))).toEqual(['a', 'c', 'd']);
  cache.set(embed('e'), fresh(), page(text.repeat(4)));
  expect(cache.find(embed('e'))).toBeNull();
  cache.set(embed('f'), fresh(), page('', new Map([['picture', text.repeat(4)]])));
  expect(cache.find(embed('f'))).toBeNull();
});

test('finds a page of a stale copy only for the copy from which it was rendered', () => {
  const cache = createRenderedPageCache(() => new Date());
  const [copy, first] = [stale(), page('first')];
  cache.set(embed('a'), copy, first);
  expect(cache.findForCopy(embed('a'), copy)).toBe(first);
  expect(cache.findForCopy(embed('a'), fresh())).toBeNull();
  expect(cache.findForCopy(embed('a', 2), copy)).toBeNull();
});

test.each([-86_400_000, 86_400_000])(
  'looks up a copy again once it is stale, also when the clock was moved by %i ms',
  (moved) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      const cache = createRenderedPageCache(() => new Date());
      cache.set(embed('a'), fresh(), page('first'));
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
