import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openApp, temporaryFolder } from '../open-app.ts';
import { INSTALL_TIMEOUT_MS, installPackages } from '../own-packages.ts';

const require = createRequire(import.meta.url);

beforeAll(() => installPackages(import.meta.dirname), INSTALL_TIMEOUT_MS);

test("the OpenAPI document passes Redocly's recommended rules", async () => {
  const { app } = await openApp({ embedHost: 'embeds.acme.dev' });
  // the rules accept no server on localhost
  const source = await (await app.fetch(new Request('http://gateway.acme.dev/openapi.json'))).text();
  const { BaseResolver, createConfig, lintFromString } = await import('@redocly/openapi-core');
  const config = await createConfig({ extends: ['recommended-strict'] });
  const externalRefResolver = new BaseResolver();
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config, externalRefResolver });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  const broken = source.replace('"operationId":"listEmbeds"', '"operationId":"createEmbed"');
  expect(await lintFromString({ source: broken, absoluteRef: '/openapi.json', config })).not.toEqual([]);
});

test("the OpenAPI document passes Spectral's OpenAPI rules", async () => {
  const client = (await openApp()).withAuthorization(null);
  const document = await (await client.fetch('/openapi.json')).json();
  const { Ruleset, Spectral } = require('@stoplight/spectral-core') as typeof import('@stoplight/spectral-core');
  const { oas } = require('@stoplight/spectral-rulesets') as typeof import('@stoplight/spectral-rulesets');
  const spectral = new Spectral();
  spectral.setRuleset(new Ruleset({ extends: [[oas, 'recommended']] }));
  const found = await spectral.run(document as Record<string, unknown>);
  expect(found.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`)).toEqual([]);
});

const COMPONENT = `
import { graphql } from 'relay-runtime';
graphql\`query EmbedListQuery { ...EmbedList_query }\`;
graphql\`
  fragment EmbedList_query on Query
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" })
  @refetchable(queryName: "EmbedListPaginationQuery") {
    embeds(first: $count, after: $cursor) @connection(key: "EmbedList_embeds") {
      edges { node { id ...EmbedItem_embed } }
      totalCount
    }
  }\`;
graphql\`fragment EmbedItem_embed on Embed @refetchable(queryName: "EmbedItemRefetchQuery") { id embedUrl mode }\`;
graphql\`mutation EmbedListCreateMutation($input: CreateEmbedInput!, $connections: [ID!]!) {
  createEmbed(input: $input) { embedEdge @prependEdge(connections: $connections) { cursor node { id ...EmbedItem_embed } } }
}\`;
graphql\`mutation EmbedListDeleteMutation($input: DeleteEmbedInput!, $connections: [ID!]!) {
  deleteEmbed(input: $input) { deletedEmbedId @deleteEdge(connections: $connections) message }
}\`;
`;

test('compiles with relay-compiler, using @connection, @prependEdge, @deleteEdge and @refetchable', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'EmbedList.js'), COMPONENT);
  const config = {
    src: './src',
    language: 'javascript',
    schema: './schema.graphql',
    artifactDirectory: './out',
    eagerEsModules: true,
  };
  mkdirSync(join(folder, 'out'));
  writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config));
  execFileSync('cp', ['src/graphql/schema.graphql', join(folder, 'schema.graphql')]);
  const compiler = resolve('test/clients/node_modules/relay-compiler/cli.js');
  const output = execFileSync(process.execPath, [compiler, 'relay.config.json'], { cwd: folder, encoding: 'utf8' });
  expect(output).not.toMatch(/error/i);
  expect(readdirSync(join(folder, 'out'))).toContain('EmbedListCreateMutation.graphql.js');
});
