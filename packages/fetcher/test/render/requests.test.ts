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

test('counts what a page loads as activity, but not the same request again and again', async () => {
  const waiting: (() => void)[] = [];
  const { requests } = openRequests({
    fetchResource: () =>
      new Promise((resolve) =>
        waiting.push(() => resolve({ kind: 'resource', status: 200, headers: [], body: Buffer.alloc(0) })),
      ),
  });
  async function ask(path: string, method = 'GET'): Promise<number> {
    const request = { url: `https://pantry.example${path}`, method, headers: {} };
    const paused: PausedRequest = { requestId: '1', frameId: 'main', resourceType: 'Fetch', request };
    const answered = requests.answer(paused);
    const { inFlight } = requests;
    waiting.shift()?.();
    await answered;
    return inFlight;
  }
  const counts: number[] = [];
  for (let i = 0; i < 5; i++) counts.push(await ask('/poll'));
  expect(counts).toEqual([1, 1, 1, 0, 0]);
  for (let i = 0; i < 5; i++) expect([await ask(`/part/${i}`), await ask('/graphql', 'POST')]).toEqual([1, 1]);
  expect(await ask(`/${'a'.repeat(8_192)}`)).toBe(0);
  expect(requests.inFlight).toBe(0);
});

test('answers up to 500 requests for pictures, without a fetch and not as activity', async () => {
  const { requests, refusals } = openRequests({ fetchResource: () => Promise.reject(new Error('Fetched.')) });
  const before = requests.lastActivityMs;
  const ask = (i: number) => {
    const request = { url: `https://pantry.example/${i}.jpg`, method: 'GET', headers: {} };
    return requests.answer({ requestId: `${i}`, frameId: 'main', resourceType: 'Image', request });
  };
  for (let i = 0; i < 500; i++) expect((await ask(i))?.params).toMatchObject({ requestId: `${i}`, responseCode: 200 });
  expect(refusals).toEqual([]);
  expect(await ask(500)).toBeNull();
  expect(refusals).toEqual(['limit']);
  expect(requests.lastActivityMs).toBe(before);
});
