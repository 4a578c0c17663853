import { useQuery } from '@urql/preact';
import { useState } from 'preact/hooks';
import { apiErrorOf, describeFailure } from '../api/api-error.ts';
import type { Session } from '../api/session.ts';
import { DeleteWebhookDocument, type WebhookPartsFragment, WebhooksDocument } from '../generated/operations.ts';
import type { Notify } from '../notices.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { FormOpener } from '../ui/form-opener.tsx';
import { Icon } from '../ui/icons.tsx';
import { FailedRow, useReloadOnline } from '../ui/paged-rows.tsx';
import { SecretPanel } from '../ui/secret-panel.tsx';
import { usePage } from '../ui/use-page.ts';
import { NewWebhookForm, type WebhookSecret } from './webhook-form.tsx';
import { WebhookItem } from './webhook-item.tsx';

/** The webhooks of an account are at most 20. */
const WEBHOOK_PAGE_SIZE = 20;

interface Props {
  readonly session: Session;
  readonly notify: Notify;
}

/** The webhooks of the account with their deliveries, and a form that creates one. */
export function WebhooksPage({ session, notify }: Props) {
  const [shownSecret, setShownSecret] = useState<WebhookSecret | null>(null);
  const [isFormOpen, setFormOpen] = useState(false);
  const [pendingDeletion, setPendingDeletion] = useState<WebhookPartsFragment | null>(null);
  const [{ data, error, fetching }, reload] = useQuery({
    query: WebhooksDocument,
    variables: { first: WEBHOOK_PAGE_SIZE },
    requestPolicy: 'cache-and-network',
  });
  const readAgain = () => reload({ requestPolicy: 'network-only' });
  useReloadOnline(readAgain);
  usePage('Webhooks');

  async function remove({ id, url }: WebhookPartsFragment) {
    setPendingDeletion(null);
    // the button that had the focus disappears
    requestAnimationFrame(() => document.getElementById('webhooks-heading')?.focus());
    const { error } = await session.client.mutation(DeleteWebhookDocument, { input: { id } }).toPromise();
    if (!error) return notify({ text: `The webhook ${url} was deleted.` });
    notify({ text: describeFailure(apiErrorOf(error), `webhook ${url}`, 'deleted'), isError: true });
    readAgain();
  }

  function close() {
    setShownSecret(null);
    setFormOpen(false);
  }

  return (
    <main id="main" class="tokens" tabIndex={-1} aria-labelledby="webhooks-heading">
      <div class="view-head">
        <h1 id="webhooks-heading" tabIndex={-1}>
          Webhooks
        </h1>
        {!shownSecret && (
          <FormOpener label="New webhook" isOpen={isFormOpen} onToggle={() => setFormOpen(!isFormOpen)} />
        )}
      </div>
      <div class="split list-first" data-open={isFormOpen}>
        {shownSecret ? (
          <SecretPanel
            heading="Copy the secret now"
            hint={`It signs the events for ${shownSecret.webhook.url}. It is shown only once.`}
            secret={shownSecret.secret}
            name="Secret"
            onDone={close}
          />
        ) : (
          <NewWebhookForm session={session} onCreated={setShownSecret} onUnconfirmed={readAgain} />
        )}
        <ul class="token-list" aria-labelledby="webhooks-heading">
          {!data && error && <FailedRow error={error} isLoading={fetching} onRetry={readAgain} />}
          {!data && !error && <li role="status">Loading webhooks…</li>}
          {data?.webhooks.nodes.length === 0 && (
            <li class="nothing">
              <Icon name="webhook" />
              <b>This account has no webhooks.</b>
              Create one to receive a signed request when embeds, pages or tokens change.
            </li>
          )}
          {data?.webhooks.nodes.map((webhook) => (
            <WebhookItem
              key={webhook.id}
              webhook={webhook}
              session={session}
              notify={notify}
              onSecret={setShownSecret}
              onDelete={setPendingDeletion}
              onUnconfirmed={readAgain}
            />
          ))}
        </ul>
      </div>
      {pendingDeletion && (
        <ConfirmDialog
          heading="Delete this webhook?"
          text={`${pendingDeletion.url} receives no more events, also not those that wait. This cannot be undone.`}
          action="Delete webhook"
          onCancel={() => setPendingDeletion(null)}
          onConfirm={() => remove(pendingDeletion)}
        />
      )}
    </main>
  );
}
