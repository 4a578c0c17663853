import { renameSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { migrateDatabase } from '../../src/store/database.ts';
import { openPostgresqlServer } from '../databases/embedded.ts';
import { SILENT_LOG } from '../databases/server.ts';
import { type Client, isOnPostgresql, newDatabase, openApp, type RestEmbed } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';

/** A database that a test can make unavailable. */
async function openRemovableDatabase() {
  if (isOnPostgresql) {
    const server = await openPostgresqlServer();
    onTestFinished(() => server.close());
    await migrateDatabase(server.urlOf('postgres'), SILENT_LOG);
    return { databaseUrl: server.urlOf('postgres'), takeAway: server.stop, bringBack: server.start };
  }
  const databaseUrl = await newDatabase();
  const file = databaseUrl.slice('file:'.length);
  return {
    databaseUrl,
    takeAway: async () => renameSync(file, `${file}.away`),
    bringBack: async () => renameSync(`${file}.away`, file),
  };
}

const SUBSCRIPTION = 'subscription { embedChanged { kind embed { id } } }';
const MUTATION = 'mutation ($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { id } } }';

/** Sends a request to each endpoint, for pages that have never been fetched, and returns the statuses. */
async function requestAll(
  client: Client,
  { id, embed_url }: RestEmbed,
  newPage: () => string,
): Promise<readonly number[]> {
  const json = { 'content-type': 'application/json' };
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    client.fetch(path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const form = () => new URLSearchParams({ access_token: client.authorization.slice(7), pageUrl: newPage() });
  const responses = await Promise.all([
    post('/v1/embeds', { page_url: newPage() }),
    post('/v1/embeds', { page_url: newPage() }, { 'idempotency-key': crypto.randomUUID() }),
    client.fetch('/v1/embeds'),
    client.fetch('/v1/embeds?search=bread&mode=light'),
    client.fetch(`/v1/embeds/${id}`),
    client.fetch(`/v1/embeds/${id}`, { method: 'PATCH', headers: json, body: '{"mode":"dark"}' }),
    client.fetch(`/v1/embeds/${id}`, { method: 'DELETE' }),
    post('/graphql', { query: `{ node(id: "${id}") { id } embeds(filter: { search: "bread" }) { totalCount } }` }),
    post('/graphql', { query: MUTATION, variables: { input: { pageUrl: newPage() } } }),
    post('/graphql', { query: SUBSCRIPTION }, { accept: 'text/event-stream' }),
    client.fetch(embed_url),
    client.fetch(`/oembed?url=${encodeURIComponent(embed_url)}`),
    client.fetch(`/oembed?format=xml&url=${encodeURIComponent(embed_url)}`),
    client.fetch('/preview', { method: 'POST', body: form() }),
    client.fetch('/readyz'),
  ]);
  await Promise.all(responses.map(({ body }) => body?.cancel()));
  return responses.map(({ status }) => status);
}

test('while the database is unavailable, the log has one line for it and no error of a request', async () => {
  const { databaseUrl, takeAway, bringBack } = await openRemovableDatabase();
  const accessToken = 'a token of the operator';
  const { app, withAuthorization, logged } = await openApp({ databaseUrl, accessToken, allowPrivatePages: true });
  const site = await openSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Bread'));
  });
  let pages = 0;
  const newPage = () => `${site.origin}/${++pages}`;
  const operator = withAuthorization(`Bearer ${accessToken}`);
  const embed = await operator.create({ page_url: newPage() });
  const isReady = async () => (await operator.fetch('/readyz')).status === 200;

  await takeAway();
  expect(await isReady()).toBe(false);
  for (const status of [
    ...(await requestAll(operator, embed, newPage)),
    ...(await requestAll(operator, embed, newPage)),
  ]) {
    expect([200, 503]).toContain(status);
  }
  await bringBack();
  await expect.poll(isReady).toBe(true);
  // waits for revalidations in flight
  await app.close();

  const notOfRequests = logged.filter((line) => !('message' in line && line.message === 'request'));
  expect(notOfRequests).toEqual([
    expect.objectContaining({ reason: expect.any(String), message: expect.stringMatching(/^the database/) }),
    expect.objectContaining({ message: expect.stringMatching(/^the database (works|can be written) again$/) }),
  ]);
});
