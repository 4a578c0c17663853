import { expect, test } from 'vitest';
import { MEAL_PLANNER, newDatabase, openApp } from '../../open-app.ts';

const ROUNDS = 10;
const EXTERNAL_IDS = 20;
const REPETITIONS = 12;

test('gateways that write the same external ids in different orders do not block each other', async () => {
  const databaseUrl = await newDatabase();
  const gateways = [await openApp({ databaseUrl }), await openApp({ databaseUrl })];
  const clients = await Promise.all(gateways.map((opened) => opened.as('ada')));
  const statuses = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const replies = await Promise.all(
      Array.from({ length: REPETITIONS * EXTERNAL_IDS }, (_, i) => {
        // the same circle of ids for both, from two places
        const external_id = `${round} ${((i >> 1) * 7 + (i % 2) * 10) % EXTERNAL_IDS}`;
        const on_conflict = i % 4 === 1 ? 'return' : 'update';
        const body = { page_url: MEAL_PLANNER, font: `Font ${i}`, external_id, on_conflict };
        return clients[i % 2]?.rest('POST', '/v1/embeds', body);
      }),
    );
    for (const reply of replies) statuses.set(reply?.status ?? 0, (statuses.get(reply?.status ?? 0) ?? 0) + 1);
  }
  const created = ROUNDS * EXTERNAL_IDS;
  expect(statuses).toEqual(
    new Map([
      [201, created],
      [200, (REPETITIONS - 1) * created],
    ]),
  );
});
