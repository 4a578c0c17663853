import { join } from 'node:path';
import { expect } from 'vitest';
import { openService } from '../open-service.ts';
import type { Service, Tour } from './examples/tour.ts';

export const EXAMPLES = join(import.meta.dirname, 'examples');

/** Runs the tour of an example, for a new account. */
export async function expectTourOf(name: string): Promise<void> {
  const { tour } = (await import(join(EXAMPLES, `${name}.ts`))) as { tour: (service: Service) => Promise<Tour> };
  await expectTour(tour);
}

/** Runs the tour with a client, for a new account. */
export async function expectTour(client: (service: Service) => Promise<Tour>): Promise<void> {
  const { as, origin } = await openService();
  const ada = await as('ada');
  const token = ada.authorization.replace('Bearer ', '');
  const { listed, updated, deleted } = await client({ origin, token });
  expect(listed).toHaveLength(3);
  expect(listed).toEqual([...listed].sort().reverse());
  expect(updated.mode.toLowerCase()).toBe('dark');
  const { embeds } = (await ada.rest('GET', '/v1/embeds')).body;
  expect(embeds.map(({ id, mode }: { id: string; mode: string }) => [id, mode])).toEqual([
    [listed[0], 'dark'],
    [listed[2], 'light'],
  ]);
  expect([updated.id, deleted]).toEqual(listed.slice(0, 2));
}
