import { expect, onTestFinished, test, vi } from 'vitest';
import type { RobotsMode } from '#reader/robots';
import type { FetchResult, PageFetcher } from '../../packages/fetcher/src/index.ts';
import { createFindRobotsRules } from '../../src/pages/robots-txt.ts';

const PAGE = 'https://www.example.com/private/week';
const FORBIDDING = { kind: 'file', content: 'User-agent: *\nDisallow: /private/\n' };
const ALLOWED = { refusal: null, delayMs: 0 };

/** Finds the rules of a site whose `/robots.txt` gives these results, one after another. */
function findRulesOf(...results: readonly object[]) {
  return findRulesIn('respect', ...results);
}

function findRulesIn(robotsMode: RobotsMode, ...results: readonly object[]) {
  const left = [...results] as FetchResult[];
  const fetch = async () => left.shift() as FetchResult;
  return createFindRobotsRules({ fetcher: { fetch } as unknown as PageFetcher, robotsMode });
}

test.each(['unreachable', 'blocked-address', 'bad-url'])(
  'a site that no request reaches (%s) is asked by the page itself at the next check too, and obeyed once it can be reached',
  async (reason) => {
    // the cache reads its clock again after a millisecond
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers().restoreAllMocks());
    let timeMs = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => timeMs);
    const find = findRulesOf({ kind: 'failed', reason }, FORBIDDING);
    for (let i = 0; i < 2; i++) {
      expect(await find(PAGE)).toEqual(ALLOWED);
      timeMs += 65_000;
      vi.advanceTimersByTime(1);
    }
    expect((await find(PAGE)).refusal).toContain('/robots.txt of www.example.com forbids it');
  },
);

test('a site that fails to send its file is asked again, and a site without one allows all pages', async () => {
  const find = findRulesOf(
    { kind: 'failed', reason: 'timeout' },
    { kind: 'failed', reason: 'http-error', status: 503 },
  );
  for (let i = 0; i < 2; i++) {
    expect((await find(PAGE)).refusal).toContain('/robots.txt of www.example.com cannot be fetched');
  }
  const findOfOther = findRulesOf({ kind: 'failed', reason: 'http-error', status: 404 });
  expect([await findOfOther(PAGE), await findOfOther(PAGE)]).toEqual([ALLOWED, ALLOWED]);
});

test.each([
  [
    'its own',
    'respect',
    'User-agent: *\nDisallow: /\n\nUser-agent: Other\nUser-agent: EmbedGateway/1.0\nAllow: /',
    true,
  ],
  ['its own first', 'respect', 'User-agent: EmbedGateway # this\rDisallow: /private\rUser-agent: *\rAllow: /', false],
  ['none', 'respect', 'User-agent: Other\nDisallow: /', true],
  ['one with an asterisk', 'respect', 'User-agent: *\nDisallow: /\nAllow: /*/week$', true],
  ['that of all in the mode named', 'named', 'User-agent: *\nDisallow: /', true],
  [
    'one with a line of no group in its head',
    'respect',
    'User-agent: EmbedGateway\nSitemap: /a\nUser-agent: *\nDisallow: /',
    false,
  ],
  [
    'its own after many rules of another with asterisks',
    'respect',
    `User-agent: *\n${'Disallow: /*/aaaaaaaaaaaaaaaaaaaaaaaa\n'.repeat(1_500)}User-agent: EmbedGateway\nDisallow: /*/week`,
    false,
  ],
  ['its own after empty lines', 'named', `${'\n'.repeat(500_000)}User-agent: EmbedGateway\nDisallow: /`, false],
] as const)('obeys the group of the service, or else that of all: %s', async (_what, mode, content, isAllowed) => {
  const { refusal } = await findRulesIn(mode, { kind: 'file', content })(PAGE);
  expect(refusal === null).toBe(isAllowed);
});

test('a file cannot make its rules a multiple of its size, nor have any number of rules with asterisks', async () => {
  const agents = 'User-agent: a\nUser-agent: *\n'.repeat(8_000);
  const many = findRulesOf({ kind: 'file', content: `${agents}${'Allow: /\n'.repeat(4_000)}Disallow: /private` });
  expect((await many(PAGE)).refusal).not.toBeNull();
  const wildcards = `User-agent: *\n${Array.from({ length: 2_000 }, (_, i) => `Disallow: /*a*a*a*${i}\n`).join('')}`;
  const slow = findRulesOf({ kind: 'file', content: `${wildcards}Disallow: /*/week\nDisallow: /private/month` });
  expect(await slow(PAGE)).toEqual(ALLOWED);
  expect((await slow('https://www.example.com/private/month')).refusal).not.toBeNull();
  const distinct = Array.from({ length: 6_000 }, (_, i) => `Disallow: /${i}\n`).join('');
  const long = findRulesOf({ kind: 'file', content: `User-agent: *\n${distinct}Disallow: /private` });
  expect(await long(PAGE)).toEqual(ALLOWED);
});
