import { expect, test } from 'vitest';
import { createCard } from '../../packages/reader/src/article.ts';
import { isPageState } from '../../packages/reader/src/page-state.ts';
import { msUntil } from '../../src/domain/clock.ts';
import { checkInstant, parseInstant } from '../../src/domain/instant.ts';
import {
  articleNotFound,
  needsAttention,
  outlineOf,
  pageCopyOf,
  remainingFreshMs,
  type StoredPage,
} from '../../src/domain/page-copy.ts';
import { compareVersion, paragraphsOf } from '../../src/domain/page-version.ts';

const NOW = new Date('2026-01-31T12:00:00Z');
const PAGE_URL = 'https://www.example.com/meals';
const ARTICLE = createCard({ title: 'Meal Planner', pageUrl: PAGE_URL });
const SHOWN = { state: 'SHOWN', reason: null } as const;
const CARD_ONLY = { state: 'NO_ARTICLE', reason: 'It is a list.' } as const;
const AWAY = { state: 'UNREACHABLE', reason: 'The site does not answer.' } as const;
const PENDING = { state: 'PENDING', reason: null } as const;
const SECOND_MS = 1_000;
const DAY_MS = 24 * 3_600 * SECOND_MS;

test('the card of a page has the title of its embed and the host of the page', () => {
  const card = createCard({ title: 'Meal Planner', pageUrl: PAGE_URL });
  expect(card).toMatchObject({ title: 'Meal Planner', site: 'example.com', direction: 'ltr', content: null });
  expect(createCard({ title: 'x', pageUrl: 'http://wwww.example.www.com/' }).site).toBe('wwww.example.www.com');
  expect(card.isPaywalled).toBe(false);
});

/** A page whose version was fetched this long ago; null for none. */
function storedPage(ageMs: number | null, status: StoredPage['failure'], failure: StoredPage['failure']): StoredPage {
  const fetchedAt = new Date(NOW.getTime() - (ageMs ?? 0));
  const version = {
    fetchedAt,
    url: PAGE_URL,
    etag: null,
    movedTo: null,
    lastModified: null,
    status: status ?? SHOWN,
    article: ARTICLE,
  };
  return { pageUrl: PAGE_URL, triedAt: NOW, freshUntil: NOW, failure, version: ageMs === null ? null : version };
}

test.each([
  ['no version', null, null, null, PENDING, false],
  ['no version, and a failure', null, null, AWAY, AWAY, false],
  ['a version', 0, SHOWN, null, SHOWN, true],
  ['a version of almost a day', DAY_MS - 1, SHOWN, null, SHOWN, true],
  ['a version of a day', DAY_MS, SHOWN, null, PENDING, false],
  ['a version of a day, and a failure', DAY_MS, SHOWN, AWAY, AWAY, false],
  ['a version, and a failure', 0, SHOWN, AWAY, { state: 'SHOWN', reason: AWAY.reason }, true],
  ['a version without an article', 0, CARD_ONLY, null, CARD_ONLY, true],
  ['a version without an article, and a failure', 0, CARD_ONLY, AWAY, AWAY, true],
  ['a version from 5 s in the future', -5 * SECOND_MS, SHOWN, null, SHOWN, true],
  ['a version from more than 5 s in the future', -5 * SECOND_MS - 1, SHOWN, null, PENDING, false],
])('a page with %s shows its state', (_what, ageMs, status, failure, state, isCurrent) => {
  const page = storedPage(ageMs, status, failure);
  expect(pageCopyOf(page, NOW)).toEqual({ freshUntil: NOW, ...state, article: isCurrent ? ARTICLE : null });
  const heights = { narrowPx: 700, widePx: 500 };
  const version = page.version && { ...page.version, title: ARTICLE.title, site: ARTICLE.site, heights };
  const facts = { title: 'Meal Planner', siteName: 'example.com', url: PAGE_URL, movedTo: null, heights };
  const none = {
    watchRefusal: null,
    title: null,
    siteName: null,
    url: null,
    movedTo: null,
    heights: null,
    fetchedAt: null,
  };
  expect(outlineOf(PAGE_URL, { failure, version, bytes: 900, watchRefusal: null }, NOW)).toEqual({
    pageUrl: PAGE_URL,
    bytes: 900,
    watchRefusal: null,
    ...state,
    ...(isCurrent ? { ...facts, fetchedAt: page.version?.fetchedAt } : none),
  });
  expect(outlineOf(PAGE_URL, null, NOW)).toEqual({ pageUrl: PAGE_URL, bytes: 0, ...PENDING, ...none });
});

test.each([
  [0, 0],
  [1, 1],
  [-1, 0],
  [600 * SECOND_MS, 600 * SECOND_MS],
  [605 * SECOND_MS, 600 * SECOND_MS],
  [605 * SECOND_MS + 1, 0],
])('a copy that is fresh for %i ms by the clock counts as fresh for %i ms', (ms, expected) => {
  const freshUntil = new Date(NOW.getTime() + ms);
  expect(remainingFreshMs({ freshUntil }, NOW)).toBe(expected);
  expect(msUntil(freshUntil, NOW, 600 * SECOND_MS)).toBe(expected);
});

test('only names of states are states', () => {
  expect(['PENDING', 'NOT_ALLOWED'].every(isPageState)).toBe(true);
  expect(['pending', '', 'toString', null, 7, ['PENDING']].some(isPageState)).toBe(false);
});

const NOON = Date.parse('2026-01-31T12:00:00Z');

test.each<[text: string, floorMs: number | null, ceilMs?: number]>([
  ['2026-01-31T12:00:00Z', NOON],
  ['2026-01-31t12:00:00z', NOON],
  ['2026-01-31T12:00:00.5Z', NOON + 500],
  ['2026-01-31T12:00:00.123Z', NOON + 123],
  ['2026-01-31T12:00:00.1230Z', NOON + 123],
  ['2026-01-31T12:00:00.1234Z', NOON + 123, NOON + 124],
  ['2026-01-31T12:00:00.000000001Z', NOON, NOON + 1],
  ['2026-01-31T12:00:00.0000000001Z', null],
  ['2026-01-31T12:00:00.Z', null],
  ['2026-01-31T14:30:00+02:30', NOON],
  ['2026-01-31T00:00:00-12:00', NOON],
  ['2026-01-31T12:00:00+24:00', null],
  ['2026-01-31T12:00:00+02:60', null],
  ['2026-01-31T12:00:00+0200', null],
  ['2026-01-31T12:00:00', null],
  ['2026-01-31T23:59:59Z', NOON + 43_199_000],
  ['2026-01-31T24:00:00Z', null],
  ['2026-01-31T12:60:00Z', null],
  ['2026-01-31T12:00:60Z', null],
  ['2024-02-29T12:00:00Z', Date.parse('2024-02-29T12:00:00Z')],
  ['2026-02-29T12:00:00Z', null],
  ['2026-04-31T12:00:00Z', null],
  ['2026-13-01T12:00:00Z', null],
  ['2026-00-01T12:00:00Z', null],
  ['2026-01-00T12:00:00Z', null],
  ['2026-01-31 12:00:00Z', null],
  ['x2026-01-31T12:00:00Z', null],
  ['2026-01-31T12:00:00Z\n', null],
  ['26-01-31T12:00:00Z', null],
  ['9999-12-31T23:59:59Z', Date.parse('9999-12-31T23:59:59Z')],
  ['9999-12-31T23:59:59-00:01', null],
  ['0000-01-01T00:00:00+00:01', null],
  // the day is that of the offset
  ['2026-02-01T01:00:00+13:00', NOON],
])('the time %s is read', (text, floorMs, ceilMs = floorMs ?? 0) => {
  expect(parseInstant(text)).toEqual(floorMs === null ? null : { floorMs, ceilMs });
  const message = 'must be a time as in RFC 3339, such as 2026-01-31T12:00:00.000Z';
  expect(checkInstant(text)).toBe(floorMs === null ? message : null);
});

test('only a text is a time', () => {
  for (const value of [null, 7, ['2026-01-31T12:00:00Z'], new Date(NOON)]) expect(checkInstant(value)).not.toBeNull();
});

test.each([
  ['SHOWN', null, false],
  ['SHOWN', 'https://example.com/moved', true],
  ['GONE', null, true],
  ['PENDING', null, false],
  ['NO_ARTICLE', null, false],
] as const)('a page that is %s and has moved to %s needs attention: %s', (state, movedTo, isNeeded) => {
  expect(needsAttention({ state, movedTo })).toBe(isNeeded);
});

test('the refusal of a missing article says why it is missing', () => {
  const messageOf = (state: string, reason: string | null) => articleNotFound(state, reason).message;
  const start = 'The embed has no article, because the state of its page is';
  expect(messageOf('GONE', 'The site says so.')).toBe(`${start} \`GONE\`. The site says so.`);
  expect(messageOf('gone', null)).toBe(`${start} \`gone\`.`);
  for (const state of ['pending', 'PENDING']) {
    expect(messageOf(state, null)).toBe(
      `${start} \`${state}\`. It has not been fetched yet: refresh it, which needs the scope write, then try again.`,
    );
  }
  for (const state of ['not_pending', 'pendings']) expect(messageOf(state, null)).toBe(`${start} \`${state}\`.`);
  expect(articleNotFound('GONE', null).code).toBe('not_found');
});

test('paragraphs are lines, and have one space between words', () => {
  expect(paragraphsOf(' One  two\nthree.\n\n\nFour.\t \n\n \n\n')).toEqual(['One two', 'three.', 'Four.']);
  expect(paragraphsOf('')).toEqual([]);
});

test('a version is compared with the one before it, paragraph by paragraph', () => {
  const versionOf = (...paragraphs: readonly string[]) => ({ fetchedAt: NOW, paragraphs });
  const version = versionOf('a', 'c', 'd');
  expect(compareVersion(version, undefined)).toEqual({ ...version, changes: [] });
  expect(compareVersion(version, versionOf('a', 'b', 'd'))).toEqual({
    ...version,
    changes: [
      { kind: 'REMOVED', text: 'b' },
      { kind: 'ADDED', text: 'c' },
    ],
  });
  expect(compareVersion(version, version).changes).toEqual([]);
});

test('a text with more than 200 differences counts as replaced', () => {
  const textOf = (prefix: string, count: number) => ({
    fetchedAt: NOW,
    paragraphs: ['same', ...Array.from({ length: count }, (_, i) => `${prefix} ${i}`)],
  });
  const few = compareVersion(textOf('new', 100), textOf('old', 100)).changes;
  expect([few.length, few.some(({ text }) => text === 'same')]).toEqual([200, false]);
  const many = compareVersion(textOf('new', 101), textOf('old', 101)).changes;
  expect(many).toHaveLength(204);
  expect(many.filter(({ text }) => text === 'same')).toEqual([
    { kind: 'REMOVED', text: 'same' },
    { kind: 'ADDED', text: 'same' },
  ]);
});
