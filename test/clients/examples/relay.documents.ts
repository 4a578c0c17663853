import { graphql } from 'relay-runtime';

/** Documents for relay-compiler. Applications have them in their components, where a bundler plugin inserts the artifacts. */
export const documents = () => [
  graphql`
    query relayListQuery($count: Int!, $cursor: String) {
      embeds(first: $count, after: $cursor) @connection(key: "List_embeds") {
        edges { node { id mode } }
        pageInfo { hasNextPage endCursor }
      }
    }
  `,
  graphql`
    mutation relayCreateMutation($input: CreateEmbedInput!, $connections: [ID!]!) {
      createEmbed(input: $input) {
        embedEdge @prependEdge(connections: $connections) { cursor node { id mode } }
      }
    }
  `,
  graphql`
    mutation relayUpdateMutation($input: UpdateEmbedInput!) {
      updateEmbed(input: $input) { embed { id mode } }
    }
  `,
  graphql`
    mutation relayDeleteMutation($input: DeleteEmbedInput!, $connections: [ID!]!) {
      deleteEmbed(input: $input) { deletedEmbedId @deleteEdge(connections: $connections) }
    }
  `,
];
