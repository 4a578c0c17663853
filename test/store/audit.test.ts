import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isOnPostgresql, newDatabase, openApp } from '../open-app.ts';

test('the audit log has a line for each deleted embed, over REST and GraphQL, and none for a rejected delete', async () => {
  const databaseUrl = await newDatabase();
  const { as, logged } = await openApp({ databaseUrl });
  const [ada, bob] = [await as('ada'), await as('bob')];
  const [first, second] = [await ada.create(), await ada.create()];
  await bob.rest('DELETE', `/v1/embeds/${first.id}`);
  const rest = await ada.rest('DELETE', `/v1/embeds/${first.id}`);
  const graphql = await ada.graphql('mutation($id: ID!) { deleteEmbed(input: { id: $id }) { message } }', {
    id: second.id,
  });
  await ada.rest('DELETE', `/v1/embeds/${first.id}`);
  // on PostgreSQL, the audit log is part of the gateway's log
  const logLines = logged.filter((line) => 'event' in line).map((line) => JSON.stringify({ at: new Date(), ...line }));
  const text = isOnPostgresql ? logLines.join('\n') : readFileSync(`${databaseUrl.slice(5)}.audit.jsonl`, 'utf8');
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
