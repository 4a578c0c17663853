import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, apiErrorOf } from '../api/api-error.ts';
import type { Session } from '../api/session.ts';
import { CreateWebhookDocument, type WebhookEvent, type WebhookPartsFragment } from '../generated/operations.ts';
import { Icon } from '../ui/icons.tsx';

const EVENTS: readonly WebhookEvent[] = [
  'EMBED_CREATED',
  'EMBED_UPDATED',
  'EMBED_DELETED',
  'PAGE_CHANGED',
  'PAGE_STATE_CHANGED',
  'TOKEN_CREATED',
  'TOKEN_REVOKED',
];

/** Returns the type of an event in messages, such as `page.state_changed`. */
export function typeOf(event: WebhookEvent): string {
  return event.toLowerCase().replace('_', '.');
}

/** A webhook and the secret that the API has just made for it. */
export interface WebhookSecret {
  readonly webhook: WebhookPartsFragment;
  readonly secret: string;
}

interface Props {
  readonly session: Session;
  readonly onCreated: (created: WebhookSecret) => void;
}

export function NewWebhookForm({ session: { client }, onCreated }: Props) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(EVENTS.slice(0, 3));
  const [apiError, setApiError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { faults = {}, message } = apiError ?? {};
  useEffect(() => {
    if (apiError) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .note')?.focus();
  }, [apiError]);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const input = { url: url.trim(), events: [...events] };
    const { data, error } = await client.mutation(CreateWebhookDocument, { input }).toPromise();
    setBusy(false);
    if (data) onCreated(data.createWebhook);
    else if (error) setApiError(apiErrorOf(error));
  }

  function toggle(event: WebhookEvent, isOn: boolean) {
    setEvents(EVENTS.filter((each) => (each === event ? isOn : events.includes(each))));
  }

  return (
    <form ref={form} class="panel" onSubmit={submit} noValidate aria-labelledby="new-webhook-heading">
      <h2 id="new-webhook-heading">New webhook</h2>
      <div class="field">
        <label for="webhook-url">URL</label>
        <input
          id="webhook-url"
          class="input"
          type="url"
          autoComplete="off"
          spellcheck={false}
          placeholder="https://example.com/hook"
          value={url}
          aria-invalid={faults.url !== undefined}
          aria-describedby="webhook-url-fault webhook-url-hint"
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <p id="webhook-url-fault" class="fault" role="alert">
          {faults.url && `The URL ${faults.url}.`}
        </p>
        <p id="webhook-url-hint" class="hint">
          It receives signed events as POST requests. Redirects are not followed.
        </p>
      </div>
      <fieldset class="field" aria-describedby="events-fault">
        <legend>Events</legend>
        {EVENTS.map((event) => (
          <label key={event} class="check wide">
            <input
              type="checkbox"
              checked={events.includes(event)}
              aria-invalid={faults.events !== undefined}
              onChange={({ currentTarget }) => toggle(event, currentTarget.checked)}
            />
            <span class="mono">{typeOf(event)}</span>
          </label>
        ))}
        <p id="events-fault" class="fault" role="alert">
          {faults.events && 'Choose one or more events.'}
        </p>
      </fieldset>
      {message && Object.keys(faults).length === 0 && (
        <p class="note warning" role="alert" tabIndex={-1}>
          <Icon name="warning" />
          {message}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button primary" aria-busy={isBusy}>
          Create webhook
        </button>
      </div>
    </form>
  );
}
