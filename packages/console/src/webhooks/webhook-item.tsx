import { useRef, useState } from 'preact/hooks';
import { apiErrorOf } from '../api/api-error.ts';
import type { Session } from '../api/session.ts';
import {
  RotateWebhookSecretDocument,
  TestWebhookDocument,
  UpdateWebhookDocument,
  type WebhookPartsFragment,
} from '../generated/operations.ts';
import type { Notify } from '../notices.tsx';
import { Icon } from '../ui/icons.tsx';
import { Time } from '../ui/time.tsx';
import { Deliveries } from './deliveries.tsx';
import { EditWebhookForm, typeOf, type WebhookSecret } from './webhook-form.tsx';

interface Props {
  readonly webhook: WebhookPartsFragment;
  readonly session: Session;
  readonly notify: Notify;
  readonly onSecret: (shown: WebhookSecret) => void;
  readonly onDelete: (webhook: WebhookPartsFragment) => void;
  /** The service may have made a change without confirming it. */
  readonly onUnconfirmed: () => void;
}

export function WebhookItem({ webhook, session, notify, onSecret, onDelete, onUnconfirmed }: Props) {
  const { client } = session;
  const { id, url, events, createdAt, disabledAt, disabledReason, failingSince } = webhook;
  const [isOpen, setOpen] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const [isTesting, setTesting] = useState(false);
  /** Open deliveries are read again after each test. */
  const [testCount, setTestCount] = useState(0);
  const state = disabledAt ? 'Disabled' : failingSince ? 'Failing' : 'Valid';

  async function test() {
    setTesting(true);
    const { data, error } = await client.mutation(TestWebhookDocument, { input: { id } }).toPromise();
    setTesting(false);
    setOpen(true);
    setTestCount((count) => count + 1);
    if (error) return notify({ text: apiErrorOf(error).message, isError: true });
    const delivery = data?.testWebhook.delivery;
    const isError = delivery?.state !== 'DELIVERED';
    const result = delivery?.status
      ? `The receiver responded with ${delivery.status}.`
      : `There was no response: ${delivery?.response}.`;
    notify({ text: isError ? `The test failed. ${result}` : result, isError });
  }

  async function rotate() {
    const { data, error } = await client.mutation(RotateWebhookSecretDocument, { input: { id } }).toPromise();
    if (data) onSecret(data.rotateWebhookSecret);
    else if (error) notify({ text: apiErrorOf(error).message, isError: true });
  }

  async function setEnabled(enabled: boolean) {
    const { error } = await client.mutation(UpdateWebhookDocument, { input: { id, enabled } }).toPromise();
    if (!error) return;
    notify({ text: apiErrorOf(error).message, isError: true });
    onUnconfirmed();
  }

  function endEditing() {
    setEditing(false);
    editButton.current?.focus();
  }

  return (
    <li class="token" data-webhook={id} data-state={state}>
      <div class="token-head">
        <h2>{url}</h2>
        <span class="spacer" />
        <span class="state">{state === 'Valid' ? 'Enabled' : state}</span>
      </div>
      {disabledReason && (
        <p class="note warning">
          <Icon name="warning" />
          {disabledReason}
        </p>
      )}
      <ul class="tags" aria-label="Events">
        {events.map((event) => (
          <li key={event}>{typeOf(event)}</li>
        ))}
      </ul>
      <dl>
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={createdAt} />
          </dd>
        </div>
        {failingSince && (
          <div>
            <dt>Failing since</dt>
            <dd>
              <Time at={failingSince} />
            </dd>
          </div>
        )}
        <div>
          <dt>Id</dt>
          <dd class="mono">{id}</dd>
        </div>
      </dl>
      <div class="actions">
        <button type="button" class="button small" aria-busy={isTesting} disabled={isTesting} onClick={test}>
          Send a test
        </button>
        <button type="button" class="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Deliveries
        </button>
        <button
          ref={editButton}
          type="button"
          class="button small"
          aria-expanded={isEditing}
          onClick={() => setEditing(!isEditing)}
        >
          Edit
        </button>
        <button type="button" class="button small" onClick={rotate}>
          New secret
        </button>
        <button type="button" class="button small" onClick={() => setEnabled(disabledAt !== null)}>
          {disabledAt ? 'Enable' : 'Disable'}
        </button>
        <button type="button" class="button ghost small danger" onClick={() => onDelete(webhook)}>
          Delete
        </button>
      </div>
      {isEditing && (
        <EditWebhookForm webhook={webhook} session={session} onClose={endEditing} onUnconfirmed={onUnconfirmed} />
      )}
      {isOpen && <Deliveries key={testCount} id={id} client={client} notify={notify} />}
    </li>
  );
}
