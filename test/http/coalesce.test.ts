import { expect, test } from 'vitest';
import { createCoalescer } from '../../src/http/coalesce.ts';
import { openApp } from '../open-app.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('runs equal work once per turn of the event loop, and never joins work that has started', async () => {
  const coalesce = createCoalescer<number>();
  let begun = 0;
  let finish = () => {};
  const work = () => {
    begun += 1;
    const result = begun;
    return new Promise<number>((resolve) => {
      finish = () => resolve(result);
    });
  };
  const early = [coalesce('a', work), coalesce('a', work)];
  await nextTurn();
  expect(begun).toBe(1);
  const finishFirst = finish;
  const late = coalesce('a', work);
  await nextTurn();
  expect(begun).toBe(2);
  finish();
  finishFirst();
  expect(await Promise.all([...early, late])).toEqual([1, 1, 2]);
});

test('rejects all calls that share failed work, and runs it again at the next call', async () => {
  const coalesce = createCoalescer<number>();
  const failing = () => Promise.reject(new Error('no'));
  const results = await Promise.allSettled([coalesce('a', failing), coalesce('a', failing)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await coalesce('a', async () => 1)).toBe(1);
  const throwing = () => {
    throw new Error('no');
  };
  const [thrown, other] = await Promise.allSettled([coalesce('a', throwing), coalesce('b', () => 2)]);
  expect([thrown, other]).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 2 }]);
});

test('shows a write to every read that is sent after its response, among many equal reads', async () => {
  const { as } = await openApp();
  const [ada, bob] = [await as('ada'), await as('bob')];
  const { id } = await ada.create({ font: 'Inter' });
  const graphql = `{ embed(id: "${id}") { font } embeds(first: 1) { totalCount } }`;
  for (let round = 1; round <= 20; round++) {
    const reads = () => [
      ada.rest('GET', `/v1/embeds/${id}`).then(({ body }) => body.embed.font),
      ada.graphql(graphql).then(({ data }) => data.embed.font),
    ];
    const before = [...reads(), ...reads()];
    const update = ada.rest('PATCH', `/v1/embeds/${id}`, { font: `Font ${round}` });
    const meanwhile = reads();
    await update;
    const strangers = Promise.all([bob.rest('GET', `/v1/embeds/${id}`), bob.graphql(graphql)]);
    expect(await Promise.all([...reads(), ...reads()])).toEqual(Array(4).fill(`Font ${round}`));
    for (const font of await Promise.all([...before, ...meanwhile])) {
      expect([`Font ${round - 1}`, `Font ${round}`, 'Inter']).toContain(font);
    }
    const [rest, bobs] = await strangers;
    expect([rest.status, bobs.data]).toEqual([404, { embed: null, embeds: { totalCount: 0 } }]);
  }
});
