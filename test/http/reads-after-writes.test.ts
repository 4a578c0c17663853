import { expect, test } from 'vitest';
import { openApp } from '../open-app.ts';

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
