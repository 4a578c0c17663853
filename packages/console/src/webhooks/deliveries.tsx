import { useQuery } from '@urql/preact';
import { apiErrorOf } from '../api/api-error.ts';
import type { Session } from '../api/session.ts';
import { DeliveriesDocument, type DeliveryPartsFragment, RedeliverDocument } from '../generated/operations.ts';
import type { Notify } from '../notices.tsx';
import { FailedRow, MoreRow, PagedRows, type PageProps, useReloadOnline } from '../ui/paged-rows.tsx';
import { Time } from '../ui/time.tsx';

const PAGE_SIZE = 10;
const STATES = { WAITING: 'Waiting', DELIVERED: 'Delivered', FAILED: 'Failed' };

interface Props {
  /** The webhook. */
  readonly id: string;
  readonly client: Session['client'];
  readonly notify: Notify;
}

/** True if the receiver confirmed the last attempt. A repetition of a delivered event can fail. */
const isConfirmed = ({ status }: DeliveryPartsFragment) => status !== null && status >= 200 && status <= 299;

/** The deliveries of a webhook, newest first. */
export function Deliveries(props: Props) {
  return (
    <ul class="activity-list" aria-label="Deliveries">
      <PagedRows renderPage={(page) => <DeliveryRows key={page.after} {...page} {...props} />} />
    </ul>
  );
}

function DeliveryRows({ id, client, notify, ...page }: Props & PageProps) {
  const { after } = page;
  const [{ data, error, fetching }, reload] = useQuery({
    query: DeliveriesDocument,
    variables: { id, first: PAGE_SIZE, ...(after !== null && { after }) },
    requestPolicy: 'network-only',
  });
  const load = () => reload({ requestPolicy: 'network-only' });
  useReloadOnline(load);

  async function redeliver({ id, type }: DeliveryPartsFragment) {
    const { data, error } = await client.mutation(RedeliverDocument, { input: { id } }).toPromise();
    const isDelivered = data !== undefined && isConfirmed(data.redeliver.delivery);
    const result = isDelivered ? `${type} was sent again.` : `${type} did not arrive.`;
    notify({ text: error ? apiErrorOf(error).message : result, isError: !isDelivered });
    load();
  }

  if (!data && error) return <FailedRow error={error} isLoading={fetching} onRetry={load} />;
  const found = data?.node && 'deliveries' in data.node ? data.node.deliveries : null;
  if (!found) return <li role="status">Loading deliveries…</li>;
  if (found.nodes.length === 0 && after === null) return <li class="hint">No event was sent yet.</li>;
  return (
    <>
      {found.nodes.map((delivery) => (
        <li key={delivery.id} class="event" data-state={delivery.state}>
          <p>
            <span class="mono">{delivery.type}</span> · <span class="state">{STATES[delivery.state]}</span>
            {delivery.attempts > 1 && ` after ${delivery.attempts} attempts`}
            {delivery.status !== null && ` · ${delivery.status}`}
            {!isConfirmed(delivery) && delivery.response && <span class="hint response">{delivery.response}</span>}
          </p>
          <Time at={delivery.createdAt} />
          <button type="button" class="button ghost small" onClick={() => redeliver(delivery)}>
            Send again
            <span class="visually-hidden">{` ${delivery.type}`}</span>
          </button>
        </li>
      ))}
      <MoreRow {...page} pageInfo={found.pageInfo} />
    </>
  );
}
