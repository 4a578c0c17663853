import { expect, test } from 'vitest';
import type { FetchResult, PageFetcher } from '../../src/pages/fetch/fetch.ts';
import { createFindRobotsRules } from '../../src/pages/robots-txt.ts';

const PAGE = 'https://www.example.com/private/week';
const FORBIDDING = { kind: 'file', content: 'User-agent: *\nDisallow: /private/\n' };
const ALLOWED = { refusal: null, delayMs: 0 };

/** Finds the rules of a site whose `/robots.txt` gives these results, one after another. */
function findRulesOf(...results: readonly object[]) {
  const left = [...results] as FetchResult[];
  const fetch = async () => left.shift() as FetchResult;
  return createFindRobotsRules({ fetcher: { fetch } as unknown as PageFetcher, robotsMode: 'respect' });
}

test.each(['unreachable', 'blocked-address', 'bad-url'])(
  'a site that no request reaches (%s) is asked by the page itself, and obeyed once it can be reached',
  async (reason) => {
    const find = findRulesOf({ kind: 'failed', reason }, FORBIDDING);
    expect(await find(PAGE)).toEqual(ALLOWED);
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
