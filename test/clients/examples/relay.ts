import {
  ConnectionHandler,
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  type GraphQLTaggedNode,
  getRequest,
  type MutationParameters,
  Network,
  RecordSource,
  ROOT_ID,
  Store,
} from 'relay-runtime';
import Create, { type relayCreateMutation } from '../generated/relay/relayCreateMutation.graphql.ts';
import Delete, { type relayDeleteMutation } from '../generated/relay/relayDeleteMutation.graphql.ts';
import List, { type relayListQuery } from '../generated/relay/relayListQuery.graphql.ts';
import Update, { type relayUpdateMutation } from '../generated/relay/relayUpdateMutation.graphql.ts';
import { PAGE_URL, type Service, type Tour } from './tour.ts';

/** Runs the tour with Relay, which updates the list through the directives of the mutations. */
export async function tour({ origin, token }: Service): Promise<Tour> {
  const environment = new Environment({
    store: new Store(new RecordSource()),
    network: Network.create(async ({ text }, variables) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ query: text, variables });
      return (await fetch(`${origin}/graphql`, { method: 'POST', headers, body })).json();
    }),
  });

  function commit<T extends MutationParameters>(mutation: GraphQLTaggedNode, variables: T['variables']) {
    return new Promise<T['response']>((resolve, reject) => {
      commitMutation<T>(environment, {
        mutation,
        variables,
        onCompleted: (response, errors) => (errors?.[0] ? reject(new Error(errors[0].message)) : resolve(response)),
        onError: reject,
      });
    });
  }

  const first = createOperationDescriptor(getRequest(List), { count: 2 });
  environment.retain(first);
  const shown = () => {
    const data = environment.lookup(first.fragment).data as relayListQuery['response'] | undefined;
    return data?.embeds.edges.map(({ node }) => node) ?? [];
  };

  const connections = [ConnectionHandler.getConnectionID(ROOT_ID, 'List_embeds')];
  await fetchQuery<relayListQuery>(environment, List, { count: 2 }).toPromise();
  for (let i = 0; i < 3; i++) {
    await commit<relayCreateMutation>(Create, { input: { pageUrl: PAGE_URL }, connections });
  }
  // the mutations added three edges to the list without another request
  if (shown().length !== 3) throw new Error('the list does not contain the created embeds');

  let page = await fetchQuery<relayListQuery>(environment, List, { count: 2 }).toPromise();
  while (page?.embeds.pageInfo.hasNextPage) {
    const cursor = page.embeds.pageInfo.endCursor;
    page = await fetchQuery<relayListQuery>(environment, List, { count: 2, cursor }).toPromise();
  }
  const listed = shown().map(({ id }) => id);

  const [newest = '', second = ''] = listed;
  await commit<relayUpdateMutation>(Update, { input: { id: newest, mode: 'DARK' } });
  await commit<relayDeleteMutation>(Delete, { input: { id: second }, connections });
  if (shown().some(({ id }) => id === second)) throw new Error('the list still contains the deleted embed');
  return { listed, updated: shown()[0] ?? { id: '', mode: '' }, deleted: second };
}
