import { expect, test } from 'vitest';
import { fallbackTitleOf, findTitleInUrl } from '../../packages/reader/src/page-url.ts';
import { createEmbedIdGenerator, isEmbedId } from '../../src/domain/embed/id.ts';
import { slugOf } from '../../src/domain/embed/url.ts';

const HEX = '95747105f402490eba51d52e00496c1c';

test.each([
  [`https://example.com/Meal-Planner-${HEX}`, 'Meal-Planner'],
  [`https://example.com/Meal_Planner-${HEX}`, 'Meal-Planner'],
  ['https://example.com/blog/My-Post.html', 'My-Post-html'],
  [`https://example.com/${HEX}`, 'example-com'],
  ['https://example.com', 'example-com'],
  ['https://example.com/blog/My-Post//', 'My-Post'],
  ['https://example.com/%E6%97%A5%E6%9C%AC%E8%AA%9E', '日本語'],
  ['https://example.com/R%C3%A9sum%C3%A9%20(2026)', 'Résumé-2026'],
  ['https://example.com/%ZZ', 'ZZ'],
  ['https://example.com/%00%01', 'example-com'],
  [`https://example.com/${'a'.repeat(300)}`, 'a'.repeat(80)],
])('the slug of %s is %s', (url, slug) => {
  expect(slugOf(findTitleInUrl(url) ?? fallbackTitleOf(url))).toBe(slug);
});

test('a title without letters and digits has the slug page', () => {
  expect(slugOf('!!! ???')).toBe('page');
  expect(slugOf(`${'x'.repeat(79)}  y`)).toBe('x'.repeat(79));
});

test('ids increase even if the clock goes back, and their neighbours cannot be guessed', () => {
  const clock = [1_000, 1_000, 1_000, 900, 900, 1_001, 5, 2_000];
  const next = createEmbedIdGenerator(() => clock.shift() ?? 2_000);
  const made = Array.from({ length: 10_000 }, () => next('ada'));
  const ids = made.map(({ id }) => id);
  expect(ids.every(isEmbedId)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  expect([...made].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())).toEqual(made);
  const value = (id: string) =>
    [...id].reduce((sum, c) => sum * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(c)), 0n);
  const steps = ids.slice(1).map((id, i) => value(id) - value(ids[i] ?? ''));
  expect(steps.filter((step) => step < 1_000_000n)).toEqual([]);
});
