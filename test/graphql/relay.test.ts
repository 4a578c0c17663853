import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../open-app.ts';

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
  const compiler = resolve('node_modules/relay-compiler/cli.js');
  const output = execFileSync(process.execPath, [compiler, 'relay.config.json'], { cwd: folder, encoding: 'utf8' });
  expect(output).not.toMatch(/error/i);
  expect(readdirSync(join(folder, 'out'))).toContain('EmbedListCreateMutation.graphql.js');
});
