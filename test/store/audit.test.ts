import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApp, temporaryFolder } from '../open-app.ts';

test('each embed that is deleted, through either door, leaves a line, and one that is not leaves none', async () => {
  const databaseFile = join(temporaryFolder(), 'embeds.db');
  const { as } = await openApp({ databaseFile });
  const [ada, bob] = [await as('ada'), await as('bob')];
  const [first, second] = [await ada.create(), await ada.create()];
  await bob.rest('DELETE', `/v1/embeds/${first.id}`);
  const rest = await ada.rest('DELETE', `/v1/embeds/${first.id}`);
  const graphql = await ada.graphql('mutation($id: ID!) { deleteEmbed(input: { id: $id }) { message } }', {
    id: second.id,
  });
  await ada.rest('DELETE', `/v1/embeds/${first.id}`);
  const text = readFileSync(`${databaseFile}.audit.jsonl`, 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { event: 'embed.deleted', accountId: 'ada', embedId: first.id, requestId: rest.headers.get('x-request-id') },
    { event: 'embed.deleted', accountId: 'ada', embedId: second.id, requestId: graphql.headers.get('x-request-id') },
  ]);
  for (const { by, at } of lines) {
    expect(by).toMatch(/^token:[0-9A-Za-z]{12}$/);
    expect(new Date(at).getTime()).toBeGreaterThan(Date.now() - 60_000);
  }
  expect(text).not.toContain('emb_');
});
