import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { graphql } from '../generated/graphql/index.ts';
import { PAGE_URL, type Service, type Tour } from './tour.ts';

const CREATE = graphql(`
  mutation ApolloCreate($input: CreateEmbedInput!) {
    createEmbed(input: $input) { embed { id } }
  }
`);
const LIST = graphql(`
  query ApolloList($first: Int!, $after: String) {
    embeds(first: $first, after: $after) {
      edges { cursor node { id mode } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`);
const UPDATE = graphql(`
  mutation ApolloUpdate($input: UpdateEmbedInput!) {
    updateEmbed(input: $input) { embed { id mode } }
  }
`);
const DELETE = graphql(`
  mutation ApolloDelete($input: DeleteEmbedInput!) {
    deleteEmbed(input: $input) { deletedEmbedId }
  }
`);

/** Runs the tour with Apollo Client. `relayStylePagination` joins the pages of the list in the cache. */
export async function tour({ origin, token }: Service): Promise<Tour> {
  const client = new ApolloClient({
    link: ApolloLink.from([new HttpLink({ uri: `${origin}/graphql`, headers: { authorization: `Bearer ${token}` } })]),
    cache: new InMemoryCache({
      typePolicies: { Query: { fields: { embeds: relayStylePagination() } } },
    }),
  });

  for (let i = 0; i < 3; i++) await client.mutate({ mutation: CREATE, variables: { input: { pageUrl: PAGE_URL } } });

  let { data } = await client.query({ query: LIST, variables: { first: 2 } });
  const list = client.watchQuery({ query: LIST, variables: { first: 2 } });
  while (data?.embeds.pageInfo.hasNextPage) {
    await list.fetchMore({ variables: { after: data.embeds.pageInfo.endCursor } });
    data = client.readQuery({ query: LIST, variables: { first: 2 } }) ?? undefined;
  }
  const listed = data?.embeds.edges.map(({ node }) => node.id) ?? [];

  const [newest = '', second = ''] = listed;
  await client.mutate({ mutation: UPDATE, variables: { input: { id: newest, mode: 'DARK' } } });
  await client.mutate({
    mutation: DELETE,
    variables: { input: { id: second } },
    update(cache, result) {
      const id = result.data?.deleteEmbed.deletedEmbedId;
      if (id) cache.evict({ id: cache.identify({ __typename: 'Embed', id }) ?? '' });
    },
  });
  // both changes are in the cache without another request, because it identifies embeds by their ids
  const cached = client.readQuery({ query: LIST, variables: { first: 2 } })?.embeds.edges.map(({ node }) => node) ?? [];
  client.stop();
  if (cached.some(({ id }) => id === second)) throw new Error('the cache still contains the deleted embed');
  return { listed, updated: cached[0] ?? { id: '', mode: '' }, deleted: second };
}
