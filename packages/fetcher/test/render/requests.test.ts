import { expect, test } from 'vitest';
import { createPageRequests, type PausedRequest } from '../../src/render/requests.ts';

function openRequests(fetcher: Parameters<typeof createPageRequests>[0]['fetcher']) {
  const refusals: string[] = [];
  const requests = createPageRequests({
    fetcher,
    document: { url: 'https://pantry.example/', html: '', robots: null },
    mainFrameId: 'main',
    signal: new AbortController().signal,
    onRefusal: (reason) => refusals.push(reason),
  });
  return { requests, refusals };
}

const EMPTY = { kind: 'resource', status: 200, headers: [], body: new Uint8Array() } as const;

const pausedRequest = (path: string, resourceType = 'Fetch', method = 'GET'): PausedRequest => ({
  requestId: path,
  frameId: 'main',
  resourceType,
  request: { url: `https://pantry.example/${path}`, method, headers: {} },
});

test('fetches twelve resources of a page at a time, in the order of its requests', async () => {
  const fetched: string[] = [];
  const running: (() => void)[] = [];
  const { requests } = openRequests({
    fetchResource: ({ url }) => {
      fetched.push(new URL(url).pathname);
      return new Promise((resolve) => running.push(() => resolve(EMPTY)));
    },
  });
  const paths = Array.from({ length: 30 }, (_, i) => `part/${i}`);
  const answers = paths.map((path) => requests.answer(pausedRequest(path)));
  for (const [i, answer] of answers.entries()) {
    expect(fetched).toEqual(paths.slice(0, 12 + i).map((path) => `/${path}`));
    running[i]?.();
    expect(await answer).toMatchObject({ params: { requestId: paths[i], responseCode: 200 } });
  }
});

test('counts what a page loads as activity, but not the same request again and again', async () => {
  const waiting: (() => void)[] = [];
  const { requests } = openRequests({
    fetchResource: () => new Promise((resolve) => waiting.push(() => resolve(EMPTY))),
  });
  async function ask(path: string, method = 'GET'): Promise<number> {
    const answered = requests.answer(pausedRequest(path, 'Fetch', method));
    const { inFlight } = requests;
    waiting.shift()?.();
    await answered;
    return inFlight;
  }
  const counts: number[] = [];
  for (let i = 0; i < 5; i++) counts.push(await ask('poll'));
  expect(counts).toEqual([1, 1, 1, 0, 0]);
  for (let i = 0; i < 5; i++) expect([await ask(`part/${i}`), await ask('graphql', 'POST')]).toEqual([1, 1]);
  expect(await ask('a'.repeat(8_192))).toBe(0);
  expect(requests.inFlight).toBe(0);
});

test('answers up to 500 requests for pictures, without a fetch and not as activity', async () => {
  const { requests, refusals } = openRequests({ fetchResource: () => Promise.reject(new Error('Fetched.')) });
  const before = requests.lastActivityMs;
  const ask = (i: number) => requests.answer(pausedRequest(`${i}`, 'Image'));
  for (let i = 0; i < 500; i++) expect((await ask(i))?.params).toMatchObject({ requestId: `${i}`, responseCode: 200 });
  expect(refusals).toEqual([]);
  expect(await ask(500)).toBeNull();
  expect(refusals).toEqual(['limit']);
  expect(requests.lastActivityMs).toBe(before);
});
