/**
 * Creates, updates, filters and exports embeds with a field that was added to this copy of the project, through GraphQL,
 * REST and the command line, and reads the events of a webhook. The data folder is the argument. Prints the results as JSON.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createToken, SCOPES } from '../../src/domain/identity/token.ts';
import { openDatabase } from '../../src/store/database.ts';

const databaseUrl = `file:${join(process.argv[2] ?? '', 'embeds.db')}`;
const database = await openDatabase(databaseUrl);
const log = { info() {}, warn() {}, error: console.error };
const config = { ...readConfig({}), databaseUrl };
const pageAccess = { resolve: () => Promise.reject(new Error('no names in tests')) };
const app = createApp({ config, database, log, pageAccess });
const { text, token } = createToken({ accountId: 'ada', name: 'test', scopes: SCOPES, expiresAt: null }, new Date());
await database.tokens.ensureAccount('ada', token.createdAt);
await database.tokens.insert(token);

// biome-ignore lint/suspicious/noExplicitAny: responses have many shapes
async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<any> {
  const response = await app.fetch(
    new Request(`http://localhost:4000${path}`, {
      method,
      headers: { authorization: `Bearer ${text}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  return response.json();
}

async function graphql(query: string, variables: object) {
  const { data, errors } = await send('POST', '/graphql', { query, variables });
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

await send('POST', '/v1/webhooks', { url: 'https://example.com/events', events: ['embed.updated'] });
const PAGE = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';
const withDefault = await send('POST', '/v1/embeds', { page_url: PAGE }, { 'idempotency-key': 'key' });
const created = await send('POST', '/v1/embeds', { page_url: PAGE, density: 'compact' });
const reused = await send('POST', '/v1/embeds', { page_url: PAGE, density: 'compact' }, { 'idempotency-key': 'key' });
const rejected = await send('POST', '/v1/embeds', { page_url: PAGE, density: 'dense' });
const updated = await send('PATCH', `/v1/embeds/${withDefault.embed.id}`, { density: 'compact' });
const found = await send('GET', '/v1/embeds?density=compact');
const createdByGraphQL = await graphql(
  'mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { id density } } }',
  { input: { pageUrl: PAGE, density: 'COMPACT' } },
);
const { id } = createdByGraphQL.createEmbed.embed;
const updatedByGraphQL = await graphql(
  'mutation($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { density } } }',
  { input: { id, density: 'COMFORTABLE' } },
);
const foundByGraphQL = await graphql(
  'query($filter: EmbedFilter) { embeds(filter: $filter) { nodes { density } totalCount } }',
  { filter: { density: 'COMFORTABLE' } },
);
const openApi = await send('GET', '/openapi.json');
await app.close();
await database.close();
const env = { ...process.env, DATABASE_URL: databaseUrl };
const file = new BetterSqlite3(databaseUrl.slice('file:'.length), { readonly: true });
const events = file.prepare('SELECT "data"->>\'density\' FROM "WebhookDelivery" ORDER BY "id"').pluck().all();
file.close();
const exported = execFileSync(process.execPath, ['src/main.ts', 'embeds', 'export', '-', '--account', 'ada'], { env });

console.log(
  JSON.stringify({
    withDefault: withDefault.embed,
    created: created.embed.density,
    reused: reused.errors,
    rejected: rejected.errors,
    updated: updated.embed.density,
    found: found.total_count,
    events,
    createdByGraphQL: createdByGraphQL.createEmbed.embed.density,
    updatedByGraphQL: updatedByGraphQL.updateEmbed.embed.density,
    foundByGraphQL: foundByGraphQL.embeds,
    openApi: openApi.components.schemas.Density.enum,
    exported: String(exported).trim().split('\n'),
  }),
);
