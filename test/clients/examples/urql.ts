import { Client, fetchExchange } from '@urql/core';
import { graphql } from '../generated/graphql/index.ts';
import { PAGE_URL, type Service, type Tour } from './tour.ts';

const CREATE = graphql(`
  mutation UrqlCreate($input: CreateEmbedInput!) {
    createEmbed(input: $input) { embed { id } }
  }
`);
const LIST = graphql(`
  query UrqlList($first: Int!, $after: String) {
    embeds(first: $first, after: $after) {
      nodes { id }
      pageInfo { hasNextPage endCursor }
    }
  }
`);
const UPDATE = graphql(`
  mutation UrqlUpdate($input: UpdateEmbedInput!) {
    updateEmbed(input: $input) { embed { id mode } }
  }
`);
const DELETE = graphql(`
  mutation UrqlDelete($input: DeleteEmbedInput!) {
    deleteEmbed(input: $input) { deletedEmbedId }
  }
`);

/** Runs the tour with urql. graphql-codegen's client preset types the documents. */
export async function tour({ origin, token }: Service): Promise<Tour> {
  const client = new Client({
    url: `${origin}/graphql`,
    preferGetMethod: false,
    exchanges: [fetchExchange],
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
  });

  for (let i = 0; i < 3; i++) requireData(await client.mutation(CREATE, { input: { pageUrl: PAGE_URL } }));

  const listed: string[] = [];
  let after: string | null | undefined;
  do {
    const { embeds } = requireData(await client.query(LIST, { first: 2, after }));
    listed.push(...embeds.nodes.map(({ id }) => id));
    after = embeds.pageInfo.hasNextPage ? embeds.pageInfo.endCursor : undefined;
  } while (after);

  const [newest = '', second = ''] = listed;
  const { updateEmbed } = requireData(await client.mutation(UPDATE, { input: { id: newest, mode: 'DARK' } }));
  const { deleteEmbed } = requireData(await client.mutation(DELETE, { input: { id: second } }));
  return { listed, updated: updateEmbed.embed, deleted: deleteEmbed.deletedEmbedId };
}

/** Returns the data or throws. Validation errors are in `error.graphQLErrors[0].extensions.errors`. */
function requireData<T>({ data, error }: { data?: T | undefined; error?: Error | undefined }): T {
  if (!data) throw error ?? new Error('there is no data');
  return data;
}
